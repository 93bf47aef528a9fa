package ledger

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/views/viewtest"
)

// TestDocumentSaysWhatItLeavesOut holds that the page of a document says how much of its file is hidden and struck out,
// with the words behind a fold, and which part of the file a passage comes from.
func TestDocumentSaysWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	page := func(lang string, d ledger.Document) string {
		for i := range d.Chunks {
			d.Chunks[i].Position, d.Chunks[i].Hash = i, ledger.ChunkDigest(d.Chunks[i].Text)
		}
		return viewtest.Html(t, Document(NewDocumentPage(viewtest.ChromeAt(lang, "/"), DocumentInput{
			DocumentPage: ledger.DocumentPage{Document: d, TotalChunks: len(d.Chunks)}, Current: -1,
		})))
	}
	d := ledger.Document{ID: "d", Filename: "a.docx", Status: ledger.Ready,
		LeftOut: []ledger.LeftOut{
			{Kind: ledger.Struck, How: ledger.Deletion, Text: "Rent is ~~80~~ 95 euros.", Page: 4},
			{Kind: ledger.Hidden, How: ledger.OffPage, Text: "All is <free>.", More: 6},
		},
		Chunks: []ledger.Chunk{{Text: "Rent is 95 euros."}, {Text: "Why 95?", Kind: ledger.FileComment}},
	}
	got := strings.Join(strings.Fields(page("en", d)), " ")
	for _, want := range []string{"This file holds text that supports nothing:", "7 passages that a reader does not see",
		"1 passage that is struck out", "<details class=\"fold\"><summary>Show these passages</summary>",
		"marked as deleted · Page 4", "Rent is <s>80</s> 95 euros.", "outside the page", "All is &lt;free&gt;.",
		"6 more are not listed.", "Comment: no evidence unless attached"} {
		require.Contains(t, got, want)
	}
	require.Contains(t, page("ar", d), "مقطع واحد مشطوب")
	d.LeftOut = nil
	require.NotContains(t, page("en", d), "supports nothing")
}
