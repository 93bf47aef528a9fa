package judge

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// A source that is not used for long is let go, and made ready again when it is used. What is spent on it is what it
// was without that.
func TestSourcesAreLetGo(t *testing.T) {
	chunk := func(i int, words string) ledger.Chunk { return ledger.Chunk{Position: i, Text: words} }
	s := &ledger.Session{Documents: []ledger.Document{{Chunks: []ledger.Chunk{chunk(0, "The fee is 5 euros."), chunk(1, "No.")}}}}
	q := newQuotes(s)
	given := func(chunk int, snippet string) []ledger.Match {
		c := &ledger.Claim{Text: "The fee is 5 euros.", Matches: []ledger.Match{
			{Chunk: ledger.ChunkRef{Chunk: chunk}, Similarity: 0.9, Support: ledger.Full, Snippet: snippet}}}
		out, warnings := q.given(c)
		require.Empty(t, warnings)
		return out
	}
	want, spent := given(0, ""), q.read // analysed
	first := q.sources[ledger.ChunkRef{}]
	require.NotNil(t, first.index)
	for range leaveAfter + leaveAfter/4 {
		given(1, "No.")
	}
	require.Nil(t, first.index)
	require.Nil(t, first.placer)
	read := q.read
	require.Equal(t, want, given(0, ""))
	require.NotNil(t, first.index)
	require.Equal(t, spent-analysisCost*first.chunk.Size(), q.read-read, "the analysis is counted once")
	require.Equal(t, first.chunk.Size(), q.again)

	q.again = maxAgain + 1
	for range leaveAfter + leaveAfter/4 {
		given(1, "No.")
	}
	require.NotNil(t, first.index, "then none is let go")
}
