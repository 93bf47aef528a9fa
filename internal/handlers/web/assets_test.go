package web_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
	"sanad/static"
)

// TestAssetsOfAnotherVersion asks for the style sheet of a page that a program of another version has shown: it comes,
// and no cache keeps it under that address (rule DB-13).
func TestAssetsOfAnotherVersion(t *testing.T) {
	s := webtest.NewServer(t)
	const year = "public, max-age=31536000, immutable"
	other := regexp.MustCompile(`[0-9a-f]{12}$`).ReplaceAllString(static.URL("base.css"), "0123456789ab")
	require.NotEqual(t, static.URL("base.css"), other)
	own := s.Do("GET", static.URL("base.css"), "")
	for path, want := range map[string]struct {
		status int
		cache  string
	}{
		static.URL("base.css"):                {http.StatusOK, year},
		other:                                 {http.StatusOK, "no-store"},
		"/static/base.css":                    {http.StatusOK, "no-store"},
		"/static/later.css?v=0123456789ab":    {http.StatusNotFound, "no-store"},
		"/static/later.css?v=":                {http.StatusNotFound, "no-store"},
		"/fonts/ibm-plex-sans-later.woff2":    {http.StatusNotFound, "no-store"},
		"/static/static.go?v=0123456789ab":    {http.StatusNotFound, "no-store"},
		static.URL("app.js") + "&v=" + "0000": {http.StatusOK, year},
	} {
		res := s.Do("GET", path, "")
		require.Equal(t, want.status, res.Code, path)
		require.Equal(t, want.cache, res.Header().Get("Cache-Control"), path)
	}
	require.Equal(t, own.Body.String(), s.Do("GET", other, "").Body.String(), "the page has its styles")
	require.Equal(t, "text/css; charset=utf-8", s.Do("GET", other, "").Header().Get("Content-Type"))
}

// TestFilesAreCompressed asks for embedded files as browsers do: each is what it is without compression, and says that
// it depends on what is accepted; fonts and small files are sent as they are.
func TestFilesAreCompressed(t *testing.T) {
	s := webtest.NewServer(t)
	for _, path := range []string{static.URL("app.js"), static.URL("pages.css"), static.URL("icon.svg"),
		"/fonts/ibm-plex-mono-latin-400.woff2"} {
		plain := s.Do("GET", path, "")
		require.Equal(t, http.StatusOK, plain.Code, path)
		require.Empty(t, plain.Header().Get("Content-Encoding"), path)
		for range 2 {
			packed := s.Do("GET", path, "", "Accept-Encoding", "gzip")
			require.Equal(t, plain.Header().Get("Content-Type"), packed.Header().Get("Content-Type"))
			if !strings.HasSuffix(path, ".woff2") && plain.Body.Len() >= 1024 {
				require.Equal(t, "gzip", packed.Header().Get("Content-Encoding"), path)
				require.Equal(t, "Accept-Encoding", packed.Header().Get("Vary"), path)
				require.Less(t, packed.Body.Len(), plain.Body.Len()/2, path)
				r, err := gzip.NewReader(packed.Body)
				require.NoError(t, err)
				data, err := io.ReadAll(r)
				require.NoError(t, err)
				require.Equal(t, plain.Body.String(), string(data), path)
			} else {
				require.Empty(t, packed.Header().Get("Content-Encoding"), path)
				require.Equal(t, plain.Body.String(), packed.Body.String(), path)
			}
		}
	}
}

// TestReadyWhileStopping has a server that is about to stop say so to whoever spreads requests, and answer all the
// same.
func TestReadyWhileStopping(t *testing.T) {
	stopping := make(chan struct{})
	s := webtest.NewServer(t, func(o *web.Options) { o.Stopping = stopping })
	require.Equal(t, http.StatusOK, s.Do("GET", "/readyz", "").Code)
	close(stopping)
	res := s.Do("GET", "/readyz", "")
	require.Equal(t, http.StatusServiceUnavailable, res.Code)
	require.Equal(t, "not ready: this server is about to stop\n", res.Body.String())
	require.Equal(t, http.StatusOK, s.Do("GET", "/", "").Code)
	require.Equal(t, http.StatusOK, s.Do("GET", "/healthz", "").Code)
}
