package llm

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The oldest vectors are forgotten beyond the bound, but none that somebody waits for, and a claim's at once.
func TestVectorsAreBounded(t *testing.T) {
	e := &embedder{kept: map[string]*vector{}, client: client{cfg: Config{Now: time.Now}}}
	const size = maxVectors / 4 / 10 // so that ten passages fill the bound
	add := func(claim string, passages ...string) (made int) {
		all, mine, f := e.claim(append([]string{claim}, passages...))
		require.Nil(t, f)
		for _, text := range mine {
			all[text].values = make([]float32, size)
			e.bytes += 4 * size
			close(all[text].done)
		}
		e.shrink(claim, len(mine))
		return len(mine)
	}
	for i := range 25 {
		require.Equal(t, 2, add("claim "+strconv.Itoa(i), "passage "+strconv.Itoa(i)))
		require.LessOrEqual(t, e.bytes, maxVectors)
		require.Len(t, e.kept, min(i+1, 10))
		require.Len(t, e.order, len(e.kept))
	}
	require.Equal(t, 1, add("claim", "passage 24", "passage 20"), "kept: the newest")
	require.Equal(t, 2, add("claim", "passage 3"), "forgotten: the oldest")
	require.NotContains(t, e.kept, "claim")
	require.Equal(t, len(e.kept)*4*size, e.bytes)

	_, mine, f := e.claim([]string{"claim", "awaited"})
	require.Nil(t, f)
	require.Len(t, mine, 2)
	for i := range 30 {
		add("claim of another", "later "+strconv.Itoa(i))
	}
	require.Contains(t, e.kept, "awaited")
	require.LessOrEqual(t, e.bytes, maxVectors)
}
