package documents

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/isolated"
	"sanad/internal/pdftext"
	"sanad/internal/words"
)

func pdfFixture(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../pdftext/testdata/" + name + ".pdf")
	require.NoError(t, err)
	return data
}

// TestPDF checks that each chunk has its page and headings, and that the document names the reader that
// extracted its text.
func TestPDF(t *testing.T) {
	for name, want := range map[string]map[string]int{
		"chromium.en":    {"15 days of paid annual leave": 1, "OMR 45.500": 2, "10 weeks": 3},
		"libreoffice.en": {"15 days of paid annual leave": 1, "OMR 45.500": 2, "10 weeks": 3},
		"chromium.ar":    {"15 يومًا في كل سنة": 1, "45.500 ريا": 2, "10 أسابيع": 3},
		"libreoffice.ar": {"15 يومًا في كل سنة": 1, "45.500 ريا": 2, "10 أسابيع": 3},
	} {
		d := mustRead(t, "policy.pdf", pdfFixture(t, name))
		require.Equal(t, []string{"application/pdf", pdftext.Own}, []string{d.MediaType, d.By})
		require.Empty(t, d.Warnings)
		for words, page := range want {
			i := slices.IndexFunc(d.Chunks, func(c ledgerChunk) bool { return strings.Contains(c.Text, words) })
			require.GreaterOrEqual(t, i, 0, "%s: %s", name, words)
			require.Equal(t, page, d.Chunks[i].Page, "%s: %s", name, words)
			require.Len(t, d.Chunks[i].HeadingPath, 2, "%s: %s: %v", name, words, d.Chunks[i].HeadingPath)
		}
	}
}

// TestPDFThatWasCutOff: a file without its end is not called a scan, and what was read of it is not taken for all of
// it.
func TestPDFThatWasCutOff(t *testing.T) {
	pages := []pdftext.Page{{}}
	opt := Options{PDF: func(context.Context, []byte) (*pdftext.Text, error) { return &pdftext.Text{Pages: pages}, nil }}
	data := []byte("%PDF-1.7\n1 0 obj")
	_, err := readAs("a.pdf", data, opt)
	require.ErrorContains(t, err, "a.pdf ends too early, without %%EOF: it was cut off in transfer. Send it whole.")
	pages[0].Paragraphs = []pdftext.Paragraph{{Text: "Leave is 15 days."}}
	d, err := readAs("a.pdf", data, opt)
	require.NoError(t, err)
	require.Len(t, d.Warnings, 1)
	require.Contains(t, d.Warnings[0].String(), "pages may be missing")
	data = []byte("%PDF-1.7\n%%EOF\n" + strings.Repeat("1 0 obj\n", 500)) // the mark of its first page alone
	d, err = readAs("a.pdf", data, opt)
	require.NoError(t, err)
	require.Len(t, d.Warnings, 1)
	pages[0].Paragraphs = nil
	_, err = readAs("a.pdf", data, opt)
	var fault *domain.Error
	require.ErrorAs(t, err, &fault)
	require.Equal(t, "refused_pdf_cut", fault.Message.ID)
	pages[0].Paragraphs = []pdftext.Paragraph{{Text: "Leave is 15 days."}}
	data = append(data, "\n%%EOF\n\n"+strings.Repeat("\x00", 5000)...)
	d, err = readAs("a.pdf", data, opt)
	require.NoError(t, err)
	require.Empty(t, d.Warnings)
}

