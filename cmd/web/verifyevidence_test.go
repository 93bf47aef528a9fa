package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/evidence"
)

// TestVerifyEvidence checks a proof against the root of its map, that of another map, and none.
func TestVerifyEvidence(t *testing.T) {
	objects := evidence.Build([]evidence.Chunk{{ChunkRoot: "a", Span: "x"}, {ChunkRoot: "b", Span: "y"}, {ChunkRoot: "c", Span: "z"}})
	proofs, err := evidence.Prove(objects, objects[1].EvidenceID)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "proof.json")
	check := func(text []byte, args ...string) (code int, out, errs string) {
		require.NoError(t, os.WriteFile(file, text, 0o600))
		return call(t, "", append([]string{"verify-evidence", file}, args...)...)
	}
	text, err := json.Marshal(proofs[0])
	require.NoError(t, err)
	code, out, errs := check(text, "--root", evidence.Root(objects))
	require.Zero(t, code, errs)
	require.Equal(t, "ok: "+objects[1].EvidenceID+" is in the map of 3 with this root\n", out)
	code, _, errs = check(text, "--root", evidence.Root(objects[:2]))
	require.Equal(t, 1, code)
	require.Contains(t, errs, "the proof does not lead to the root")
	code, _, errs = check(text)
	require.Equal(t, 2, code)
	require.Contains(t, errs, "--root is missing")
	code, _, errs = check([]byte(`{"evidence_id":"E1","sum":1}`), "--root", evidence.ZeroRoot)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "sum")
}
