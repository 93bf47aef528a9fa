package handlers_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/handlers"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

// BenchmarkLedger compares a ledger page of 50 claims with a static body of its size that the same server sends, and
// measures authentication. make bench prints the ratios.
func BenchmarkLedger(b *testing.B) {
	var body []byte
	static := web.Endpoint{Method: http.MethodGet, Path: "/bench/static", Action: access.Public,
		Handle: func(c echo.Context) error { return c.HTMLBlob(http.StatusOK, body) }}
	nothing := func(c echo.Context) error { return c.NoContent(http.StatusNoContent) }
	more := []web.Endpoint{static,
		{Method: http.MethodGet, Path: "/bench/nobody", Action: access.Public, Handle: nothing},
		{Method: http.MethodGet, Path: "/bench/somebody", Action: access.ReadLedger, Handle: nothing}}
	var o handlers.Options
	s := webtest.NewServerFor(b, func(made *handlers.Options) { o = *made })
	s.Handler = handlers.NewWith(o, more)
	path := "/sessions/" + s.Create(webtest.ManyClaims(50)).SessionID
	cookie := "sanad=" + s.Person("admin").Cookie
	page := s.Serve(webtest.Request("GET", path, "", "Cookie", cookie))
	require.Equal(b, 200, page.Code)
	body = page.Body.Bytes()
	for _, c := range []struct {
		name, path string
		headers    []string
	}{
		{name: "static", path: "/bench/static"},
		{name: "page", path: path},
		{name: "gzip/static", path: "/bench/static", headers: []string{"Accept-Encoding", "gzip"}},
		{name: "gzip/page", path: path, headers: []string{"Accept-Encoding", "gzip"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				s.Handler.ServeHTTP(w, webtest.Request("GET", c.path, "", append(c.headers, "Cookie", cookie)...))
				if w.Code != http.StatusOK {
					b.Fatal(w.Code)
				}
			}
		})
	}
	b.Run("authentication", func(b *testing.B) { authentication(b, s, cookie) })
}

// authentication reports the milliseconds that authenticating a request takes without its query: how much longer a
// request takes that needs a login than one that needs none, less the query.
func authentication(b *testing.B, s *webtest.Server, cookie string) {
	hash := db.HashToken(s.Person("admin").Cookie)
	var took [3]time.Duration
	ask := func(path string) func() {
		return func() {
			w := httptest.NewRecorder()
			s.Handler.ServeHTTP(w, webtest.Request("GET", path, "", "Cookie", cookie))
			if w.Code != http.StatusNoContent {
				b.Fatal(w.Code)
			}
		}
	}
	for b.Loop() {
		for i, do := range []func(){ask("/bench/somebody"), ask("/bench/nobody"), func() {
			if _, err := s.Store.SignedIn(context.Background(), hash); err != nil {
				b.Fatal(err)
			}
		}} {
			start := time.Now()
			do()
			took[i] += time.Since(start)
		}
	}
	each := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(b.N) / 1e6 }
	b.ReportMetric(each(took[0]-took[1]), "ms")
	b.ReportMetric(max(0.001, each(took[0]-took[1]-took[2])), "ms-without-query")
}
