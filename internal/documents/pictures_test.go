package documents

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/isolated"
	"sanad/internal/ocr"
	"sanad/internal/pdftext"
)

// layer makes a page with a text layer.
func layer(unmapped int, pictured bool, paragraphs ...string) pdftext.Page {
	p := pdftext.Page{Unmapped: unmapped, Pictured: pictured}
	for _, s := range paragraphs {
		p.Paragraphs = append(p.Paragraphs, pdftext.Paragraph{Text: s})
	}
	return p
}

// TestPagesThatOnlyTheirPictureTells: pages without a text layer are read, and those with an illegible one, or with a
// stamp over a scan, of which the stamp's words are not doubled. Other pages are left as they are.
func TestPagesThatOnlyTheirPictureTells(t *testing.T) {
	pages := []pdftext.Page{layer(0, false, "Typed words of a long first page."), layer(0, true),
		layer(9, false, "\ufffd\ufffd\ufffd\ufffd"), layer(0, true, "Received 3 May"), {Moved: true}, layer(0, false)}
	var asked []int
	opt := Options{Bytes: 1 << 20, PDF: func(context.Context, []byte) (*pdftext.Text, error) {
		return &pdftext.Text{Reader: pdftext.Own, Pages: slices.Clone(pages)}, nil
	}, Pictures: func(_ context.Context, _ []byte, wanted []int) (*ocr.Text, error) {
		asked = wanted
		out := &ocr.Text{Reader: "tesseract 5 (eng)"}
		for _, n := range wanted {
			page := ocr.Page{Paragraphs: []ocr.Paragraph{{Text: "Received 3 May"}, {Text: fmt.Sprintf("Read of %d", n),
				Doubtful: []ocr.Word{{Start: 8, End: 9, Confidence: 12}}}}}
			if n == 6 {
				page = ocr.Page{}
			}
			if n == 7 {
				page = ocr.Page{Unread: true}
			}
			out.Pages = append(out.Pages, page)
		}
		return out, nil
	}}
	d, err := readAs("a.pdf", []byte("%PDF-1.7\n%%EOF"), opt)
	require.NoError(t, err)
	require.Equal(t, []int{2, 3, 4, 6}, asked)
	require.Equal(t, "sanad + tesseract 5 (eng)", d.By)
	var got []string
	for _, b := range d.Blocks {
		got = append(got, fmt.Sprint(b.Page, b.Text, b.Scanned))
	}
	require.Equal(t, []string{"1Typed words of a long first page.false", "2Received 3 Maytrue", "2Read of 2true",
		"3Received 3 Maytrue", "3Read of 3true", "4Received 3 Mayfalse", "4Read of 4true"}, got)
	require.Equal(t, []ledger.DoubtfulWord{{Start: 8, End: 9, Confidence: 12}}, d.Blocks[2].Doubtful)
	require.Contains(t, fmt.Sprint(d.Warnings), "3 of 6 pages are pictures (2, 3, 4)")
	require.Contains(t, fmt.Sprint(d.Warnings), "3 words are marked as doubtful")
	require.Contains(t, fmt.Sprint(d.Warnings), "no text on 1 of its 6 pages (6), and OCR found no words")
	require.NotContains(t, fmt.Sprint(d.Warnings), "OCR did not read")

	pages = append(pages, layer(0, false))
	d, err = readAs("a.pdf", []byte("%PDF-1.7\n%%EOF"), opt)
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(d.Warnings), "no text on 1 of its 7 pages (6), and OCR found no words")
	require.Contains(t, fmt.Sprint(d.Warnings), "OCR did not read 1 of 7 pages (7)")
	pages = pages[:6]

	read := opt.Pictures
	opt.Pictures = nil // not installed
	d, err = readAs("a.pdf", []byte("%PDF-1.7\n%%EOF"), opt)
	require.NoError(t, err)
	require.Equal(t, "sanad", d.By)
	require.Contains(t, fmt.Sprint(d.Warnings), "no text on 2 of its 6 pages (2, 6)")
	require.Contains(t, fmt.Sprint(d.Warnings), "tesseract-ocr-ara")

	pages = make([]pdftext.Page, ocr.MaxPages+1)
	opt.Pictures = func(ctx context.Context, data []byte, wanted []int) (*ocr.Text, error) {
		return read(ctx, data, wanted[:ocr.MaxPages])
	}
	d, err = readAs("a.pdf", []byte("%PDF-1.7\n%%EOF"), opt)
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(d.Warnings), "only the first 200 were")
	require.Contains(t, fmt.Sprint(d.Warnings), "OCR did not read 2 of 201 pages (7, 201)")

	pages = pages[:1]
	for id, c := range map[string]struct {
		err error
		msg string
	}{
		"gave up": {&isolated.Fault{Kind: isolated.ErrGaveUp, Cause: fmt.Errorf("slow")},
			"took too much time or memory to read; split"},
		"busy":      {&isolated.Fault{Kind: isolated.ErrBusy, Cause: fmt.Errorf("busy")}, "many other files"},
		"missing":   {&isolated.Fault{Kind: ocr.ErrMissing, Cause: fmt.Errorf("none")}, "tesseract-ocr-ara"},
		"no words":  {nil, "OCR found no words on its 1 page"},
		"ours":      {fmt.Errorf("did not start"), "did not start"},
		"cancelled": {context.Canceled, "context canceled"},
	} {
		opt.Pictures = func(context.Context, []byte, []int) (*ocr.Text, error) {
			return &ocr.Text{Reader: "tesseract 5 (eng)", Pages: make([]ocr.Page, 1)}, c.err
		}
		_, err := readAs("a.pdf", []byte("%PDF-1.7\n%%EOF"), opt)
		require.ErrorContains(t, err, c.msg, id)
	}
}

