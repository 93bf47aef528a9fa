package ledger_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// vectors is the conformance data of rules L-3, L-6 and L-10; testdata has a copy, and the shared one is read where it
// is present.
type vectors struct {
	ChunkHash []struct{ Content, Hash string } `json:"chunk_hash"`
	Verdict   []struct {
		Evidence []struct {
			Similarity   float64
			SupportLevel ledger.Support `json:"support_level"`
			Contradicts  bool
			Snippet      string
		}
		Expect struct {
			Verdict    ledger.Verdict
			Confidence float64
			Notes      string
		}
	}
	Strength []struct {
		Components ledger.Strength
		Expect     float64
	}
}

func TestVectors(t *testing.T) {
	for _, file := range []string{"testdata/vectors.json", "../../../../shared/vectors/ledger.json"} {
		data, err := os.ReadFile(file)
		if os.IsNotExist(err) && file != "testdata/vectors.json" {
			continue // the copy has been checked
		}
		require.NoError(t, err)
		var v vectors
		require.NoError(t, json.Unmarshal(data, &v))
		require.Len(t, v.ChunkHash, 12)
		require.Len(t, v.Verdict, 60)
		require.Len(t, v.Strength, 40)
		for _, c := range v.ChunkHash {
			require.Equal(t, c.Hash, ledger.ChunkHash(c.Content), "%q", c.Content)
		}
		for i, c := range v.Verdict {
			matches := make([]ledger.Match, len(c.Evidence))
			for j, e := range c.Evidence {
				matches[j] = ledger.Match{Similarity: e.Similarity, Support: e.SupportLevel,
					Contradicts: e.Contradicts, Snippet: e.Snippet}
			}
			ledger.SortMatches(matches)
			a := ledger.DecideVerdict(matches)
			require.Equal(t, c.Expect.Verdict, a.Verdict, "case %d", i)
			require.Equal(t, c.Expect.Confidence, a.Confidence, "case %d", i)
			require.Equal(t, c.Expect.Notes, a.Notes(), "case %d", i)
		}
		for i, c := range v.Strength {
			require.Equal(t, c.Expect, c.Components.Score(), "case %d", i)
		}
	}
}
