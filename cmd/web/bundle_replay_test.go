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

func TestBundleReplay(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	write("a.md", "Luke is a Jedi.")
	write("b.md", "Leia is a princess.")
	request := write("request.json", `{"job_input":{"extra_params":{"evidence":[{"text":"Inline."},{"text":"Left out."}]}},
		"evidence_refs":{"lake_text":["a.md","b.md"]},"policy":{"max_items":3}}`)
	code, built, said := runBundle(t, "", request, "--from", dir)
	require.Zero(t, code, said)
	file := write("bundle.json", built)
	replay := func(args ...string) (int, string, string) {
		return call(t, built, append([]string{"bundle", "replay"}, args...)...)
	}
	for _, args := range [][]string{{file, "--from", dir}, {"-", "--from", dir}, {file, "--from", dir, "--request", request}} {
		code, out, said := replay(args...)
		require.Zero(t, code, out+said)
		require.Contains(t, out, "equal: bundle ")
		require.Contains(t, out, "built again by version 2.2 from the re")
	}

	write("a.md", "Luke was a Jedi.")
	require.NoError(t, os.Remove(filepath.Join(dir, "b.md")))
	code, out, _ := replay(file, "--from", dir)
	require.Equal(t, 1, code)
	require.Contains(t, out, "differs: bundle ")
	require.Contains(t, out, "content_sha256: ")
	require.Contains(t, out, `(was: dropped, now: failed): "There is no such artifact in the lake."`)
	code, out, _ = replay(file, "--from", dir, "--json")
	require.Equal(t, 1, code)
	var got bundle.Comparison
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.False(t, got.Equal)

	changed := write("changed.json", strings.Replace(built, "Inline.", "In line", 1))
	_, out, _ = replay(changed, "--from", dir)
	require.Contains(t, out, "it was changed after it was built")
	for bad, want := range map[string]string{"{}": "is no evidence bundle", `{"build_version":"9"}`: "2.0 and 2.2"} {
		code, _, said := replay(write("bad.json", bad))
		require.Equal(t, 1, code)
		require.Contains(t, said, want)
	}
	code, _, _ = replay(filepath.Join(dir, "none.json"))
	require.NotZero(t, code)
}

// TestReplayOfFailedSources checks that sources which failed fail again for the same reasons, though an artifact holds
// nothing of them but a reference and a sentence.
func TestReplayOfFailedSources(t *testing.T) {
	dir := t.TempDir()
	code, built, said := runBundle(t, `{
		"job_input":{"extra_params":{"evidence":[{"text":"Inline."},{"kind":"x"},{"text":""}]}},
		"evidence_refs":{"lake_text":["none.md","../x",7],"weird":[{"a":1}]}}`, "--from", dir)
	require.Zero(t, code, said)
	var b bundle.Bundle
	require.NoError(t, json.Unmarshal([]byte(built), &b))
	require.Len(t, b.FailedSources, 6)
	code, out, said := call(t, built, "bundle", "replay", "-", "--from", dir)
	require.Zero(t, code, out+said)
	require.Contains(t, out, "equal: bundle "+b.BundleID)
}
