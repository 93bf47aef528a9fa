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

// TestShownSnippet: the quotation of a Markdown file is shown without its marks, also within the notes; that of any
// other file, by its media type first, as it is.
func TestShownSnippet(t *testing.T) {
	const words = "## 4 Leave\nStaff get **30 days** \\| year."
	const plain = "4 Leave\nStaff get 30 days | year."
	for _, c := range []struct {
		doc  *ledger.Document
		want string
	}{
		{&ledger.Document{Filename: "rules.md"}, plain},
		{&ledger.Document{Filename: "rules", MediaType: "text/markdown"}, plain},
		{&ledger.Document{Filename: "rules.md", MediaType: "text/plain"}, words},
		{&ledger.Document{Filename: "rules.txt"}, words},
		{nil, words},
	} {
		e := ledger.Entry{Claim: &ledger.Claim{}, Document: c.doc, Best: &ledger.Match{Snippet: words, Note: "N: " + words}}
		require.Equal(t, c.want, e.ShownSnippet())
		require.Contains(t, e.ShownNotes(), c.want)
	}
	require.Empty(t, (&ledger.Entry{}).ShownSnippet())
}

// TestRowsAreShownAsCells: a quotation of a table has neither the bars between its cells nor the line below its heads, in
// a file of any kind.
func TestRowsAreShownAsCells(t *testing.T) {
	const rows = "Fees\n| Item | Fee |\n|---|---|\n| | VAT 5 % | 378.90 |\n| a \\| b | 2 |\nEither | or."
	for _, d := range []*ledger.Document{nil, {Filename: "fees.pdf"}, {Filename: "fees.md"}} {
		require.Equal(t, "Fees\nItem · Fee\nVAT 5 % · 378.90\na | b · 2\nEither | or.", d.Shown(rows))
	}
	require.Empty(t, (*ledger.Document)(nil).Shown("|---|---|"))
}