// TestPDFFaults checks that errors name the file, the page and how to fix it.
func TestPDFFaults(t *testing.T) {
	page := func(words string) pdftext.Page {
		if words == "" {
			return pdftext.Page{}
		}
		return pdftext.Page{Paragraphs: []pdftext.Paragraph{{Text: words}}, Unmapped: strings.Count(words, "\ufffd")}
	}
	cause, bound := errors.New("inner words"), isolated.Over(words.Msg("bound_pages", "N", 9, "Most", 8))
	for name, c := range map[string]struct {
		text *pdftext.Text
		err  error
		kind domain.Kind
		msg  string
	}{
		"scanned": {text: &pdftext.Text{Pages: make([]pdftext.Page, 4)}, kind: domain.Invalid,
			msg: "a.pdf has no text layer: its 4 page(s) are pictures, perhaps scans. Run OCR first"},
		"unnamed": {text: &pdftext.Text{Pages: []pdftext.Page{page("\ufffd\ufffd\ufffd a")}}, kind: domain.Invalid,
			msg: "fonts do not say which characters"},
		"encrypted": {err: &pdftext.Fault{Kind: pdftext.ErrEncrypted, Cause: cause}, kind: domain.Invalid,
			msg: "a.pdf is encrypted and needs a password; save it without one"},
		"broken": {err: &pdftext.Fault{Kind: pdftext.ErrBroken, Page: 7, Cause: cause}, kind: domain.Invalid,
			msg: "a.pdf, page 7 is damaged"},
		"too large": {err: &pdftext.Fault{Kind: pdftext.ErrTooLarge, Cause: bound},
			kind: domain.TooLarge, msg: "it has 9 pages, more than 8. Split it"},
		"too slow": {err: &pdftext.Fault{Kind: pdftext.ErrGaveUp, Cause: cause}, kind: domain.TooLarge,
			msg: "too much time or memory"},
		"too long": {text: &pdftext.Text{Pages: []pdftext.Page{page(strings.Repeat("a ", 6000))}},
			kind: domain.TooLarge, msg: "characters of text"},
	} {
		opt := Options{Bytes: 10_000,
			PDF: func(context.Context, []byte) (*pdftext.Text, error) { return c.text, c.err }}
		_, err := readAs("a.pdf", []byte("%PDF-1.7\n%%EOF\n"), opt)
		e := tidy(t, err)
		require.Equal(t, c.kind, e.Kind, name)
		require.Equal(t, "files[0]", e.Path, name)
		require.Contains(t, e.Text(), c.msg, name)
		require.NotContains(t, e.Safe(), "inner words", name)
	}
	// pages without text among others cause a warning, not a refusal
	opt := Options{PDF: func(context.Context, []byte) (*pdftext.Text, error) {
		return &pdftext.Text{Reader: pdftext.Poppler,
			Pages: []pdftext.Page{page("Leave is 15 days."), {}, page("Sick leave.")}}, nil
	}}
	d, err := readAs("a.pdf", []byte("%PDF-1.7\n%%EOF\n"), opt)
	require.NoError(t, err)
	require.Len(t, d.Warnings, 1)
	require.Contains(t, d.Warnings[0].String(), "a.pdf has no text on 1 of its 3 pages (2)")
	require.Equal(t, []int{1, 3}, []int{d.Chunks[0].Page, d.Chunks[1].Page})
	require.Equal(t, pdftext.Poppler, d.By)
}

// TestPDFParts: what a page hides is listed with its reason and supports nothing; running heads, notes and remarks are
// parts of their own; what stands raised is no part of the figure before it.
func TestPDFParts(t *testing.T) {
	hidden := func(r pdftext.Reason) pdftext.Hidden { return pdftext.Hidden{Text: "Told by " + string(r), Reason: r} }
	pages := []pdftext.Page{
		{Paragraphs: []pdftext.Paragraph{{Text: "House rules", Part: pdftext.Head}, {Text: "Draft of May", Part: pdftext.Foot},
			{Text: "Seen by Sam", Part: pdftext.Remark}, {Text: "Is this so?", Part: pdftext.Comment},
			{Text: "Guests leave after 30\ufdd01\ufdd3 days."}}},
		{Moved: true, Hidden: []pdftext.Hidden{hidden(pdftext.Invisible), hidden(pdftext.SameColour), hidden(pdftext.OffPage),
			hidden(pdftext.Clipped), hidden(pdftext.Covered), hidden(pdftext.Tiny), hidden(pdftext.Layer)}},
	}
	opt := Options{PDF: func(context.Context, []byte) (*pdftext.Text, error) { return &pdftext.Text{Pages: pages}, nil }}
	d, err := readAs("a.pdf", []byte("%PDF-1.7\n%%EOF\n"), opt)
	require.NoError(t, err)
	require.Len(t, d.Warnings, 2)
	require.Contains(t, d.Warnings[1].String(), "a.pdf contains 1 comment")
	require.Contains(t, d.Warnings[0].String(), "Told by invisible", "and none of a page without words")
	kinds := map[string]ledger.PartKind{}
	for _, c := range d.Chunks {
		kinds[c.Text] = c.Kind
	}
	require.Equal(t, map[string]ledger.PartKind{"House rules": ledger.PageHeader, "Draft of May": ledger.PageFooter,
		"Seen by Sam": ledger.FileNote, "Is this so?": ledger.FileComment, "Guests leave after 30 days.": ledger.Body}, kinds)
	hows := map[ledger.LeftOutHow]bool{}
	for _, x := range d.Left {
		require.Equal(t, ledger.Hidden, x.Kind)
		require.Equal(t, 2, x.Page)
		require.NotEmpty(t, x.How)
		hows[x.How] = true
	}
	require.Equal(t, map[ledger.LeftOutHow]bool{ledger.Transparent: true, ledger.SameColor: true, ledger.OffPage: true,
		ledger.Covered: true, ledger.Tiny: true, ledger.HiddenFormat: true}, hows)
}
