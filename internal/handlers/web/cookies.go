package web

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// The cookies of a browser that the server reads. All are HttpOnly, SameSite=Lax and have the path "/".
const (
	LoginCookie = "sanad"      // a login's token; ends with the browser
	StepCookie  = "sanad-step" // sealed: the password was right, the one-time code is to come
	FlowCookie  = "sanad-oidc" // sealed: what a login at the provider must bring back
)

// cookieName is a cookie's name on this connection. Under TLS it gets the prefix __Host-: browsers accept such a cookie
// over TLS only and from this very host only, so that neither a sibling host nor an attacker on the network can plant a
// login. Without TLS browsers refuse the prefix, so the plain name is used; it is never read where TLS is known.
func (s *Server) cookieName(c echo.Context, name string) string {
	if s.IsSecure(c.Request()) {
		return "__Host-" + name
	}
	return name
}

// Cookie returns one of our cookies, "" if none.
func (s *Server) Cookie(c echo.Context, name string) string {
	ck, err := c.Cookie(s.cookieName(c, name))
	if err != nil {
		return ""
	}
	return ck.Value
}

// SetCookie sets one of our cookies. A life of 0 lasts until the browser closes; a negative one deletes the cookie.
func (s *Server) SetCookie(c echo.Context, name, value string, life time.Duration) {
	ck := &http.Cookie{ //nolint:gosec // Secure where browsers come by TLS
		Name: s.cookieName(c, name), Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: s.IsSecure(c.Request()), MaxAge: int(life / time.Second),
	}
	c.SetCookie(ck)
}

func (s *Server) ClearCookie(c echo.Context, name string) { s.SetCookie(c, name, "", -time.Second) }

// choiceLife is how long a browser keeps what somebody chose for it: language, theme, digits, the guide's steps.
const choiceLife = 365 * 24 * time.Hour

// SetChoice remembers what somebody chose for this browser; "" forgets it.
func (s *Server) SetChoice(c echo.Context, name, value string) {
	if value == "" {
		s.ClearCookie(c, name)
		return
	}
	s.SetCookie(c, name, value, choiceLife)
}

// sealed is the content of a sealed cookie. It expires by its own time, however long the browser keeps it.
type sealed struct {
	Until time.Time
	Value json.RawMessage
}

// SealCookie stores a value in the browser that it can neither read nor change.
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

// OpenCookie reads a cookie that SealCookie wrote. It returns false if the request has no such cookie, or if it
// has expired or was changed.
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
