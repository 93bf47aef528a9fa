package sessions_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// TestPassages checks that the list of sources is the same on every page of the ledger, limited, and the tenant's own.
func TestPassages(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(457)
	h.AddSession(t, s)
	first := pageOf(t, h, s.ID, ledger.ClaimFilter{}, -1, 50).Passages
	require.NotEmpty(t, first.Matched)
	require.LessOrEqual(t, len(first.Matched), 500)
	require.Equal(t, first, pageOf(t, h, s.ID, ledger.ClaimFilter{}, 199, 50).Passages)
	require.Equal(t, first, pageOf(t, h, s.ID, ledger.ClaimFilter{Verdict: ledger.Weak}, -1, 50).Passages)

	var want []ledger.Passage
	for i := range 100 {
		for _, m := range s.Claims[i].Matches {
			want = append(want, ledger.Passage{Chunk: m.Chunk, Similarity: m.Similarity, Text: m.Snippet})
		}
	}
	require.Equal(t, want[:min(len(want), 500)], first.Matched)
}

func TestOpeningsAreTheFirstDocuments(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(3)
	long := strings.Repeat("كلمة ", 300)
	s.Documents[0].Chunks[0].Text = long
	h.AddSession(t, s)
	other := dbtest.FullSession()
	h.AddSession(t, other)
	openings := pageOf(t, h, s.ID, ledger.ClaimFilter{}, -1, 10).Passages.Openings
	require.Len(t, openings, min(len(s.Documents), 24))
	for i, p := range openings {
		require.Equal(t, ledger.ChunkRef{Document: i}, p.Chunk)
	}
	require.Equal(t, text.Slice(long, text.Span{End: 400}), openings[0].Text)
}
