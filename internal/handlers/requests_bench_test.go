package handlers_test

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/handlers"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

// BenchmarkRequests has wrk request, over 64 HTTP connections, a ledger page of 50 claims and a static body of its
// size from the same server. make bench installs wrk and prints the ratio of requests in a second.
func BenchmarkRequests(b *testing.B) {
	wrk, err := exec.LookPath("wrk")
	if err != nil {
		b.Fatal("needs wrk: make bench installs it, or apt-get install wrk")
	}
	var body []byte
	static := []web.Endpoint{{Method: http.MethodGet, Path: "/bench/static", Action: access.Public,
		Handle: func(c echo.Context) error { return c.HTMLBlob(http.StatusOK, body) }}}
	var o handlers.Options
	s := webtest.NewServerFor(b, func(made *handlers.Options) { o = *made })
	s.Handler = handlers.NewWith(o, static)
	path := "/sessions/" + s.Create(webtest.ManyClaims(50)).SessionID
	cookie := "sanad=" + s.Person("admin").Cookie
	page := s.Serve(webtest.Request("GET", path, "", "Cookie", cookie))
	require.Equal(b, 200, page.Code)
	body = page.Body.Bytes()
	for _, c := range []struct{ name, path string }{{"static", "/bench/static"}, {"page", path}} {
		b.Run(c.name, func(b *testing.B) {
			server := httptest.NewServer(s.Handler)
			defer server.Close()
			for b.Loop() {
				out, err := exec.Command(wrk, "-t2", "-c64", "-d4s", "-H", "Cookie: "+cookie, server.URL+c.path).CombinedOutput()
				require.NoError(b, err, string(out))
				require.NotContains(b, string(out), "Non-2xx")
				m := regexp.MustCompile(`Requests/sec:\s+([0-9.]+)`).FindSubmatch(out)
				require.NotNil(b, m, string(out))
				rate, err := strconv.ParseFloat(string(m[1]), 64)
				require.NoError(b, err)
				b.ReportMetric(rate, "requests/s")
			}
		})
	}
}
