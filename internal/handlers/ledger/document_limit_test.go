package ledger_test

import (
	"bytes"
	"mime/multipart"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
	"sanad/internal/thorough"
)

// The operator sets the largest size of a document (rule SEC-9); the forms state the limit and enforce it at once, also
// for what a job reads.
func TestLargestDocument(t *testing.T) {
	s := webtest.NewServer(t, func(o *web.Options) { o.Import.DocumentBytes = 3 << 20 })
	require.Contains(t, s.Do("GET", "/sessions/new", "").Body.String(), "up to 3 MiB each")
	require.Contains(t, webtest.NewServer(t).Do("GET", "/sessions/new", "").Body.String(), "up to 10 MiB each")
	more := "/sessions/" + s.Create(webtest.LeavePolicy).SessionID + "/documents"
	for size, want := range map[int]int{thorough.Times(64<<10, 2<<20): 303, 3<<20 + 1: 413, 6 << 20: 413} {
		var body bytes.Buffer
		m := multipart.NewWriter(&body)
		require.NoError(t, m.WriteField("answer", "Leave is 15 days."))
		file, err := m.CreateFormFile("documents", "a.txt")
		require.NoError(t, err)
		_, err = file.Write([]byte(strings.Repeat("Leave is 15 days. \n", size/19+1)[:size]))
		require.NoError(t, err)
		require.NoError(t, m.Close())
		for _, path := range []string{"/sessions", more} {
			res := s.Do("POST", path, body.String(), "Content-Type", m.FormDataContentType())
			require.Equal(t, want, res.Code, "%s: %d bytes: %.300s", path, size, res.Body.String())
		}
	}
}
