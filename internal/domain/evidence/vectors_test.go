package evidence_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/evidence"
)

type vectors struct {
	Spotlight []struct {
		Claim, Span, Excerpt string
		Window               int
		ContentTokens        []string `json:"content_tokens"`
	}
	Maps []struct {
		Chunks         []evidence.Chunk
		Evidence       []evidence.Object
		Root           string
		RootOfReversed string `json:"root_of_reversed"`
		PromptBlock    string `json:"prompt_block"`
		Claims         []evidence.Claim
		Window         int
		Lattice        string
	}
}

// vectorFiles returns the package's own subset and, if the checkout has a shared folder beside or above it, the full
// set.
func vectorFiles() []string {
	files := []string{"testdata/evidence_map.json"}
	dir, _ := filepath.Abs(".")
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		full := filepath.Join(dir, "shared", "vectors", "evidence_map.json")
		if _, err := os.Stat(full); err == nil {
			return append(files, full)
		}
	}
	return files
}

func TestVectors(t *testing.T) {
	for _, file := range vectorFiles() {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		var v vectors
		require.NoError(t, json.Unmarshal(raw, &v))
		require.GreaterOrEqual(t, len(v.Spotlight), 30)
		require.Len(t, v.Maps, 14)
		t.Run(file, func(t *testing.T) {
			spotlightVectors(t, v)
			mapVectors(t, v)
		})
	}
}

func spotlightVectors(t *testing.T, v vectors) {
	for i, c := range v.Spotlight {
		require.Equal(t, c.Excerpt, evidence.Spotlight(c.Claim, c.Span, c.Window), "spotlight %d", i)
		if c.ContentTokens != nil {
			require.Equal(t, c.ContentTokens, evidence.ContentTokens(c.Claim), "content_tokens %d", i)
		}
	}
}

func mapVectors(t *testing.T, v vectors) {
	for i, m := range v.Maps {
		name := fmt.Sprintf("map %d", i)
		objs := evidence.Build(m.Chunks)
		require.Equal(t, m.Evidence, objs, name)
		require.Equal(t, m.Root, evidence.Root(objs), name)
		require.Equal(t, m.PromptBlock, evidence.PromptBlock(objs), name)
		lattice, err := evidence.Lattice(m.Claims, evidence.ByPointer(objs), m.Window)
		require.NoError(t, err, name)
		require.Equal(t, m.Lattice, lattice, name)
		reversed := slices.Clone(objs)
		slices.Reverse(reversed)
		require.Equal(t, m.RootOfReversed, evidence.Root(reversed), name)
		for _, o := range objs {
			proofs, err := evidence.Prove(objs, o.EvidenceID)
			require.NoError(t, err, name)
			require.NoError(t, proofs[0].Verify(m.Root), name)
		}
	}
}
