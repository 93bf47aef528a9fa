package web_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

// Anybody can read whom to tell of a vulnerability, if the operator has said so (RFC 9116, rule SEC-20).
func TestSecurityText(t *testing.T) {
	const at = "/.well-known/security.txt"
	s := webtest.NewServer(t, func(o *web.Options) {
		o.SecurityContacts = []string{"https://sanad.example/report", "mailto:security@sanad.example"}
	}).As("")
	w := s.Do("GET", at, "")
	require.Equal(t, 200, w.Code)
	require.Equal(t, "text/plain; charset=UTF-8", w.Header().Get("Content-Type"))
	const want = "Contact: https://sanad.example/report\nContact: mailto:security@sanad.example\n" +
		"Expires: 2027-05-20T00:00:00Z\nPreferred-Languages: en, ar\n"
	require.Equal(t, want, w.Body.String())
	s.Clock.Move(14 * time.Hour)
	require.Equal(t, want, s.Do("GET", at, "").Body.String(), "the same all day")
	s.Clock.Move(24 * time.Hour)
	require.Contains(t, s.Do("GET", at, "").Body.String(), "Expires: 2027-05-21T00:00:00Z")

	require.Equal(t, 404, webtest.NewServer(t).As("").Do("GET", at, "").Code)
}
