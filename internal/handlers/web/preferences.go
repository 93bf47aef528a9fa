package web

import (
	"slices"

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
		tags, _, err := language.ParseAcceptLanguage(c.Request().Header.Get("Accept-Language"))
		p.lang = choices["lang"][0]
		if _, i, confidence := browserLanguages.Match(tags...); err == nil && confidence > language.No {
			p.lang = choices["lang"][i]
		}
	}
	if p.theme == "" {
		p.theme = choices["theme"][0]
	}
	if p.digits == "" {
		p.digits = choices["digits"][0]
	}
	return p
}

// preference returns one chosen value, or "" if none was chosen.
func (s *Server) preference(c echo.Context, name string) string {
	if v := c.QueryParam(name); slices.Contains(choices[name], v) {
		s.SetChoice(c, "sanad_"+name, v)
		return v
	}
	if v := s.Cookie(c, "sanad_"+name); slices.Contains(choices[name], v) {
		return v
	}
	return ""
}
