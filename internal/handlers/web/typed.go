package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

// TypedCookie keeps, sealed, what was typed into a form while the password is asked for again. An address would show
// names and e-mail addresses to histories, proxies and logs (rule SEC-5).
const TypedCookie = "sanad-typed"

const (
	typedLife  = 15 * time.Minute
	maxTyped   = 2600 // bytes of all values as JSON: a browser keeps 4 KiB of a cookie, and sealing adds a third
	maxOfField = 32   // values of one field
)

// keptFields are the fields of forms that require a recent password; none of them is
// for a secret, but an address may hold one, so the cookie is sealed. The longest come last,
// so that one that does not fit costs no other.
var keptFields = []string{"login", "name", "email", "role", "person", "days", "scope", "addresses", "kind", "model", "revision",
	"trust_supported", "trust_contradicted", "price_in", "price_out", "run_tokens", "run_cost", "day_tokens", "day_cost",
	"parallel", "timeout", "redact", "no_key", "url"}

// wholeFields are kept whole or not at all: the beginning of an address is another one.
var wholeFields = map[string]bool{"url": true, "model": true}

// secretField holds what is never kept, but that it was typed is.
const secretField = "key"

// typed is the content of TypedCookie. It fills in the form of that page only, for that person only.
type typed struct {
	Page, Person string
	Values       url.Values
	Secret       bool // a secret was typed
	Left         bool // some of it did not fit
}

// TypedForm is what a person had typed into a form before the password was asked for again.
type TypedForm struct {
	url.Values
	Secret bool // a secret was typed as well, which is not kept
	Left   bool // some of it was too long to be kept
}

// keepTyped keeps what was typed into a form of the page that its address leads back to: being asked for the password
// must not cost the typed text.
func (s *Server) keepTyped(c echo.Context, page string) error {
	page, _, _ = strings.Cut(page, "?") // a form is sent from an address with ?done= too
	if c.Request().Method != http.MethodPost || c.Request().URL.Path != page || ParseForm(c, MaxSmallForm) != nil {
		return nil //nolint:nilerr // a form that is too large is not kept
	}
	sent := c.Request().PostForm
	t := typed{Page: page, Person: s.Who(c).ID, Values: url.Values{}, Secret: sent.Get(secretField) != ""}
	for _, name := range keptFields {
		for _, v := range sent[name] {
			if v == "" {
				continue
			}
			kept, whole := t.Values[name], wholeFields[name]
			if !whole {
				v = FirstRunes(v, MaxLoginName)
			}
			t.Values.Add(name, v)
			if all, err := json.Marshal(t.Values); err != nil || len(all) > maxTyped || len(kept) == maxOfField {
				t.Values[name], t.Left = kept, true
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

// Typed returns, once, what the person had typed into the form of the page that is asked for; no values if nothing.
func (s *Server) Typed(c echo.Context) TypedForm {
	var t typed
	if s.Cookie(c, TypedCookie) == "" {
		return TypedForm{}
	}
	s.ClearCookie(c, TypedCookie)
	if !s.OpenCookie(c, TypedCookie, &t) || t.Page != c.Request().URL.Path || t.Person != s.Who(c).ID {
		return TypedForm{}
	}
	return TypedForm{Values: t.Values, Secret: t.Secret, Left: t.Left}
}
