package importers

import (
	"bytes"
	"context"
	"errors"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/isolated"
	"sanad/internal/pdftext"
	"sanad/internal/words"
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
		return nil, domain.Refuse(domain.Invalid, place, "refused_pdf_cut", "Name", name)
	}
	if !t.Readable() {
		return nil, &domain.Error{Kind: domain.Invalid, Path: place, Message: noWords(name, t)}
	}
	if !whole {
		b.warn(place, words.Msg("warning_pdf_cut", "Name", name))
	}
	out := blockList{blocks: []ledger.Block{}}
	var empty []int
	for i := range t.Pages {
		if len(t.Pages[i].Paragraphs) == 0 && !t.Pages[i].Moved {
			empty = append(empty, i+1)
		}
		out.putPage(t.Pages[i].Paragraphs, i+1)
		for _, h := range t.Pages[i].Hidden {
			out.leave(ledger.Hidden, hiddenHows[h.Reason], h.Text, i+1)
		}
	}
	if len(empty) > 0 {
		b.warn(place, words.Msg("warning_pdf_pages", "Name", name, "N", len(empty), "All", len(t.Pages),
			"List", someNumbers(empty)))
	}
	if out.over != nil {
		return nil, domain.Refuse(domain.TooLarge, place, "refused_file_large", "File", name,
			"Bound", boundOf(out.over))
	}
	if out.runes > b.opt.DocumentBytes {
		return nil, domain.Refuse(domain.TooLarge, place, "refused_file_text", "Name", name, "N", out.runes,
			"Most", b.opt.DocumentBytes)
	}
	b.warnLeftOut(place, name, out.left)
	return &documentWire{Text: new(string), blocks: out.blocks, textBy: t.Reader, left: out.left}, nil
}

// hiddenHows are the reasons why no reader sees words of a page, as they are stored.
var hiddenHows = map[pdftext.Reason]ledger.LeftOutHow{
	pdftext.Invisible: ledger.Transparent, pdftext.SameColour: ledger.SameColor, pdftext.OffPage: ledger.OffPage,
	pdftext.Clipped: ledger.OffPage, pdftext.Covered: ledger.Covered, pdftext.Tiny: ledger.Tiny,
	pdftext.Layer: ledger.HiddenFormat,
}

// pdfPartKinds are the parts of a page, as they are stored.
var pdfPartKinds = map[pdftext.Part]ledger.PartKind{pdftext.Head: ledger.PageHeader, pdftext.Foot: ledger.PageFooter,
	pdftext.Remark: ledger.FileNote, pdftext.Comment: ledger.FileComment}

// afterMark is how many bytes readers let follow the mark that ends a PDF.
const afterMark = 1024

// endsWhole reports whether a PDF ends with its end mark (ISO 32000-1, 7.5.5). Readers mend much, also a file that ends
// too early. One that is made for reading page by page, or was changed, has a mark further up too, which says nothing.
func endsWhole(data []byte) bool {
	data = bytes.TrimRight(data, "\x00\t\n\f\r ")
	return bytes.Contains(data[max(0, len(data)-afterMark):], []byte("%%EOF"))
}

// noWords explains why no text was found in a PDF.
func noWords(name string, t *pdftext.Text) domain.Message {
	for i := range t.Pages {
		if t.Pages[i].Unmapped > 0 {
			return words.Msg("refused_pdf_fonts", "Name", name)
		}
	}
	return words.Msg("refused_pdf_layer", "Name", name, "N", len(t.Pages))
}

// pdfFault explains what is wrong with a PDF and how to fix it.
func pdfFault(place, name string, err error) error {
	var f *pdftext.Fault
	if !errors.As(err, &f) {
		return err
	}
	var where any = name
	if f.Page > 0 {
		where = words.Msg("file_page", "Name", name, "N", f.Page)
	}
	e := &domain.Error{Kind: domain.Invalid, Op: "importers.FromForm", Path: place, Err: err}
	switch {
	case errors.Is(err, pdftext.ErrEncrypted):
		e.Message = words.Msg("refused_pdf_locked", "File", where)
	case errors.Is(err, pdftext.ErrTooLarge):
		e.Kind = domain.TooLarge
		e.Message = words.Msg("refused_file_large", "File", where, "Bound", boundOf(f.Cause))
	case errors.Is(err, pdftext.ErrGaveUp):
		e.Kind, e.Message = domain.TooLarge, words.Msg("refused_pdf_gave_up", "File", where)
	case errors.Is(err, pdftext.ErrBusy):
		e.Kind, e.Message = domain.Unavailable, words.Msg("refused_reading_busy", "File", where)
	default:
		e.Message = words.Msg("refused_pdf_broken", "File", where)
	}
	return e
}

// boundOf returns which bound a file exceeds.
func boundOf(cause error) domain.Message {
	bound := &isolated.Bound{}
	errors.As(cause, &bound)
	return bound.Message
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
	cells  int // of all tables
	again  int // code points of merged cells that are repeated
	left   []ledger.LeftOut
	kind   ledger.PartKind // of the blocks that are added
	over   error           // the bound that is exceeded, nil if none; nothing more is added then
}

// countCell counts a table's cell.
func (l *blockList) countCell() {
	if l.cells++; l.cells > mostCells {
		l.over = isolated.Over(words.Msg("bound_cells", "N", mostCells))
	}
}

func (l *blockList) put(s string, level, page int) {
	if len(l.blocks) >= mostBlocks {
		l.over = isolated.Over(words.Msg("bound_paragraphs", "N", mostBlocks))
	}
	if l.over != nil {
		return
	}
	n := text.Len(s)
	l.blocks = append(l.blocks, ledger.Block{Text: s, Level: level, Page: page, Kind: l.kind,
		Span: text.Span{Start: l.runes, End: l.runes + n}})
	l.runes += n + 2
}

// someNumbers lists the first few of many numbers.
func someNumbers(n []int) (out words.List) {
	const most = 12
	for _, x := range n[:min(len(n), most)] {
		out = append(out, x)
	}
	if len(n) > most {
		out = append(out, "…")
	}
	return out
}

// append adds the blocks of another list, and what it leaves out.
func (l *blockList) append(o *blockList) {
	left := o.left
	for _, b := range o.blocks {
		for len(left) > 0 && left[0].At <= b.Span.Start {
			l.leave(left[0].Kind, left[0].How, left[0].Text, 0)
			left = left[1:]
		}
		l.put(b.Text, b.Level, b.Page)
	}
	for _, x := range left {
		l.leave(x.Kind, x.How, x.Text, 0)
	}
}
