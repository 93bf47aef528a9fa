package interop

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	//go:embed observatory/package.json
	observatoryPackage []byte
	//go:embed observatory/scan.mjs
	observatoryScript []byte
)

type scored struct {
	At, Grade      string
	Status, Score  int
	Verified       bool
	Failed, Passed []string
}

// TestHTTPObservatory checks that the MDN HTTP Observatory scores the pages of the real binary over TLS, signed in and
// not, with at least 100, which is A+ (rule SEC-7).
func TestHTTPObservatory(t *testing.T) {
	Need(t, "go", "node", "npm")
	dir := installNPM(t, "observatory",
		map[string][]byte{"package.json": observatoryPackage, "scan.mjs": observatoryScript})
	cert, key, trust := NewCertificate(t, t.TempDir(), 1)
	t.Setenv("NODE_EXTRA_CA_CERTS", cert)

	w := buildWeb(t)
	const password = "a long password of a test"
	w.does(password+"\n", "user", "add", "khalid", "--role", "admin", "--password-stdin")
	line := w.serve("--tls-cert", cert, "--tls-key", key)
	at, err := url.Parse(line[strings.LastIndex(line, " ")+1:])
	require.NoError(t, err)
	cookie := signedIn(t, at.String(), trust, "khalid", password)

	type page struct {
		Path   string `json:"path"`
		Cookie string `json:"cookie,omitempty"`
	}
	pages := []page{{"/", ""}, {"/login?lang=ar&theme=dark", ""}} // the second one sets cookies
	ends := []string{"/login", "/login"}
	for _, path := range []string{"/", "/sessions", "/sessions/new", "/account", "/admin/users", "/admin/keys",
		"/audit"} {
		pages, ends = append(pages, page{path, cookie}), append(ends, path)
	}
	answer := runNode(t, filepath.Join(dir, "scan.mjs"),
		map[string]any{"host": "localhost", "httpsPort": at.Port(), "pages": pages})
	var got []scored
	require.NoError(t, json.Unmarshal([]byte(answer), &got), answer)
	require.Len(t, got, len(pages))
	for i, s := range got {
		t.Logf("%s %d %s: %d; %s", s.At, s.Status, s.Grade, s.Score, strings.Join(s.Passed, " "))
		require.Equal(t, ends[i], s.At)
		require.Equal(t, http.StatusOK, s.Status, s.At)
		require.True(t, s.Verified, "%s: the certificate is trusted", s.At)
		require.Empty(t, s.Failed, s.At)
		require.GreaterOrEqual(t, s.Score, 100, s.At)
		require.Equal(t, "A+", s.Grade, s.At)
	}
}
