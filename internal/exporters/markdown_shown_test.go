package exporters

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/prose"
)

// TestMarkdownHasThePagesFigure: the judge's probability stands beside its verdict, as on the page and in the PDF.
func TestMarkdownHasThePagesFigure(t *testing.T) {
	half := 0.5
	e := ledger.Entry{Claim: &ledger.Claim{}, Machine: ledger.Weak, Verdict: ledger.Weak, Confidence: 0.4,
		JudgeSource: ledger.Calibrated, JudgeProbability: &half}
	require.Contains(t, verdictLine(&e), "50%")
	require.NotContains(t, verdictLine(&e), "40%")
}

// TestSummarySaysThatNothingIsSupported checks that zero is left out of the summary for other verdicts only.
func TestSummarySaysThatNothingIsSupported(t *testing.T) {
	var m mdWriter
	m.summary(&ledger.Summary{ByVerdict: map[ledger.Verdict]int{ledger.Weak: 6}})
	require.Contains(t, m.String(), "| Supported | 0 |\n| Weak | 6 |\n")
	require.NotContains(t, m.String(), "Contradicted")
}

// TestExportsShowQuotationsWithoutMarks: the quotation of a Markdown file is written as people read it, that of any
// other file as it is; what is stored keeps its marks.
func TestExportsShowQuotationsWithoutMarks(t *testing.T) {
	const words = "Staff get **30 days** a year."
	for name, want := range map[string]string{"rules.md": "Staff get 30 days a year.", "rules.txt": words} {
		e := ledger.Entry{Claim: &ledger.Claim{}, Document: &ledger.Document{Filename: name},
			Best: &ledger.Match{Snippet: words}}
		var m mdWriter
		m.claim(&e)
		require.Contains(t, m.String(), `**Evidence:** "`+prose.Inline(want)+`"`)
		p := pdfWriter{Lang: &prose.Langs[0], l: &ledger.Ledger{Session: &ledger.Session{}}}
		require.Equal(t, "“"+want+"”", p.quotation(&e, nil).Text)
		require.Equal(t, words, e.Best.Snippet)
	}
}
