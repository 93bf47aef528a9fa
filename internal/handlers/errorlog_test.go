package handlers_test

import (
	"bytes"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/handlers"
	"sanad/internal/handlers/webtest"
)

// The cause of an unexpected error is logged with the request id that the page shows, and the page does not have it
// (rule SEC-12).
func TestUnexpectedErrorsAreLogged(t *testing.T) {
	var log bytes.Buffer
	s := webtest.NewServer(t, func(o *handlers.Options) { o.Log = slog.New(slog.NewJSONHandler(&log, nil)) })
	s.Person("viewer")
	raw := dbtest.Raw(t, s.Dir)
	_, err := raw.Exec("ALTER TABLE users RENAME TO lost")
	require.NoError(t, err)
	require.NoError(t, raw.Close())
	for _, ask := range []func() *httptest.ResponseRecorder{
		func() *httptest.ResponseRecorder { return s.As("viewer").Do("GET", "/sessions", "") },
		func() *httptest.ResponseRecorder { return s.As("viewer").Do("GET", "/api/v1/sessions", "") },
		func() *httptest.ResponseRecorder { return s.As("viewer").Post("/logout", "") },
		func() *httptest.ResponseRecorder { return s.SignIn("viewer", "wrong") },
	} {
		log.Reset()
		w := ask()
		require.Equal(t, 500, w.Code, "neither a wrong password nor a missing login")
		id := w.Header().Get("X-Request-Id")
		require.Contains(t, w.Body.String(), id[:13], "pages show its beginning")
		cause, found := "no such table", false
		if dbtest.OnPostgres() {
			cause = "does not exist"
		}
		require.NotContains(t, w.Body.String(), cause)
		for _, line := range strings.Split(log.String(), "\n") {
			found = found || strings.Contains(line, cause) && strings.Contains(line, id)
		}
		require.True(t, found, log.String())
	}
}
