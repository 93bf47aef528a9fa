package web

import (
	"slices"
	"sync"

	"github.com/labstack/echo/v4"
	"golang.org/x/text/language"
)

// prefs are how this browser wants to see pages. They are stored in cookies: a GET changes nothing on the server.
type prefs struct{ lang, theme, digits string }

// choices lists each preference with its values; the first is the default.
var choices = map[string][]string{
	"lang":   {"en", "ar"},
	"theme":  {"auto", "light", "dark"},
	"digits": {"latn", "arab"},
}

// choiceCookies keep them in the browser.
var choiceCookies = map[string]string{"lang": "sanad_lang", "theme": "sanad_theme", "digits": "sanad_digits"}

var browserLanguages = language.NewMatcher([]language.Tag{language.English, language.Arabic})

// prefsKey is the context key of what was read once for a request.
const prefsKey = "prefs" // *prefs

// preferences reads ?lang=, ?theme= and ?digits=, which are remembered, else the cookies, else the browser's language.
func (s *Server) preferences(c echo.Context) prefs {
	if p, read := c.Get(prefsKey).(*prefs); read {
		return *p
	}
	p := s.readPreferences(c)
	c.Set(prefsKey, &p)
	return p
}

func (s *Server) readPreferences(c echo.Context) prefs {
	p := prefs{lang: s.preference(c, "lang"), theme: s.preference(c, "theme"), digits: s.preference(c, "digits")}
	if p.lang == "" {
		p.lang = s.languages.of(c.Request().Header.Get("Accept-Language"))
	}
	if p.theme == "" {
		p.theme = choices["theme"][0]
	}
	if p.digits == "" {
		p.digits = choices["digits"][0]
	}
	return p
}

// languages caches the language that each Accept-Language header asks for: there are few different headers, and parsing
// one takes long. It is safe for concurrent use.
type languages struct {
	mu sync.RWMutex
	by map[string]string
}

const (
	maxLanguages = 500 // headers that are remembered
	maxLanguage  = 100 // bytes of one
)

func (l *languages) of(header string) string {
	l.mu.RLock()
	lang, known := l.by[header]
	l.mu.RUnlock()
	if known {
		return lang
	}
	tags, _, err := language.ParseAcceptLanguage(header)
	lang = choices["lang"][0]
	if _, i, confidence := browserLanguages.Match(tags...); err == nil && confidence > language.No {
		lang = choices["lang"][i]
	}
	if len(header) > maxLanguage {
		return lang
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.by == nil || len(l.by) >= maxLanguages {
		l.by = map[string]string{}
	}
	l.by[header] = lang
	return lang
}

// preference returns one chosen value, or "" if none was chosen.
func (s *Server) preference(c echo.Context, name string) string {
	values, cookie := choices[name], choiceCookies[name]
	if c.Request().URL.RawQuery != "" {
		if v := c.QueryParam(name); slices.Contains(values, v) {
			s.setChoice(c, cookie, v)
			return v
		}
	}
	return s.choice(c, cookie, func(v string) bool { return slices.Contains(values, v) })
}
