package importers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/isolated"
	"sanad/internal/pdftext"
	"sanad/internal/strictjson"
)

// readPDF reads a PDF page by page, so that every chunk knows its page.
func (b *builder) readPDF(ctx context.Context, place, name string, data []byte) (*documentWire, error) {
	read := b.opt.PDF
	if read == nil {
		read = func(_ context.Context, data []byte) (*pdftext.Text, error) {
			return pdftext.Read(data, pdftext.Limits{})
		}
	}
	t, err := read(ctx, data)
	if err != nil {
		return nil, pdfFault(place, name, err)
	}
	whole := endsWhole(data)
	if !t.Readable() && !whole {
		return nil, domain.Invalidf(place, "%s ends too early, without %%%%EOF: it was cut off on its way. Send it whole.", name).
			Worded("pdf_cut")
	}
	if !t.Readable() {
		return nil, domain.Invalidf(place, "%s", noWords(name, t))
	}
	if !whole {
		b.warn(place, name+" ends too early, without %%EOF: it was cut off on its way, and pages may be missing. Send it whole.")
	}
	out := blockList{blocks: []ledger.Block{}}
	var empty []int
	for i := range t.Pages {
		if len(t.Pages[i].Paragraphs) == 0 {
			empty = append(empty, i+1)
		}
		out.putPage(t.Pages[i].Paragraphs, i+1)
	}
	if len(empty) > 0 {
		b.warn(place, fmt.Sprintf("%s has no text on %s of its %d pages (%s): nothing can be found there. If they are scans, run OCR first.",
			name, strictjson.Grouped(len(empty)), len(t.Pages), someNumbers(empty)))
	}
	if out.over != nil {
		return nil, domain.TooLargef(place, "%s is too large: %v. Split it.", name, out.over)
	}
	if out.runes > b.opt.DocumentBytes {
		return nil, domain.TooLargef(place, "%s has %s characters of text, more than %s; split it.", name,
			strictjson.Grouped(out.runes), strictjson.Grouped(b.opt.DocumentBytes))
	}
	return &documentWire{Text: new(string), blocks: out.blocks, textBy: t.Reader}, nil
}

// afterMark is how many bytes readers let follow the mark that ends a PDF.
const afterMark = 1024

// endsWhole reports whether a PDF ends with its end mark (ISO 32000-1, 7.5.5). Readers mend much, also a file that ends too
// early. One that is made for reading page by page, or was changed, has a mark further up too, which says nothing.
func endsWhole(data []byte) bool {
	data = bytes.TrimRight(data, "\x00\t\n\f\r ")
	return bytes.Contains(data[max(0, len(data)-afterMark):], []byte("%%EOF"))
}

// noWords explains why no text was found in a PDF.
func noWords(name string, t *pdftext.Text) string {
	for i := range t.Pages {
		if t.Pages[i].Unmapped > 0 {
			return fmt.Sprintf("The text of %s cannot be told: its fonts don't say which characters they draw. Print it to a new PDF, or run OCR first.", name)
		}
	}
	return fmt.Sprintf("%s has no text layer: its %d page(s) are pictures, perhaps scans. Run OCR first (for example ocrmypdf) and upload the result.", name, len(t.Pages))
}

// pdfFault explains what is wrong with a PDF and how to fix it.
func pdfFault(place, name string, err error) error {
	var f *pdftext.Fault
	if !errors.As(err, &f) {
		return err
	}
	where := name
	if f.Page > 0 {
		where = fmt.Sprintf("%s, page %d", name, f.Page)
	}
	e := &domain.Error{Kind: domain.Invalid, Op: "importers.FromForm", Path: place, Err: err}
	switch {
	case errors.Is(err, pdftext.ErrEncrypted):
		e.Msg = where + " is encrypted and needs a password; save it without one and upload that."
	case errors.Is(err, pdftext.ErrTooLarge):
		e.Kind, e.Msg = domain.TooLarge, fmt.Sprintf("%s is too large: %v. Split it.", where, f.Cause)
	case errors.Is(err, pdftext.ErrGaveUp):
		e.Kind, e.Msg = domain.TooLarge, where+
			" took too much time or memory to read; print it to a new PDF, or split it."
	case errors.Is(err, pdftext.ErrBusy):
		e.Kind, e.Msg = domain.Unavailable, "This server is busy reading other files, so "+where+
			" was not read and nothing was stored. Try again in a minute."
	default:
		e.Msg = where + " is broken or no whole PDF; open it in a viewer, print it to a new PDF and upload that."
	}
	return e
}

// Slow reports whether a file took too long, or too much memory, to be read; a job has more time.
func Slow(err error) bool { return errors.Is(err, isolated.ErrGaveUp) }

// Busy reports whether a file was not read because too many others were being read; the caller may retry
// a little later.
func Busy(err error) bool { return errors.Is(err, isolated.ErrBusy) }

// blockList collects blocks, with spans as if they were separated by empty lines.
type blockList struct {
	blocks []ledger.Block
	runes  int
	cells  int   // of all tables
	again  int   // code points of merged cells that are repeated
	over   error // the bound that is exceeded, nil if none; nothing more is added then
}

// countCell counts a table's cell.
func (l *blockList) countCell() {
	if l.cells++; l.cells > mostCells {
		l.over = overBound("its tables have more than %s cells", mostCells)
	}
}

func (l *blockList) put(s string, level, page int) {
	if len(l.blocks) >= mostBlocks {
		l.over = overBound("it has more than %s paragraphs", mostBlocks)
	}
	if l.over != nil {
		return
	}
	n := text.Len(s)
	l.blocks = append(l.blocks, ledger.Block{Text: s, Level: level, Page: page,
		Span: text.Span{Start: l.runes, End: l.runes + n}})
	l.runes += n + 2
}

// someNumbers lists the first few of many numbers.
func someNumbers(n []int) string {
	const most = 12
	var parts []string
	for _, x := range n[:min(len(n), most)] {
		parts = append(parts, fmt.Sprint(x))
	}
	if len(n) > most {
		parts = append(parts, "…")
	}
	return strings.Join(parts, ", ")
}
