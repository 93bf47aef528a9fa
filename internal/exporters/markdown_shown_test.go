package exporters

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// TestMarkdownHasThePagesFigure: the judge's probability stands beside its verdict, as on the page and in the PDF.
func TestMarkdownHasThePagesFigure(t *testing.T) {
	half := 0.5
	e := ledger.Entry{Claim: &ledger.Claim{}, Machine: ledger.Weak, Verdict: ledger.Weak, Confidence: 0.4,
		JudgeSource: ledger.Calibrated, JudgeProbability: &half}
	require.Contains(t, verdictLine(&e), "50%")
	require.NotContains(t, verdictLine(&e), "40%")
}

// TestMarkdownShowsQuotationsWithoutMarks: the quotation of a Markdown file is shown as people read it, that of any other
// file as it is; what is stored keeps its marks.
func TestMarkdownShowsQuotationsWithoutMarks(t *testing.T) {
	const words = "## 4 Leave\nStaff get **30 days** \\| year."
	for name, want := range map[string]string{
		"rules.md": "4 Leave\nStaff get 30 days | year.", "rules.txt": words,
	} {
		e := ledger.Entry{Document: &ledger.Document{Filename: name}, Best: &ledger.Match{Snippet: words}}
		require.Equal(t, want, e.ShownSnippet())
		require.Equal(t, words, e.Best.Snippet)
		require.Equal(t, want, (&pack.Entry{Document: name, Snippet: words}).Shown())
		require.Equal(t, want, (&pack.EvidenceSource{Source: name, Quote: pack.Quote{Excerpt: words}}).Shown())
	}
}
