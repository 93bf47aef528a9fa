package web_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

func TestGuards(t *testing.T) {
	s := webtest.NewServer(t)
	w := s.Do("GET", "/", "")
	require.Equal(t, 200, w.Code)
	for header, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp",
		"Cross-Origin-Resource-Policy": "same-origin",
	} {
		require.Equal(t, want, w.Header().Get(header), header)
	}
	for _, directive := range []string{"default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"} {
		require.Contains(t, w.Header().Get("Content-Security-Policy"), directive)
	}
	require.NotContains(t, w.Header().Get("Content-Security-Policy"), "unsafe")
	require.NotEmpty(t, w.Header().Get("X-Request-Id"))
	require.NotContains(t, w.Body.String(), " style=")
	require.NotRegexp(t, `<script[^>]*>[^<]`, w.Body.String(), "no inline script")

	c := s.Create(webtest.LeavePolicy)
	ledger := s.Do("GET", "/sessions/"+c.SessionID, "")
	require.Equal(t, "no-store", ledger.Header().Get("Cache-Control"), "no page is kept beyond its login (rule WEB-19)")
	require.Empty(t, ledger.Header().Get("ETag"))
	form := "action=comment&reason=x&seen=0"
	cross := s.Do("POST", "/sessions/"+c.SessionID+"/claims/1/reviews", form, "Content-Type",
		"application/x-www-form-urlencoded", "Sec-Fetch-Site", "cross-site")
	require.Equal(t, 403, cross.Code)
	require.Equal(t, 403, s.Do("POST", "/api/v1/sessions", webtest.LeavePolicy, "Origin", "https://elsewhere.example").Code)

	r := httptest.NewRequest("GET", "http://rebound.example/", nil)
	rec := httptest.NewRecorder()
	s.Handler.ServeHTTP(rec, r)
	require.Equal(t, http.StatusMisdirectedRequest, rec.Code)

	for _, path := range []string{"/", "/api/v1/sessions", "/api/v1/openapi.json", "/static/app.js"} {
		for _, method := range []string{"GET", "OPTIONS"} {
			w := s.Do(method, path, "", "Origin", "https://elsewhere.example", "Access-Control-Request-Method", "POST")
			require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"), "no other origin may read %s", path)
		}
	}
}

func TestMethods(t *testing.T) {
	s := webtest.NewServer(t)
	require.Equal(t, 200, s.Do("HEAD", "/healthz", "").Code)
	require.Equal(t, 200, s.Do("HEAD", "/sessions", "").Code)
	require.Equal(t, 200, s.Do("HEAD", "/api/v1/sessions", "").Code)
	require.Equal(t, 405, s.Do("DELETE", "/sessions", "").Code)
	for _, path := range []string{"/sessions", "/healthz", "/api/v1/sessions"} {
		w := s.Do("TRACE", path, "", "X-Secret", "open sesame")
		require.Equal(t, 405, w.Code, path)
		require.NotContains(t, w.Body.String(), "sesame")
	}
	require.NotEmpty(t, webtest.Get[webtest.Problem](t, s.Do("DELETE", "/api/v1/sessions", ""), 405).Detail)
	require.NotEmpty(t, webtest.Get[webtest.Problem](t, s.Do("GET", "/api/v1/nowhere", ""), 404).Detail)
	require.Equal(t, "gzip", s.Do("GET", "/sessions/new", "", "Accept-Encoding",
		"gzip").Header().Get("Content-Encoding"))
}

