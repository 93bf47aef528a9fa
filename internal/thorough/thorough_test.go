package thorough_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/thorough"
)

// TestSample checks that a seed draws the same cases again, in their order, that other seeds and tests draw others, and
// that make thorough takes all.
func TestSample(t *testing.T) {
	t.Setenv("SANAD_THOROUGH", "")
	all := make([]int, 100)
	for i := range all {
		all[i] = i
	}
	draw := func(t *testing.T, seed string) []int {
		t.Helper()
		t.Setenv("SANAD_SEED", seed)
		return thorough.Sample(thorough.Random(t), all, 10)
	}
	first := draw(t, "1d73c9e6")
	require.Len(t, first, 10)
	require.IsIncreasing(t, first)
	require.Equal(t, first, draw(t, "1d73c9e6"))
	require.NotEqual(t, first, draw(t, "9e869aaa"))
	require.Equal(t, draw(t, "1"), draw(t, ""))
	t.Run("another test", func(t *testing.T) { require.NotEqual(t, first, draw(t, "1d73c9e6")) })
	require.Equal(t, all, thorough.Sample(thorough.Random(t), all, 1000), "there are no more")
	require.Equal(t, 2, thorough.Times(2, 9))

	t.Setenv("SANAD_THOROUGH", "1")
	require.True(t, thorough.On())
	require.Equal(t, all, draw(t, "1"))
	require.Equal(t, 9, thorough.Times(2, 9))
}
