package handlers_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers"
)

func TestGuards(t *testing.T) {
	s := newServer(t)
	w := s.do("GET", "/", "")
	require.Equal(t, 200, w.Code)
	for header, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp",
	} {
		require.Equal(t, want, w.Header().Get(header), header)
	}
	require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'")
	require.NotContains(t, w.Header().Get("Content-Security-Policy"), "unsafe")
	require.NotEmpty(t, w.Header().Get("X-Request-Id"))
	require.NotContains(t, w.Body.String(), " style=")
	require.NotRegexp(t, `<script[^>]*>[^<]`, w.Body.String(), "no inline script")

	c := s.create(leave)
	form := "action=comment&reason=x&seen=0"
	cross := s.do("POST", "/sessions/"+c.SessionID+"/claims/1/reviews", form, "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "cross-site")
	require.Equal(t, 403, cross.Code)
	require.Equal(t, 403, s.do("POST", "/api/v1/sessions", leave, "Origin", "https://elsewhere.example").Code)

	r := httptest.NewRequest("GET", "http://rebound.example/", nil)
	rec := httptest.NewRecorder()
	s.handler.ServeHTTP(rec, r)
	require.Equal(t, http.StatusMisdirectedRequest, rec.Code)
}

func TestMethods(t *testing.T) {
	s := newServer(t)
	require.Equal(t, 200, s.do("HEAD", "/healthz", "").Code)
	require.Equal(t, 200, s.do("HEAD", "/sessions", "").Code)
	require.Equal(t, 200, s.do("HEAD", "/api/v1/sessions", "").Code)
	require.Equal(t, 405, s.do("DELETE", "/sessions", "").Code)
	require.NotEmpty(t, get[problem](t, s.do("DELETE", "/api/v1/sessions", ""), 405).Detail)
	require.NotEmpty(t, get[problem](t, s.do("GET", "/api/v1/nowhere", ""), 404).Detail)
	require.Equal(t, "gzip", s.do("GET", "/sessions/new", "", "Accept-Encoding", "gzip").Header().Get("Content-Encoding"))
}

func TestLogHoldsNoToken(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, func(o *handlers.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	c := s.create(leave)
	e := get[map[string]string](t, s.do("POST", "/api/v1/sessions/"+c.SessionID+"/ledger/export", `{"format":"json"}`), 200)
	require.Equal(t, 200, s.do("GET", e["download_url"], "").Code)
	require.Contains(t, log.String(), "path=/downloads/…")
	require.NotContains(t, log.String(), strings.TrimPrefix(e["download_url"], "/downloads/"))
}
