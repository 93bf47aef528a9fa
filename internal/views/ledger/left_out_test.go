package ledger

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
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
			DocumentPage: ledger.DocumentPage{Document: d, TotalChunks: len(d.Chunks), Comments: len(d.LeftOut) / 2}, Current: -1,
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
	for _, want := range []string{"This file contains text that does not count as evidence:", "7 hidden passages",
		"1 struck-out passage", "<details class=\"fold\"><summary>Show these passages</summary>",
		"marked as deleted · Page 4", "Rent is <s>80</s> 95 euros.", "outside the page", "All is &lt;free&gt;.",
		"6 more passages are not listed.", "Comment: not evidence unless attached",
		"This file contains 1 comment. Comments count as evidence only if"} {
		require.Contains(t, got, want)
	}
	require.Contains(t, page("ar", d), "مقطع مشطوب واحد")
	d.LeftOut = nil
	require.NotContains(t, page("en", d), "supports nothing")
	require.NotContains(t, page("en", d), "This file contains")
}

// TestDoubtfulWordsAreMarked holds that a passage that was read from a picture says so, and that a doubtful word has a
// sign behind it and words for who hears the page, also within the passage that a claim leans on.
func TestDoubtfulWordsAreMarked(t *testing.T) {
	t.Parallel()
	d := ledger.Document{ID: "d", Filename: "a.pdf", Status: ledger.Ready, TextBy: "sanad + tesseract 5.3.0 (ara+eng)",
		Chunks: []ledger.Chunk{{Text: "Typed 12."}, {Position: 1, Text: "Rent is 95 euros.", Page: 2, Scanned: true,
			Doubtful: []ledger.DoubtfulWord{{Start: 8, End: 10, Confidence: 41}}}}}
	for i := range d.Chunks {
		d.Chunks[i].Hash = ledger.ChunkDigest(d.Chunks[i].Text)
	}
	page := func(lang string) string {
		return strings.Join(strings.Fields(viewtest.Html(t, Document(NewDocumentPage(viewtest.ChromeAt(lang, "/"), DocumentInput{
			DocumentPage: ledger.DocumentPage{Document: d, TotalChunks: 2}, Current: 1, Span: &text.Span{Start: 5, End: 10},
		})))), " ")
	}
	got := page("en")
	require.Equal(t, 1, strings.Count(got, "Read from a picture"))
	require.Regexp(t, `<span class="doubtful">\s?95\s?<span class="doubt-sign" aria-hidden="true">\[\?\]</span>`+
		`<span class="vh"> \(doubtful, confidence 41 of 100\)</span>`, got)
	require.Equal(t, 1, strings.Count(got, `class="doubtful"`))
	require.Contains(t, got, "tesseract 5.3.0 (ara+eng)")
	require.Contains(t, page("ar"), "مشكوك في قراءته، الثقة")
}

// TestUndecidedMatches holds that a match whose figures OCR was not sure of is called neither a support nor a
// contradiction.
func TestUndecidedMatches(t *testing.T) {
	c := ledger.Claim{Matches: []ledger.Match{{Contradicts: true}, {Support: ledger.Full}, {Support: ledger.Partial}}}
	said := func() (out []string) {
		for i := range c.Matches {
			out = append(out, matchKey(&c, &c.Matches[i])+" "+supportWord(&c, &c.Matches[i]))
		}
		return out
	}
	want := []string{"contradicted support_contradicts", "supported support_full", "weak support_partial"}
	require.Equal(t, want, said())
	c.Checks.Doubtful = []int{0, 1, 2}
	want = []string{"weak support_doubtful", "weak support_doubtful", "weak support_partial"}
	require.Equal(t, want, said())
}
