package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/bundle"
)

func runBundle(t *testing.T, in string, args ...string) (code int, out, said string) {
	t.Helper()
	return call(t, in, append([]string{"bundle", "build"}, args...)...)
}

func TestBundleBuild(t *testing.T) {
	dir, keep := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bio.md"), []byte("Luke is a Jedi."), 0o600))
	require.NoError(t, os.Symlink("/etc/hostname", filepath.Join(dir, "link")))
	request := `{"job_input":{"extra_params":{"evidence":[{"text":"` + strings.Repeat("أدلة ", 50) +
		`"}]}},"evidence_refs":{"lake_text":["bio.md","none.md","link","../x"]},"policy":{"max_item_bytes":40}}`
	file := filepath.Join(dir, "request.json")
	require.NoError(t, os.WriteFile(file, []byte(request), 0o600))

	code, out, said := runBundle(t, "", file, "--from", dir, "--keep", keep, "--created", "2026-03-01T09:00:00Z")
	require.Zero(t, code, said)
	var b bundle.Bundle
	require.NoError(t, json.Unmarshal([]byte(out), &b))
	require.Len(t, b.Items, 2)
	require.Len(t, b.FailedSources, 3)
	require.Equal(t, "There is no such artifact in the lake.", b.FailedSources[0].Reason)
	whole, err := os.ReadFile(filepath.Join(keep, b.Items[0].FullRef.LakeURI))
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("أدلة ", 50), string(whole))

	code, again, _ := runBundle(t, request, "--from", dir, "--created", "2026-03-01T09:00:00Z")
	require.Zero(t, code)
	require.Equal(t, out, again, "from standard input the same, to the byte")
	_, later, _ := runBundle(t, request, "--from", dir)
	var other bundle.Bundle
	require.NoError(t, json.Unmarshal([]byte(later), &other))
	require.Equal(t, b.BundleID, other.BundleID)
}

func TestBundleBuildRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		args []string
		code int
		said string
	}{
		"no JSON":       {in: "x", code: 1, said: "Line 1"},
		"bad policy":    {in: `{"policy":{"max_items":0}}`, code: 1, said: "policy.max_items"},
		"no file":       {args: []string{"/none/at/all"}, code: 1, said: "no such file"},
		"no time":       {in: "{}", args: []string{"--created", "today"}, code: 2, said: "--created"},
		"strict":        {in: `{"evidence_refs":{"lake_text":["a"]}}`, args: []string{"--strict"}, code: 1},
		"two files":     {in: "{}", args: []string{"a", "b"}, code: 2, said: "at most 1"},
		"nothing asked": {in: "{}"},
	} {
		code, _, said := runBundle(t, c.in, c.args...)
		require.Equal(t, c.code, code, name)
		require.Contains(t, said, c.said, name)
	}
}
