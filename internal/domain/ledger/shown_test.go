package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// TestShownIsOneFigure: the judge's probability where there is one, never above 99 %, else the confidence.
func TestShownIsOneFigure(t *testing.T) {
	half, sure := 0.5, 1.0
	require.Equal(t, 0.5, (&ledger.Entry{Confidence: 0.4, JudgeProbability: &half}).Shown())
	require.Equal(t, 0.99, (&ledger.Entry{Confidence: 1, JudgeProbability: &sure}).Shown())
	require.Equal(t, 0.4, (&ledger.Entry{Confidence: 0.4}).Shown())
}
