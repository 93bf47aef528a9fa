package web_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

// Where a request ends is never in doubt, so that none can be hidden in another one's body. After each head the same
// bytes follow: a chunked body and a second request.
func TestMessageBoundaries(t *testing.T) {
	app := httptest.NewServer(webtest.NewServer(t).Handler)
	t.Cleanup(app.Close)
	const rest = "0\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
	for name, c := range map[string]struct {
		headers string
		want    []int
	}{
		"chunked":                  {"Transfer-Encoding: chunked", []int{200, 404}},
		"chunked, and a length":    {fmt.Sprintf("Content-Length: %d\r\nTransfer-Encoding: chunked", len(rest)), []int{200, 404}},
		"a length":                 {fmt.Sprintf("Content-Length: %d", len("0\r\n\r\n")), []int{200, 404}},
		"two lengths":              {"Content-Length: 5\r\nContent-Length: 6", []int{400}},
		"a length with a sign":     {"Content-Length: +5", []int{400}},
		"another encoding":         {"Transfer-Encoding: xchunked", []int{501}},
		"two encodings":            {"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", []int{501}},
		"a space before the colon": {"Transfer-Encoding : chunked", []int{400}},
		"a folded header":          {"Transfer-Encoding:\r\n chunked", []int{200, 404}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, statuses(t, app, "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"+c.headers+"\r\n\r\n"+rest))
		})
	}
}

// statuses sends bytes and returns the statuses of all answers until the server closes the connection.
func statuses(t *testing.T, app *httptest.Server, sent string) (got []int) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(app.URL, "http://"))
	require.NoError(t, err)
	defer c.Close() //nolint:errcheck // the test is over
	require.NoError(t, c.SetDeadline(time.Now().Add(20*time.Second)))
	_, err = io.WriteString(c, sent)
	require.NoError(t, err)
	for r := bufio.NewReader(c); ; {
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			return got
		}
		_, err = io.Copy(io.Discard, res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		got = append(got, res.StatusCode)
	}
}
