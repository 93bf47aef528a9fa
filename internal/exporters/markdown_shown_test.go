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

// TestExportsShowQuotationsWithoutMarks: the quotation of a Markdown file is written as people read it, that of any
// other file as it is; what is stored keeps its marks.
func TestExportsShowQuotationsWithoutMarks(t *testing.T) {
	const words = "Staff get **30 days** a year."
	for name, want := range map[string]string{"rules.md": "Staff get 30 days a year.", "rules.txt": words} {
		e := ledger.Entry{Claim: &ledger.Claim{}, Document: &ledger.Document{Filename: name},
			Best: &ledger.Match{Snippet: words}}
		var m mdWriter
		m.claim(&e)
		require.Contains(t, m.String(), `**Evidence:** "`+inline(want)+`"`)
		p := pdfWriter{pdfLang: &pdfLangs[0], l: &ledger.Ledger{Session: &ledger.Session{}}}
		require.Equal(t, "“"+want+"”", p.quotation(&e).Text)
		require.Equal(t, words, e.Best.Snippet)

		d := packMarkdown{packLang: packLangs[0], d: &PackDocument{Content: pack.Content{}}}
		d.claim(&pack.Entry{Document: name, Snippet: words, Notes: "It says: " + words})
		require.Contains(t, d.String(), inline("It says: "+want))
		d.source(0, &pack.EvidenceSource{Source: name, Quote: pack.Quote{Excerpt: words}})
		require.Contains(t, d.String(), quoted(want))
	}
}
