package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"
)

// TypedCookie keeps, sealed, what was typed into a form while the password is asked for again. An address would show
// names and e-mail addresses to histories, proxies and logs (rule SEC-5).
const TypedCookie = "sanad-typed"

const (
	typedLife  = 15 * time.Minute
	maxTyped   = 2 << 10 // bytes of all values as JSON: a browser keeps 4 KiB of a cookie, and sealing adds a third
	maxOfField = 10      // values of one field
)

// keptFields are the fields of forms that require a recent password; none of them holds a secret.
var keptFields = []string{"login", "name", "email", "role", "person", "days", "scope", "addresses"}

// typed is the content of TypedCookie. It fills in the form of that page only, for that person only.
type typed struct {
	Page, Person string
	Values       url.Values
}

// keepTyped keeps what was typed into a form of the page that its address leads back to: being asked for the password
// must not cost the typed text.
func (s *Server) keepTyped(c echo.Context, page string) error {
	if c.Request().Method != http.MethodPost || c.Request().URL.Path != page || SmallForm(c) != nil {
		return nil //nolint:nilerr // a form that is too large is not kept
	}
	t := typed{Page: page, Person: s.Who(c).ID, Values: url.Values{}}
	for _, name := range keptFields {
		for _, v := range c.Request().PostForm[name] {
			if v == "" || len(t.Values[name]) == maxOfField {
				continue
			}
			kept := t.Values[name]
			t.Values.Add(name, FirstRunes(v, MaxLoginName))
			if all, err := json.Marshal(t.Values); err != nil || len(all) > maxTyped {
				t.Values[name] = kept
			}
		}
		if len(t.Values[name]) == 0 {
			delete(t.Values, name)
		}
	}
	if len(t.Values) == 0 {
		return nil
	}
	return s.SealCookie(c, TypedCookie, t, typedLife)
}

// Typed returns, once, what the person had typed into the form of the page that is asked for; empty values if nothing.
func (s *Server) Typed(c echo.Context) url.Values {
	var t typed
	if s.Cookie(c, TypedCookie) == "" {
		return url.Values{}
	}
	s.ClearCookie(c, TypedCookie)
	if !s.OpenCookie(c, TypedCookie, &t) || t.Page != c.Request().URL.Path || t.Person != s.Who(c).ID {
		return url.Values{}
	}
	return t.Values
}
