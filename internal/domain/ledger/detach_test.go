package ledger

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/text"
)

// A passage is withdrawn by whoever attached it, and nothing of it is left: matches, and the ranks of those that are in
// no form in their source, are as before; reviews of the claim are stale.
func TestDetach(t *testing.T) {
	match := func(chunk int, similarity float64, by string) Match {
		m := Match{Chunk: ChunkRef{Chunk: chunk}, Support: Full, Similarity: similarity}
		if m.Quote.Span = (text.Span{End: 5}); by != "" {
			m.Attached = &Attached{By: by, At: time.Unix(int64(chunk), 0)}
		}
		return m
	}
	s := &Session{Claims: []Claim{{
		Matches: []Match{match(0, 0.9, ""), match(1, 0.8, "sara"), match(2, 0.7, ""), match(3, 0.6, "sara")},
		Checks:  Checks{Absent: []int{0, 1, 2}},
		Reviews: []Review{{ID: "r", Action: Confirm, Verdict: Supported, By: "omar"}},
	}}}
	c := s.Claim(0)
	require.Equal(t, 3, c.LastAttached("sara").Chunk.Chunk)
	require.Nil(t, c.LastAttached("omar"))
	require.Nil(t, c.LastAttached(""))
	for _, refused := range []struct {
		by    string
		chunk int
	}{{"omar", 1}, {"sara", 0}, {"", 1}, {"sara", 9}} {
		_, _, err := s.Detach(0, ChunkRef{Chunk: refused.chunk}, text.Span{End: 5}, refused.by, time.Unix(9, 0))
		require.Equal(t, domain.Conflict, domain.KindOf(err), "%v", refused)
	}
	_, _, err := s.Detach(1, ChunkRef{Chunk: 1}, text.Span{End: 5}, "sara", time.Unix(9, 0))
	require.Equal(t, domain.NotFound, domain.KindOf(err))

	was := s.Revision
	x, m, err := s.Detach(0, ChunkRef{Chunk: 1}, text.Span{End: 5}, "sara", time.Unix(9, 0))
	require.NoError(t, err)
	require.Equal(t, 1, m.Chunk.Chunk)
	require.Equal(t, []int{0, 2, 3}, []int{c.Matches[0].Chunk.Chunk, c.Matches[1].Chunk.Chunk, c.Matches[2].Chunk.Chunk})
	require.Equal(t, []int{0, 1}, c.Checks.Absent)
	require.Equal(t, []any{1, 1, was + 1}, []any{x.Stale, c.Stale, s.Revision})
	require.Len(t, x.Lost, 1)
}
