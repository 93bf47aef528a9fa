package web

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// The cookies that say who a browser is. All are HttpOnly, SameSite=Lax and of the whole site.
const (
	LoginCookie = "sanad"      // a login's token; ends with the browser
	StepCookie  = "sanad-step" // sealed: the password was right, the one-time code is to come
	FlowCookie  = "sanad-oidc" // sealed: what a login at the provider must bring back
)

// cookieName is a cookie's name on this connection. Under TLS it is prefixed: a browser takes a __Host- cookie over TLS
// only, from this very host only, so that neither a sibling host nor somebody on the wire can plant a login. Without
// TLS browsers refuse that name, and the plain one is all there is; it is never read where TLS is known.
func (s *Server) cookieName(c echo.Context, name string) string {
	if s.IsSecure(c.Request()) {
		return "__Host-" + name
	}
	return name
}

// Cookie reads one of our cookies; "" for none.
func (s *Server) Cookie(c echo.Context, name string) string {
	ck, err := c.Cookie(s.cookieName(c, name))
	if err != nil {
		return ""
	}
	return ck.Value
}

// SetCookie sets one of our cookies; a life of 0 lasts as long as the browser, a negative one takes it away.
func (s *Server) SetCookie(c echo.Context, name, value string, life time.Duration) {
	ck := &http.Cookie{ //nolint:gosec // Secure where browsers come by TLS
		Name: s.cookieName(c, name), Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: s.IsSecure(c.Request()), MaxAge: int(life / time.Second),
	}
	c.SetCookie(ck)
}

func (s *Server) ClearCookie(c echo.Context, name string) { s.SetCookie(c, name, "", -time.Second) }

// sealed is what a sealed cookie holds: it ends by itself, whatever the browser keeps.
type sealed struct {
	Until time.Time
	Value json.RawMessage
}

// SealCookie gives the browser something to keep that it can neither read nor change.
func (s *Server) SealCookie(c echo.Context, name string, v any, life time.Duration) error {
	value, err := json.Marshal(v)
	if err != nil {
		return err
	}
	data, err := json.Marshal(sealed{s.Now().Add(life), value})
	if err != nil {
		return err
	}
	box, err := s.Keys.Seal("cookie/"+name, data)
	if err != nil {
		return err
	}
	s.SetCookie(c, name, base64.RawURLEncoding.EncodeToString(box), life)
	return nil
}

// OpenCookie reads what SealCookie gave; false where there is none, or it has ended or was changed.
func (s *Server) OpenCookie(c echo.Context, name string, v any) bool {
	box, err := base64.RawURLEncoding.DecodeString(s.Cookie(c, name))
	if err != nil || len(box) == 0 {
		return false
	}
	data, err := s.Keys.Open("cookie/"+name, box)
	if err != nil {
		return false
	}
	var in sealed
	return json.Unmarshal(data, &in) == nil && s.Now().Before(in.Until) && json.Unmarshal(in.Value, v) == nil
}
