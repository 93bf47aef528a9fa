package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
)

// import recognises decisions by their content, stores each once, and prints which of them must have a pack.
func TestImportDecisions(t *testing.T) {
	data := dbtest.Dir(t)
	files, err := filepath.Glob("demo/decision-*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	code, out, errs := call(t, "", append([]string{"import", "--data", data, "demo/leave-policy.json"}, files...)...)
	require.Equal(t, exitOK, code, errs)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, len(files)+1)
	require.NotContains(t, lines[0], "pack")
	for i, line := range lines[1:] {
		fields := strings.Split(line, "\t")
		require.Len(t, fields, 4, line)
		require.Equal(t, []string{"new", files[i]}, fields[1:3])
		require.Contains(t, []string{"pack mandatory", "pack recommended", "pack skip"}, fields[3])
	}
	code, out, _ = call(t, "", append([]string{"import", "--data", data}, files...)...)
	require.Equal(t, exitOK, code)
	require.Equal(t, len(files), strings.Count(out, "already there"))
}

// All faults of a decision are printed at once, without quoting its texts.
func TestImportOfABadDecision(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.json")
	require.NoError(t, os.WriteFile(bad,
		[]byte(`{"decision_id":"d","confidence":3,"evidence":[{"excerpt":"a secret","retrieved_at":"then"}]}`), 0o600))
	code, out, errs := call(t, "", "import", "--data", t.TempDir(), bad)
	require.Equal(t, exitFailed, code)
	require.Empty(t, out)
	for _, path := range []string{"entity_id", "confidence", "evidence[0].retrieved_at"} {
		require.Contains(t, errs, "bad.json: "+path+": ")
	}
	require.NotContains(t, errs, "a secret")
}

// The command lists only: in a new store nothing is old enough to be purged, and the command line never purges.
func TestPurgeListsOnly(t *testing.T) {
	data := t.TempDir()
	code, _, errs := call(t, "", "migrate", "--data", data)
	require.Equal(t, exitOK, code, errs)
	code, out, errs := call(t, "", "purge", "--data", data, "--dry-run")
	require.Equal(t, exitOK, code, errs)
	require.Empty(t, out)
	code, _, errs = call(t, "", "purge", "--data", data)
	require.Equal(t, exitUsage, code)
	require.Contains(t, errs, "two people")
}
