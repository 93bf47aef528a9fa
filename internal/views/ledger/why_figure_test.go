package ledger

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
)

// TestNoFigureInsteadOfWord shows that a figure of the source is not named as what it says in the place of a word.
func TestNoFigureInsteadOfWord(t *testing.T) {
	pairs := &judge.Contrast{Pairs: []judge.Pair{
		{Kind: judge.MarkInstead, Claim: "salary", Source: "7.5 kg"},
		{Kind: judge.MarkInstead, Claim: "van", Source: "lorry"},
	}}
	require.Equal(t, "lorry", replaced(pairs, []string{"salary", "van"}).Source)
	require.Nil(t, replaced(pairs, []string{"salary"}))
}
