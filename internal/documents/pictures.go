package documents

import (
	"context"
	"errors"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/ocr"
	"sanad/internal/pdftext"
	"sanad/internal/words"
)

// readPicture returns the reader of a kind of picture, whose pages are read by OCR.
func readPicture(kind filetype.Type) func(context.Context, *file) (*Document, error) {
	return func(ctx context.Context, f *file) (*Document, error) {
		if f.opt.Pictures == nil {
			return nil, domain.Refuse(domain.Unsupported, f.place, "refused_picture_no_ocr", "Name", f.name)
		}
		t, err := f.opt.Pictures(ctx, f.data, nil)
		if err != nil {
			return nil, f.pictureFault(err)
		}
		d := &Document{MediaType: kind.MediaType, By: t.Reader}
		out := block.List{Blocks: []ledger.Block{}}
		var s scanned
		for i := range t.Pages {
			if t.Pages[i].Unread {
				s.unread = append(s.unread, i+1)
			}
			s.put(&out, i+1, t.Pages[i].Paragraphs)
		}
		if len(s.pages) == 0 && len(s.unread) > 0 {
			return nil, domain.Refuse(domain.TooLarge, f.place, "refused_picture_gave_up", "Name", f.name)
		}
		if len(s.pages) == 0 {
			return nil, domain.Refuse(domain.Invalid, f.place, "refused_picture_nothing", "Name", f.name)
		}
		s.warn(d, f.name, len(t.Pages))
		if t.More {
			d.warn("warning_picture_most", "Name", f.name, "N", ocr.MaxPages)
		}
		return f.finished(d, &out)
	}
}

// scanned is what was read from pictures of a file's pages.
type scanned struct {
	pages    []int // those with words
	unread   []int // those that were not read
	doubtful int   // words
}

// put adds the paragraphs of a page.
func (s *scanned) put(out *block.List, page int, paragraphs []ocr.Paragraph) {
	if len(paragraphs) > 0 {
		s.pages = append(s.pages, page)
	}
	for _, p := range paragraphs {
		s.doubtful += len(p.Doubtful)
		putScanned(out, p, page)
	}
}

// warn says what was read from pictures, and what was not.
func (s *scanned) warn(d *Document, name string, all int) {
	if len(s.pages) > 0 {
		d.warn("warning_picture_pages", "Name", name, "N", len(s.pages), "All", all, "List", someNumbers(s.pages),
			"Doubtful", s.doubtful)
	}
	if len(s.unread) > 0 {
		d.warn("warning_picture_unread", "Name", name, "N", len(s.unread), "All", all, "List", someNumbers(s.unread))
	}
}

// putScanned adds a paragraph that was read from a picture.
func putScanned(l *block.List, p ocr.Paragraph, page int) {
	n := len(l.Blocks)
	l.Put(p.Text, 0, page)
	if len(l.Blocks) == n {
		return
	}
	b := &l.Blocks[n]
	b.Scanned = true
	for _, w := range p.Doubtful {
		b.Doubtful = append(b.Doubtful, ledger.DoubtfulWord{Start: w.Start, End: w.End, Confidence: w.Confidence})
	}
}

// fewWords is how many words a page with a picture of its size has at least; one with fewer has a stamp or a page
// number over a scan.
const fewWords = 25

// unread lists the pages of a PDF whose words only their picture tells.
func unread(t *pdftext.Text) (out []int) {
	for i := range t.Pages {
		p := &t.Pages[i]
		if !p.Moved && (len(p.Paragraphs) == 0 || illegible(p) || p.Pictured && len(wordsOf(p)) < fewWords) {
			out = append(out, i+1)
		}
	}
	return out
}

// illegible reports whether the fonts of a page don't say which characters they draw.
func illegible(p *pdftext.Page) bool {
	runes := 0
	for i := range p.Paragraphs {
		runes += text.Len(p.Paragraphs[i].Text)
	}
	return p.Unmapped*4 >= runes && runes > 0
}

// wordsOf are the words of a page's text layer.
func wordsOf(p *pdftext.Page) map[string]bool {
	out := map[string]bool{}
	for i := range p.Paragraphs {
		for _, w := range strings.Fields(text.Fold(p.Paragraphs[i].Text)) {
			out[w] = true
		}
	}
	return out
}

// pictures is what OCR read of the pages of a PDF.
type pictures struct {
	words map[int][]ocr.Paragraph // by the number of the page
	by    string                  // the reader, "" if none was needed or is installed
	left  []int                   // pages that were not read
	most  bool                    // there are more pages than are read
}

// readPages reads the pages of a PDF that have no text of their own. What the text layer of a page says too is left
// out.
func (f *file) readPages(ctx context.Context, t *pdftext.Text) (out pictures, err error) {
	wanted := unread(t)
	if len(wanted) == 0 || f.opt.Pictures == nil {
		return out, nil
	}
	read, err := f.opt.Pictures(ctx, f.data, wanted)
	if errors.Is(err, ocr.ErrMissing) {
		return out, nil
	}
	if err != nil {
		return out, f.pictureFault(err)
	}
	out = pictures{words: map[int][]ocr.Paragraph{}, by: read.Reader, most: len(wanted) > len(read.Pages)}
	for i := range read.Pages {
		n := wanted[i]
		if read.Pages[i].Unread {
			out.left = append(out.left, n)
		}
		p := &t.Pages[n-1]
		if illegible(p) && len(read.Pages[i].Paragraphs) > 0 {
			p.Paragraphs = nil
		}
		layer := wordsOf(p)
		for _, x := range read.Pages[i].Paragraphs {
			if !allIn(x.Text, layer) {
				out.words[n] = append(out.words[n], x)
			}
		}
	}
	out.left = append(out.left, wanted[len(read.Pages):]...)
	return out, nil
}

// allIn reports whether all of a text's words are among words.
func allIn(s string, words map[string]bool) bool {
	for _, w := range strings.Fields(text.Fold(s)) {
		if !words[w] {
			return false
		}
	}
	return true
}

// pictureFault explains why a picture cannot be read.
func (f *file) pictureFault(err error) error {
	var fault *pdftext.Fault
	if !errors.As(err, &fault) {
		return err
	}
	e := &domain.Error{Kind: domain.Invalid, Op: "documents.Read", Path: f.place, Err: err}
	switch {
	case errors.Is(err, ocr.ErrTooLarge):
		e.Kind, e.Message = domain.TooLarge, words.Msg("refused_picture_large", "Name", f.name, "Bound", boundOf(fault.Cause))
	case errors.Is(err, ocr.ErrGaveUp):
		e.Kind, e.Message = domain.TooLarge, words.Msg("refused_picture_gave_up", "Name", f.name)
	case errors.Is(err, pdftext.ErrBusy):
		e.Kind, e.Message = domain.Unavailable, words.Msg("refused_reading_busy", "File", f.name)
	default:
		e.Message = words.Msg("refused_picture_broken", "Name", f.name)
	}
	return e
}
