package ledger_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// A ledger that is assessed to be stored has the head and the entries of one that holds all of them, whatever the mean
// confidence and under each rule set.
func TestAssessHeadEqualsAssess(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	raised := map[ledger.RiskType]int{}
	lowMean := 0
	for n := range 400 {
		s := mixed(random, ledger.SecondReviews[n%3])
		s.RuleSet = 1 + n%len(ledger.RuleSets)
		if n%4 == 0 { // a higher mean, with some below it
			for i := range s.Claims {
				if c := &s.Claims[i]; i > 2 && len(c.Matches) > 0 {
					c.Matches[0].Similarity = 0.95
				}
			}
		}
		for i := range s.Claims {
			if random.IntN(3) == 0 {
				_, _ = s.AddReview(i, ledger.ReviewInput{Action: ledger.Override, Reason: "r", By: person(0),
					Verdict: ledger.Verdicts[random.IntN(4)]}, "id", "Name", "reviewer", at)
			}
		}
		want, got := ledger.Assess(s, 24), ledger.AssessHead(s, 24)
		require.Nil(t, got.Entries)
		require.Equal(t, want.Head(), got.Head())
		next := 0
		require.NoError(t, got.Each(func(i int, e *ledger.Entry) error {
			require.Equal(t, next, i)
			slices.Sort(want.Entries[i].Flags) // in an order of their own
			slices.Sort(e.Flags)
			require.Equal(t, want.Entries[i], *e)
			next++
			return nil
		}))
		require.Len(t, want.Entries, next)
		for _, f := range want.Flags {
			raised[f.Type]++
			if f.Type == ledger.LowConfidence && f.Severity == ledger.Medium {
				lowMean++
			}
		}
	}
	t.Log(raised)
	require.Greater(t, raised[ledger.LowConfidence], lowMean, "both limits are met")
	require.Positive(t, lowMean)
}
