package ledger

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTableAgreement(t *testing.T) {
	var table Table
	require.Equal(t, Agreement{}, table.Agreement())
	require.Zero(t, table.Row(Supported))
	table.Add(Unjudged, Supported, 3)
	table.Add(Supported, Unjudged, 3)
	require.Nil(t, table, "values that are not verdicts are not counted")

	// the textbook's table: 20 and 15 of 50 the same; 0.7 observed, 0.5 by chance
	table.Add(Supported, Supported, 20)
	table.Add(Supported, NotFound, 5)
	table.Add(NotFound, Supported, 10)
	table.Add(NotFound, NotFound, 15)
	a := table.Agreement()
	require.Equal(t, []int{50, 35}, []int{a.Both, a.Same})
	require.InDelta(t, 0.4, *a.Kappa, 1e-12)
	require.Equal(t, []int{25, 5, 0}, []int{table.Row(Supported), table.At(Supported, NotFound), table.Row(Weak)})

	var few Table
	few.Add(Weak, Weak, MinKappa-2)
	few.Add(Weak, NotFound, 1)
	require.Nil(t, few.Agreement().Kappa, "too few")
	few.Add(NotFound, NotFound, 1)
	require.NotNil(t, few.Agreement().Kappa)
}

func TestCompared(t *testing.T) {
	require.True(t, Compared(Weak, true))
	require.False(t, Compared(Weak, false))
	require.False(t, Compared(Unjudged, true))
}

func TestHistogram(t *testing.T) {
	var s Histogram
	for _, e := range []Entry{
		{Machine: Supported, JudgeProbability: new(1.0)}, {Machine: Supported, JudgeProbability: new(0.9)},
		{Machine: Supported, JudgeProbability: new(0.89), Confidence: 1},
		{Machine: Weak, Best: &Match{Similarity: 0.3}, Confidence: 0.7}, {Machine: NotFound},
		{Machine: Contradicted, JudgeProbability: new(0.95), Override: true}, {Machine: Unjudged},
	} {
		e.JudgeSource = ByCaller
		s.add(&e)
	}
	got := map[int]int{}
	for bin := range ConfidenceBins {
		if n := s.Bin(bin); n > 0 {
			got[bin] = n
		}
	}
	require.Equal(t, map[int]int{3: 1, 8: 1, 9: 2}, got, "as the list shows them; not found has no figure")
	require.Equal(t, []int{2, 1, 0, 0, 0},
		[]int{s.At(Supported, 9), s.At(Weak, 3), s.At(NotFound, 0), s.At(Contradicted, 9), s.At(Weak, 10)})
	require.Zero(t, Histogram(nil).At(Weak, 3))
}
