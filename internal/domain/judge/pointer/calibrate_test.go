package pointer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/judge/pointer"
	"sanad/internal/domain/ledger"
)

// 81 of 263 is the example of Newcombe (1998): 25.53 % to 36.62 %.
func TestLowerShare(t *testing.T) {
	for _, c := range []struct {
		right, of int
		want      float64
	}{
		{0, 0, 0}, {1, 0, 0}, {5, -1, 0}, {0, 10, 0}, {-3, 10, 0},
		{10, 10, 0.7225}, {12, 10, 0.7225}, {9, 10, 0.5958}, {5, 10, 0.2366}, {1, 1, 0.2065},
		{90, 100, 0.8256}, {95, 100, 0.8882}, {950, 1000, 0.9347}, {81, 263, 0.2553},
	} {
		require.InDelta(t, c.want, pointer.LowerShare(c.right, c.of), 1e-4, "%d of %d", c.right, c.of)
	}
	for n := 1; n < 300; n++ {
		last := -1.0
		for k := 0; k <= n; k++ {
			share := pointer.LowerShare(k, n)
			require.GreaterOrEqual(t, share, last)
			require.LessOrEqual(t, share, float64(k)/float64(n))
			last = share
		}
		require.Less(t, last, pointer.LowerShare(n+1, n+1), "more reviews, more trust")
	}
}

// Reviews decide what a model's word is worth: few agreements are not enough, enough are, and disagreements take it
// away.
func TestReviewsMakeTrust(t *testing.T) {
	q := asked(t, "Employees get 30 days of annual leave.", policy)
	verdict := func(r pointer.Reviews) ledger.Verdict {
		o, err := q.Read(say(q, "supported", q.Objects[0].PointerID), judge.NewLexical(), r.Trust())
		require.NoError(t, err)
		return verdictOf(o)
	}
	require.Equal(t, ledger.Weak, verdict(pointer.Reviews{}))
	require.Equal(t, ledger.Weak, verdict(pointer.Reviews{Supported: 21, SupportedRight: 21}))
	require.Equal(t, ledger.Supported, verdict(pointer.Reviews{Supported: 22, SupportedRight: 22}))
	require.Equal(t, ledger.Weak, verdict(pointer.Reviews{Supported: 100, SupportedRight: 90}))
	require.Equal(t, ledger.Supported, verdict(pointer.Reviews{Supported: 1000, SupportedRight: 900}))
	require.Equal(t, ledger.Weak, verdict(pointer.Reviews{Contradicted: 500, ContradictedRight: 500}), "each word for itself")

	trust := pointer.Reviews{Supported: 10, SupportedRight: 9, Contradicted: 100, ContradictedRight: 95}.Trust()
	require.InDelta(t, 0.5958, trust.Supported, 1e-4)
	require.InDelta(t, 0.8882, trust.Contradicted, 1e-4)
}
