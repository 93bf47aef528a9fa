package webtest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/domain/access"
)

// SignIn sends the login form without a login, with headers.
func (s *Server) SignIn(login, pass string, headers ...string) *httptest.ResponseRecorder {
	s.T.Helper()
	return s.As("").Post("/login", url.Values{"login": {login}, "password": {pass}}.Encode(), headers...)
}

// SetCookie returns the cookie of that name that an answer sets, nil if none.
func SetCookie(w *httptest.ResponseRecorder, name string) *http.Cookie {
	for _, c := range w.Result().Cookies() {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// From returns the same app with requests from another address.
func (s *Server) From(peer string) *Server {
	other, inner := *s, s.Handler
	other.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = peer
		inner.ServeHTTP(w, r)
	})
	return &other
}

// Authenticator sets up an authenticator app and recovery codes for the viewer.
func (s *Server) Authenticator() (secret []byte, codes []string) {
	s.T.Helper()
	p := s.Person("viewer")
	secret, codes = auth.NewTOTP(), auth.RecoveryCodes()
	sealed, err := s.Keys.Seal("totp/"+p.ID, secret)
	require.NoError(s.T, err)
	hashes := make([]string, len(codes))
	for i, c := range codes {
		hashes[i] = auth.HashRecovery(c)
	}
	by := access.Actor{Tenant: s.Tenant.ID, ID: p.ID, Role: access.Viewer, Human: true}
	require.NoError(s.T, s.Store.SetTOTP(context.Background(), by, p.ID, sealed, hashes))
	return secret, codes
}