func TestLogContainsNoToken(t *testing.T) {
	var log bytes.Buffer
	s := webtest.NewServer(t, func(o *web.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	c := s.Create(webtest.LeavePolicy)
	e := webtest.Get[map[string]string](t,
		s.Do("POST", "/api/v1/sessions/"+c.SessionID+"/ledger/export", `{"format":"json"}`), 200)
	require.Equal(t, 200, s.Do("GET", e["download_url"], "").Code)
	require.Contains(t, log.String(), "path=/downloads/:token")
	require.NotContains(t, log.String(), strings.TrimPrefix(e["download_url"], "/downloads/"))
}

// Paths that are longer than any of ours are refused before anything looks at them, to a person and to a program, and
// the answer does not repeat them (rule SEC-17).
func TestLongPaths(t *testing.T) {
	s := webtest.NewServer(t)
	const most = 2 << 10
	for name, c := range map[string]struct {
		path string
		want int
	}{
		"2 KiB":                  {"/" + strings.Repeat("a", most-1), 404},
		"a byte more":            {"/" + strings.Repeat("a", most), 414},
		"escaped":                {"/" + strings.Repeat("%61", most/3+1), 414},
		"of the API":             {"/api/v1/" + strings.Repeat("a", most), 414},
		"12,000 segments":        {"/" + strings.Repeat("a/", 12_000), 414},
		"20 segments":            {"/" + strings.Repeat("a/", 19) + "a", 404},
		"21 segments":            {"/sessions/" + strings.Repeat("a/", 19) + "a", 404},
		"21 segments of the API": {"/api/v1/" + strings.Repeat("a/", 19) + "a", 404},
	} {
		t.Run(name, func(t *testing.T) {
			for _, method := range []string{"GET", "HEAD", "POST", "DELETE"} {
				for _, who := range []string{"", "viewer"} {
					w := s.As(who).Do(method, c.path, "")
					require.Equal(t, c.want, w.Code, method)
					if c.want == 414 {
						require.Less(t, w.Body.Len(), 16<<10)
						require.NotContains(t, w.Body.String(), strings.Repeat("a", 100))
					}
				}
			}
		})
	}
	problem := webtest.Get[webtest.Problem](t, s.Do("GET", "/api/v1/"+strings.Repeat("a", most), ""), 414)
	require.Contains(t, problem.Detail, "2 KiB")
	problem = webtest.Get[webtest.Problem](t, s.Do("GET", "/api/v1/"+strings.Repeat("a/", 20), ""), 404)
	require.Contains(t, problem.Detail, "20 segments")
	require.Contains(t, s.Do("GET", "/"+strings.Repeat("a", most), "", "Accept-Language", "ar").Body.String(),
		"هذا العنوان أطول من المسموح")
}

// The log names a request's route; of an unknown path it has a bounded, escaped beginning (rule SEC-19).
func TestLogNamesTheRoute(t *testing.T) {
	for name, c := range map[string]struct{ method, path, want string }{
		"route":               {"GET", "/sessions/secret-of-mine", "/sessions/:id"},
		"route of the API":    {"GET", "/api/v1/sessions/secret-of-mine", "/api/v1/sessions/:id"},
		"root":                {"GET", "/", "/"},
		"unknown":             {"GET", "/nowhere", "/nowhere"},
		"secret further down": {"GET", "/download/secret-of-mine", "/download/…"},
		"long":                {"GET", "/" + strings.Repeat("a", 1000), "/" + strings.Repeat("a", 24) + "…"},
		"too long":            {"GET", "/" + strings.Repeat("a", 4000), "/" + strings.Repeat("a", 24) + "…"},
		"line break":          {"GET", "/x%0a%22secret-of-mine", "/x%0a%22secret-of-mine"},
		"other script":        {"GET", "/%D8%A3", "/%D8%A3"},
		"no segment":          {"GET", "//evil", "//…"},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			s := webtest.NewServer(t, func(o *web.Options) { o.Log = slog.New(slog.NewJSONHandler(&log, nil)) })
			s.Do(c.method, c.path, "")
			var line struct{ Path string }
			require.NoError(t, json.Unmarshal(log.Bytes(), &line), log.String())
			require.Equal(t, c.want, line.Path)
			require.Less(t, log.Len(), 400)
		})
	}
}
