package webtest

import (
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
)

// SignInUntilCode signs the viewer in up to the one-time code, and returns the cookie of that step.
func (s *Server) SignInUntilCode(next string) string {
	s.T.Helper()
	w := s.As("").Post("/login?next="+url.QueryEscape(next),
		url.Values{"login": {"viewer"}, "password": {Password}}.Encode())
	require.Equal(s.T, 303, w.Code)
	require.Equal(s.T, "/login/code", w.Header().Get("Location"))
	require.Nil(s.T, SetCookie(w, "sanad"), "the password alone is no login")
	step := SetCookie(w, "sanad-step")
	require.True(s.T, step.HttpOnly)
	require.Equal(s.T, 300, step.MaxAge)
	return "sanad-step=" + step.Value
}

func (s *Server) GiveCode(step, code string) *httptest.ResponseRecorder {
	s.T.Helper()
	return s.As("").Post("/login/code", url.Values{"code": {code}}.Encode(), "Cookie", step)
}

func (s *Server) CurrentCode(secret []byte) string {
	s.T.Helper()
	code, err := totp.GenerateCode(strings.ReplaceAll(auth.TOTPText(secret), " ", ""), s.Clock.Now())
	require.NoError(s.T, err)
	return code
}
