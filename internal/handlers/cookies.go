package handlers

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// The cookies that say who a browser is. All are HttpOnly, SameSite=Lax and of the whole site.
const (
	loginCookie = "sanad"      // a login's token; ends with the browser
	stepCookie  = "sanad-step" // sealed: the password was right, the one-time code is to come
	flowCookie  = "sanad-oidc" // sealed: what a login at the provider must bring back
)

// cookieName is a cookie's name on this connection. Under TLS it is prefixed: a browser takes a __Host- cookie over TLS
// only, from this very host only, so that neither a sibling host nor somebody on the wire can plant a login. Without
// TLS browsers refuse that name, and the plain one is all there is; it is never read where TLS is known.
func (s *Server) cookieName(c echo.Context, name string) string {
	if s.isSecure(c.Request()) {
		return "__Host-" + name
	}
	return name
}

// cookie reads one of our cookies; "" for none.
func (s *Server) cookie(c echo.Context, name string) string {
	ck, err := c.Cookie(s.cookieName(c, name))
	if err != nil {
		return ""
	}
	return ck.Value
}

// setCookie sets one of our cookies; a life of 0 lasts as long as the browser, a negative one takes it away.
func (s *Server) setCookie(c echo.Context, name, value string, life time.Duration) {
	ck := &http.Cookie{ //nolint:gosec // Secure where browsers come by TLS
		Name: s.cookieName(c, name), Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: s.isSecure(c.Request()), MaxAge: int(life / time.Second),
	}
	c.SetCookie(ck)
}

func (s *Server) clearCookie(c echo.Context, name string) { s.setCookie(c, name, "", -time.Second) }

// sealed is what a sealed cookie holds: it ends by itself, whatever the browser keeps.
type sealed struct {
	Until time.Time
	Value json.RawMessage
}

// sealCookie gives the browser something to keep that it can neither read nor change.
func (s *Server) sealCookie(c echo.Context, name string, v any, life time.Duration) error {
	value, err := json.Marshal(v)
	if err != nil {
		return err
	}
	data, err := json.Marshal(sealed{s.now().Add(life), value})
	if err != nil {
		return err
	}
	box, err := s.keys.Seal("cookie/"+name, data)
	if err != nil {
		return err
	}
	s.setCookie(c, name, base64.RawURLEncoding.EncodeToString(box), life)
	return nil
}

// openCookie reads what sealCookie gave; false where there is none, or it has ended or was changed.
func (s *Server) openCookie(c echo.Context, name string, v any) bool {
	box, err := base64.RawURLEncoding.DecodeString(s.cookie(c, name))
	if err != nil || len(box) == 0 {
		return false
	}
	data, err := s.keys.Open("cookie/"+name, box)
	if err != nil {
		return false
	}
	var in sealed
	return json.Unmarshal(data, &in) == nil && s.now().Before(in.Until) && json.Unmarshal(in.Value, v) == nil
}
