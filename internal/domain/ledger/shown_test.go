package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// TestShownIsOneFigure: the judge's probability where there is one, never above 99 %, else the figure that
// came with the deciding match, or the share that reviews measured.
func TestShownIsOneFigure(t *testing.T) {
	half, sure := 0.5, 1.0
	require.Equal(t, 0.5, (&ledger.Entry{Confidence: 0.4, JudgeProbability: &half}).Shown())
	require.Equal(t, 0.99, (&ledger.Entry{Confidence: 1, JudgeProbability: &sure}).Shown())
	given := ledger.Entry{Machine: ledger.Weak, Confidence: 0.4, Best: &ledger.Match{Similarity: 0.5}}
	require.Equal(t, 0.5, given.Shown(), "what the caller said, not what L-3 makes of it")
	given.Measured = true
	require.Equal(t, 0.4, given.Shown())
	given.Measured, given.Machine, given.Confidence = false, ledger.NotFound, 0
	require.Zero(t, given.Shown())
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

// TestRowsAreShownAsCells: a quotation of a table has neither the bars between its cells nor the line below its heads,
// in a file of any kind.
func TestRowsAreShownAsCells(t *testing.T) {
	const rows = "Fees\n| Item | Fee |\n|---|---|\n| | VAT 5 % | 378.90 |\n| a \\| b | 2 |\nEither | or."
	for _, d := range []*ledger.Document{nil, {Filename: "fees.pdf"}, {Filename: "fees.md"}} {
		require.Equal(t, "Fees\nItem · Fee\nVAT 5 % · 378.90\na | b · 2\nEither | or.", d.Shown(rows))
	}
	require.Empty(t, (*ledger.Document)(nil).Shown("|---|---|"))
}

func TestTierOf(t *testing.T) {
	at := func(p float64) *float64 { return &p }
	for _, c := range []struct {
		verdict     ledger.Verdict
		probability *float64
		want        ledger.Tier
	}{
		{ledger.Weak, at(0.84), ledger.Likely},
		{ledger.Weak, at(0.51), ledger.Likely},
		{ledger.Weak, at(0.5), ledger.Doubtful},
		{ledger.Weak, at(0.02), ledger.Doubtful},
		{ledger.Weak, nil, ""},
		{ledger.Supported, at(0.9), ""},
		{ledger.Contradicted, at(0.9), ""},
		{ledger.NotFound, nil, ""},
		{ledger.Unjudged, nil, ""},
	} {
		require.Equal(t, c.want, ledger.TierOf(c.verdict, c.probability), "%s", c.verdict)
	}
}
