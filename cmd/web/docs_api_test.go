package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/handlers"
)

// apiDoc is docs/api.md.
func apiDoc(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../docs/api.md")
	require.NoError(t, err)
	return string(data)
}

// TestExamplesOfTheAPI runs the examples of docs/api.md unchanged, one after the other, against sanad serve. It stops
// at the first command that fails.
func TestExamplesOfTheAPI(t *testing.T) {
	for _, tool := range []string{"bash", "curl", "jq"} {
		_, err := exec.LookPath(tool)
		require.NoError(t, err, "the examples need %s", tool)
	}
	d := desk{t, dbtest.Dir(t)}
	const password = "correct horse battery"
	env := append(os.Environ(), "PASSWORD="+password)
	for name, role := range map[string]string{"SANAD_TOKEN": "reviewer", "APPROVERS_TOKEN": "approver"} {
		email := role + "@example.org"
		d.does(password+"\n", "user", "add", "--email", email, "--role", role, "--password-stdin")
		env = append(env, name+"="+
			strings.TrimSpace(d.does("", "token", "add", "--name", role, "--role", role, "--user", email)))
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
	script = regexp.MustCompile(`([@ ])cmd/`).ReplaceAllString(script, "${1}"+root+"/cmd/")
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

var update = flag.Bool("update", false, "rewrite docs/api-calls.md")

// TestListOfCalls checks that docs/api-calls.md lists the calls of the API description; -update rewrites it.
func TestListOfCalls(t *testing.T) {
	var doc struct {
		Tags  []struct{ Name, Description string }
		Paths map[string]map[string]struct {
			Tags    []string
			Summary string
			Role    string `json:"x-role"`
		}
	}
	require.NoError(t, json.Unmarshal(handlers.OpenAPI(), &doc))
	var b strings.Builder
	b.WriteString("# Calls of the API\n\nWritten by a test from the description that the server gives; see [api.md](api.md).\n")
	listed := 0
	for _, tag := range doc.Tags {
		b.WriteString("\n## " + tag.Name + "\n\n" + tag.Description + "\n\n| call | least role | |\n|---|---|---|\n")
		for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
			for _, method := range slices.Sorted(maps.Keys(doc.Paths[path])) {
				o := doc.Paths[path][method]
				if slices.Contains(o.Tags, tag.Name) {
					listed++
					fmt.Fprintf(&b, "| `%s %s` | %s | %s |\n",
						strings.ToUpper(method), path, cmp.Or(o.Role, "none"), o.Summary)
				}
			}
		}
	}
	calls := 0
	for _, methods := range doc.Paths {
		calls += len(methods)
	}
	require.Equal(t, calls, listed, "every call is in one chapter")
	const name = "../../docs/api-calls.md"
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(b.String()), 0o644))
	}
	kept, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, b.String(), string(kept))
}

// TestOpenAPICommand checks that sanad openapi prints the description that the server sends.
func TestOpenAPICommand(t *testing.T) {
	code, out, errs := call(t, "", "openapi")
	require.Zero(t, code, errs)
	s := serveWith(t, nil)
	res, body := s.ask("GET", "/api/v1/openapi.json")
	require.Equal(t, 200, res.StatusCode)
	require.Equal(t, out, body)
}
