package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers"
)

// apiDoc is docs/api.md.
func apiDoc(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../docs/api.md")
	require.NoError(t, err)
	return string(data)
}

// TestExamplesOfTheAPI runs the examples of docs/api.md as they stand there, one after the other, against sanad serve. Whatever
// fails in them, ends them.
func TestExamplesOfTheAPI(t *testing.T) {
	for _, tool := range []string{"bash", "curl", "jq"} {
		_, err := exec.LookPath(tool)
		require.NoError(t, err, "the examples need %s", tool)
	}
	d := desk{t, t.TempDir()}
	const password = "correct horse battery"
	env := append(os.Environ(), "PASSWORD="+password)
	for name, role := range map[string]string{"TOKEN": "reviewer", "APPROVERS_TOKEN": "approver"} {
		email := role + "@example.org"
		d.does(password+"\n", "user", "add", "--email", email, "--role", role, "--password-stdin")
		env = append(env, name+"="+strings.TrimSpace(d.does("", "token", "add", "--name", role, "--role", role, "--user", email)))
	}
	s := serveWith(t, nil, "--data", d.dir)
	home := strings.TrimPrefix(s.url, "http://")
	script := `set -euo pipefail
curl() { command curl --fail-with-body --connect-to localhost:8080:` + home + ` "$@"; }
`
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(apiDoc(t), -1)
	require.GreaterOrEqual(t, len(blocks), 3)
	for _, b := range blocks {
		script += b[1]
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	script = strings.ReplaceAll(script, "@cmd/", "@"+root+"/cmd/")
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), `"evidence_coverage"`)
	require.Contains(t, string(out), `"rag.sources"`)
	require.Contains(t, string(out), `"status":"signed_off"`)
	require.Contains(t, string(out), `"payloadType"`)
	pdf, err := os.ReadFile(filepath.Join(dir, "ledger.pdf"))
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(pdf), "%PDF-"))
}

// TestCallsOfTheAPIDoc: the tables of docs/api.md name the calls that there are, and no others.
func TestCallsOfTheAPIDoc(t *testing.T) {
	var doc struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(handlers.OpenAPI(), &doc))
	var there []string
	for path, methods := range doc.Paths {
		for method := range methods {
			if path != "/api/v1/openapi.json" {
				there = append(there, strings.ToUpper(method)+" "+strings.TrimPrefix(path, "/api/v1"))
			}
		}
	}
	named := map[string]bool{}
	for line := range strings.Lines(apiDoc(t)) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		for _, m := range regexp.MustCompile("`(GET|POST|PUT|PATCH|DELETE) (/[^`? ]*)").FindAllStringSubmatch(line, -1) {
			named[m[1]+" "+m[2]] = true
		}
	}
	var all []string
	for call := range named {
		all = append(all, call)
	}
	require.ElementsMatch(t, there, all)
}

// TestOpenAPICommand: sanad openapi prints the description that the server gives.
func TestOpenAPICommand(t *testing.T) {
	code, out, errs := call(t, "", "openapi")
	require.Zero(t, code, errs)
	s := serveWith(t, nil)
	res, body := s.ask("GET", "/api/v1/openapi.json")
	require.Equal(t, 200, res.StatusCode)
	require.Equal(t, out, body)
}