// TestPictures: a picture is a document of its own, each of its pages a page.
func TestPictures(t *testing.T) {
	opt := Options{Bytes: 1 << 20, Pictures: func(_ context.Context, _ []byte, wanted []int) (*ocr.Text, error) {
		require.Nil(t, wanted)
		return &ocr.Text{Reader: "tesseract 5 (ara+eng)", Pages: []ocr.Page{{Paragraphs: []ocr.Paragraph{{Text: "One"}}}, {},
			{Paragraphs: []ocr.Paragraph{{Text: "Three"}}}}}, nil
	}}
	d, err := readAs("a.tif", []byte("II*\x00"), opt)
	require.NoError(t, err)
	require.Equal(t, "image/tiff", d.MediaType)
	require.Equal(t, "tesseract 5 (ara+eng)", d.By)
	require.Len(t, d.Blocks, 2)
	require.Equal(t, []any{"Three", 3, true}, []any{d.Blocks[1].Text, d.Blocks[1].Page, d.Blocks[1].Scanned})
	for _, more := range []bool{false, true} {
		opt.Pictures = func(context.Context, []byte, []int) (*ocr.Text, error) {
			one := []ocr.Page{{Paragraphs: []ocr.Paragraph{{Text: "One"}}}}
			return &ocr.Text{Pages: slices.Repeat(one, ocr.MaxPages), More: more}, nil
		}
		d, err = readAs("a.tif", []byte("II*\x00"), opt)
		require.NoError(t, err)
		require.Equal(t, more, strings.Contains(fmt.Sprint(d.Warnings), "only the first 200 were"))
	}
	for _, n := range []int{0, 1} {
		opt.Pictures = func(context.Context, []byte, []int) (*ocr.Text, error) {
			return &ocr.Text{Pages: make([]ocr.Page, n)}, nil
		}
		_, err = readAs("a.png", []byte("\x89PNG"), opt)
		require.ErrorContains(t, err, "OCR found no words in a.png")
	}
}
