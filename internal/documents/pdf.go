package documents

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"sanad/internal/documents/block"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/isolated"
	"sanad/internal/ocr"
	"sanad/internal/pdftext"
	"sanad/internal/words"
)

// readPDF reads a PDF page by page, so that every chunk knows its page.
func readPDF(ctx context.Context, f *file) (*Document, error) {
	read := f.opt.PDF
	if read == nil {
		read = func(_ context.Context, data []byte) (*pdftext.Text, error) {
			return pdftext.Read(data, pdftext.Limits{})
		}
	}
	t, err := read(ctx, f.data)
	if err != nil {
		return nil, f.pdfFault(err)
	}
	whole := endsWhole(f.data)
	pictures, err := f.readPages(ctx, t)
	if err != nil {
		return nil, err
	}
	if len(pictures.words) == 0 && !t.Readable() {
		return nil, f.noWords(t, whole, &pictures)
	}
	d := &Document{By: t.Reader}
	if len(pictures.words) > 0 {
		d.By += " + " + pictures.by
	}
	if !whole {
		d.warn("warning_pdf_cut", "Name", f.name)
	}
	out := block.List{Blocks: []ledger.Block{}}
	var empty []int
	s := scanned{unread: pictures.left}
	for i := range t.Pages {
		if len(t.Pages[i].Paragraphs) == 0 && !t.Pages[i].Moved && len(pictures.words[i+1]) == 0 &&
			!slices.Contains(s.unread, i+1) {
			empty = append(empty, i+1)
		}
		putPage(&out, t.Pages[i].Paragraphs, i+1)
		s.put(&out, i+1, pictures.words[i+1])
		for _, h := range t.Pages[i].Hidden {
			out.Leave(ledger.Hidden, hiddenHows[h.Reason], h.Text, i+1)
		}
	}
	s.warn(d, f.name, len(t.Pages))
	if len(empty) > 0 {
		id := "warning_pdf_pages"
		if pictures.by != "" {
			id = "warning_pdf_pages_read"
		}
		d.warn(id, "Name", f.name, "N", len(empty), "All", len(t.Pages), "List", someNumbers(empty))
	}
	if pictures.most {
		d.warn("warning_picture_most", "Name", f.name, "N", ocr.MaxPages)
	}
	return f.finished(d, &out)
}

// finished puts the blocks of a file into its document, unless they are too many.
func (f *file) finished(d *Document, out *block.List) (*Document, error) {
	if out.Over != nil {
		return nil, domain.Refuse(domain.TooLarge, f.place, "refused_file_large", "File", f.name,
			"Bound", boundOf(out.Over))
	}
	if err := f.checkRunes(out.Runes); err != nil {
		return nil, err
	}
	d.Blocks, d.Left = out.Blocks, out.Left
	return d, nil
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
func (f *file) noWords(t *pdftext.Text, whole bool, p *pictures) error {
	if !whole {
		return domain.Refuse(domain.Invalid, f.place, "refused_pdf_cut", "Name", f.name)
	}
	for i := range t.Pages {
		if t.Pages[i].Unmapped > 0 {
			return domain.Refuse(domain.Invalid, f.place, "refused_pdf_fonts", "Name", f.name)
		}
	}
	id := "refused_pdf_layer"
	switch {
	case len(p.left) > 0:
		return domain.Refuse(domain.TooLarge, f.place, "refused_picture_gave_up", "Name", f.name)
	case p.by != "":
		id = "refused_pdf_nothing"
	}
	return domain.Refuse(domain.Invalid, f.place, id, "Name", f.name, "N", len(t.Pages))
}

// pdfFault explains what is wrong with a PDF and how to fix it.
func (f *file) pdfFault(err error) error {
	var fault *pdftext.Fault
	if !errors.As(err, &fault) {
		return err
	}
	var where any = f.name
	if fault.Page > 0 {
		where = words.Msg("file_page", "Name", f.name, "N", fault.Page)
	}
	e := &domain.Error{Kind: domain.Invalid, Op: "documents.Read", Path: f.place, Err: err}
	switch {
	case errors.Is(err, pdftext.ErrEncrypted):
		e.Message = words.Msg("refused_file_locked", "File", where)
	case errors.Is(err, pdftext.ErrTooLarge):
		e.Kind = domain.TooLarge
		e.Message = words.Msg("refused_file_large", "File", where, "Bound", boundOf(fault.Cause))
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
