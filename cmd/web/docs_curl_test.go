package main

import (
	"html"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
)

// TestSamplesOfTheAPIRun runs samples of the pages /docs/api as they stand there: import, review and export one after
// the other, then each call that only reads and needs nothing but a session.
func TestSamplesOfTheAPIRun(t *testing.T) {
	for _, tool := range []string{"bash", "curl", "jq"} {
		_, err := exec.LookPath(tool)
		require.NoError(t, err, "the samples need %s", tool)
	}
	d := desk{t, dbtest.Dir(t)}
	env := os.Environ()
	d.does("correct horse battery\n", "user", "add", "--email", "a@example.org", "--role", "admin", "--password-stdin")
	token := strings.TrimSpace(d.does("", "token", "add", "--name", "t", "--role", "admin", "--user", "a@example.org"))
	s := serveWith(t, nil, "--data", d.dir)
	env = append(env, "SANAD="+s.url, "SANAD_TOKEN="+token, "OUT="+filepath.Join(t.TempDir(), "ledger.pdf"))
	samples := map[string]string{}
	for _, chapter := range regexp.MustCompile(`href="(/docs/api/[a-z]+)"`).FindAllStringSubmatch(fetched(t, s.url+"/docs/api"), -1) {
		for _, m := range regexp.MustCompile(`(?s)<pre[^>]* id="([^"]+)-curl"[^>]*>(.*?)</pre>`).
			FindAllStringSubmatch(fetched(t, s.url+chapter[1]), -1) {
			samples[m[1]] = html.UnescapeString(m[2])
		}
	}
	require.Greater(t, len(samples), 100)
	first := html.UnescapeString(fetched(t, s.url+"/docs/api"))
	require.Contains(t, first, ">SANAD="+s.url+"\nSANAD_TOKEN=$(sanad token add ", "the address at which the page was asked for")
	require.Contains(t, first, `data-copy="set-up"`)
	script := "set -euo pipefail\ncurl() { command curl --fail-with-body \"$@\"; echo; }\n" +
		"N=1 KEY=a Q=leave\nID=$(" + samples["importSession"] + " | jq -r .session_id)\n" +
		"KEY=b\n" + samples["reviewClaim"] + "\n" +
		"KEY=c\nLINK=$(" + samples["exportLedger"] + " | jq -r .download_url)\n" +
		`curl -sS "$SANAD$LINK" -H "Authorization: Bearer $SANAD_TOKEN" -o "$OUT"; head -c 5 "$OUT"` + "\n"
	reads := 0
	for id, sample := range samples {
		path := regexp.MustCompile(`^curl -sS "\$SANAD([^"]+)"`).FindStringSubmatch(sample)
		if path == nil {
			continue
		}
		path[1] = strings.TrimSuffix(path[1], "?q=$Q")
		if !strings.Contains(path[1], "$") || path[1] == "/api/v1/sessions/$ID/ledger" {
			reads++
			script += "echo '" + id + "'\n" + sample + " > /dev/null\n"
		}
	}
	cmd := exec.Command("bash", "-c", script)
	cmd.Env = env
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "%PDF-")
	require.Greater(t, reads, 10)
	t.Logf("%d samples, of which 3 write and %d read ran", len(samples), reads)
	for id, sample := range samples {
		check := exec.Command("bash", "-n", "-c", sample)
		out, err := check.CombinedOutput()
		require.NoError(t, err, "%s: %s\n%s", id, sample, out)
	}
}

// fetched returns a page that everybody may read.
func fetched(t *testing.T, address string) string {
	t.Helper()
	res, err := http.Get(address)
	require.NoError(t, err)
	defer res.Body.Close() //nolint:errcheck // read to its end
	require.Equal(t, 200, res.StatusCode)
	data, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return string(data)
}
