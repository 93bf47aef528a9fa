package exporters

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// TestMarkdownHasThePagesFigure: the judge's probability stands beside its verdict, as on the page and in the PDF.
func TestMarkdownHasThePagesFigure(t *testing.T) {
	half := 0.5
	e := ledger.Entry{Claim: &ledger.Claim{}, Machine: ledger.Weak, Verdict: ledger.Weak, Confidence: 0.4,
		JudgeSource: ledger.Calibrated, JudgeProbability: &half}
	require.Contains(t, verdictLine(&e), "50%")
	require.NotContains(t, verdictLine(&e), "40%")
}
