package documents

import (
	"context"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/documents/webpage"
	"sanad/internal/documents/workbook"
	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/ocr"
	"sanad/internal/pdftext"
	"sanad/internal/words"
)

// Document is what a file says to its reader.
type Document struct {
	MediaType string         // one of filetype.Documents
	Title     string         // at most 500 code points; "" if the file has none
	Text      string         // of plain text and Markdown
	Blocks    []ledger.Block // of every other kind, in place of Text; not nil then
	Left      []ledger.LeftOut
	By        string // the reader that extracted the text; "" if the text stands in the file as it is
	Warnings  []domain.Message
	Inner     []block.Inner // files in the file, which are documents of their own: attachments of a mail
}

// Options are the limits and the processes of a reader.
type Options struct {
	Bytes int // of a document's text

	// PDF extracts the text of a PDF; nil means pdftext.Read, in this process. Errors that are not *pdftext.Fault are
	// internal.
	PDF func(ctx context.Context, data []byte) (*pdftext.Text, error)

	// Parse reads all other files with a structure; nil means Parse, in this process. Errors are those of Parse, faults of
	// package isolated, or internal.
	Parse func(ctx context.Context, mediaType string, data []byte) (*Parsed, error)

	// Pictures reads pages of a PDF by OCR, or the pages of a picture if pages is nil; nil where tesseract is not
	// installed. Errors are faults of package isolated, or internal.
	Pictures func(ctx context.Context, data []byte, pages []int) (*ocr.Text, error)
}

// Read reads a file, which it recognises by content and name. Errors are *domain.Error with the path place: Invalid,
// TooLarge, Unsupported for files of another kind, or Unavailable if too many files are being read. Any other error is
// internal.
func Read(ctx context.Context, place, name string, data []byte, opt Options) (*Document, error) {
	kind, err := KindOf(place, name, data)
	if err != nil {
		return nil, err
	}
	f := file{place: place, name: name, data: data, opt: opt}
	d, err := readers[kind.MediaType](ctx, &f)
	if err != nil {
		return nil, err
	}
	d.MediaType = kind.MediaType
	d.warnLeftOut(name)
	return d, nil
}

// file is a file that is read.
type file struct {
	place, name string // for errors
	data        []byte
	opt         Options
}

// readers has the reader of each of filetype.Documents.
var readers = map[string]func(context.Context, *file) (*Document, error){
	filetype.PDF.MediaType:        readPDF,
	filetype.DOCX.MediaType:       readParsed(filetype.DOCX),
	filetype.PlainText.MediaType:  readText,
	filetype.Markdown.MediaType:   readMarkdownFile,
	filetype.HTML.MediaType:       readHTMLFile,
	filetype.Mail.MediaType:       readParsed(filetype.Mail),
	filetype.WebArchive.MediaType: readParsed(filetype.WebArchive),
	filetype.Outlook.MediaType:    readParsed(filetype.Outlook),
	filetype.XLSX.MediaType:       readParsed(filetype.XLSX),
	filetype.CSV.MediaType:        readDelimited(filetype.CSV),
	filetype.TSV.MediaType:        readDelimited(filetype.TSV),
	filetype.PNG.MediaType:        readPicture(filetype.PNG),
	filetype.JPEG.MediaType:       readPicture(filetype.JPEG),
	filetype.TIFF.MediaType:       readPicture(filetype.TIFF),
	filetype.PPTX.MediaType:       readParsed(filetype.PPTX),
	filetype.ODT.MediaType:        readParsed(filetype.ODT),
	filetype.RTF.MediaType:        readParsed(filetype.RTF),
}

// readParsed returns the reader of a kind that a parser of parsers reads.
func readParsed(kind filetype.Type) func(context.Context, *file) (*Document, error) {
	return func(ctx context.Context, f *file) (*Document, error) { return f.parsed(ctx, kind.MediaType, f.data) }
}

func readText(_ context.Context, f *file) (*Document, error) {
	s, err := decodeText(f.place, f.name, f.data)
	if err != nil {
		return nil, err
	}
	return &Document{Text: s}, nil
}

func readMarkdownFile(ctx context.Context, f *file) (*Document, error) {
	d, err := readText(ctx, f)
	if err != nil {
		return nil, err
	}
	d.Text, d.Left = webpage.Markdown(d.Text)
	return d, nil
}

func readHTMLFile(ctx context.Context, f *file) (*Document, error) {
	s, ok := webpage.DecodeHTML(f.data)
	if !ok {
		return nil, domain.Refuse(domain.Invalid, f.place, "refused_file_utf8", "Name", f.name)
	}
	if strings.IndexByte(s, 0) >= 0 {
		return nil, notRead(f.place, words.Msg("refused_file_nul_signs", "Name", f.name))
	}
	return f.parsed(ctx, filetype.HTML.MediaType, []byte(s))
}

// readDelimited returns the reader of a text of cells: the text is decoded here, and parsed as UTF-8.
func readDelimited(kind filetype.Type) func(context.Context, *file) (*Document, error) {
	return func(ctx context.Context, f *file) (*Document, error) {
		s, encoding, ok := workbook.DecodeCells(f.data)
		if !ok {
			return nil, domain.Refuse(domain.Invalid, f.place, "refused_file_utf8", "Name", f.name)
		}
		if strings.IndexByte(s, 0) >= 0 {
			return nil, notRead(f.place, words.Msg("refused_file_nul_signs", "Name", f.name))
		}
		d, err := f.parsed(ctx, kind.MediaType, []byte(s))
		if err == nil && encoding != "" {
			d.warn("warning_csv_encoding", "Name", f.name, "Encoding", encoding)
		}
		return d, err
	}
}

// checkRunes refuses a text that is larger than a document's may be.
func (f *file) checkRunes(n int) error {
	if n > f.opt.Bytes {
		return domain.Refuse(domain.TooLarge, f.place, "refused_file_text", "Name", f.name, "N", n, "Most", f.opt.Bytes)
	}
	return nil
}

// warn adds a warning.
func (d *Document) warn(id string, args ...any) {
	d.Warnings = append(d.Warnings, words.Msg(id, args...))
}

// warnLeftOut says that a file holds text that supports nothing, or that does only if comments are switched on.
func (d *Document) warnLeftOut(name string) {
	hidden, struck := (&ledger.Document{LeftOut: d.Left}).CountLeftOut()
	if hidden > 0 {
		d.warn("warning_hidden", "Name", name, "N", hidden,
			"Words", words.Quoted(text.Slice(firstHidden(d.Left), text.Span{End: warnedLeftOut})))
	}
	if struck > 0 {
		d.warn("warning_struck", "Name", name, "N", struck)
	}
	comments := 0
	for i := range d.Blocks {
		if d.Blocks[i].Kind == ledger.FileComment {
			comments++
		}
	}
	if comments > 0 {
		d.warn("warning_comments", "Name", name, "N", comments)
	}
}

// warnedLeftOut is how much of a hidden text a warning repeats, in code points.
const warnedLeftOut = 80

func firstHidden(left []ledger.LeftOut) string {
	for i := range left {
		if left[i].Kind == ledger.Hidden {
			return left[i].Text
		}
	}
	return ""
}

// AsMarkdown returns the text of an uploaded answer as Markdown, so that its headings don't become claims. Its tables
// are Markdown already, and are read row by row (rule J-5).
func (d *Document) AsMarkdown() string {
	if d.Blocks == nil {
		return d.Text
	}
	parts := make([]string, 0, len(d.Blocks))
	for i := range d.Blocks {
		b := &d.Blocks[i]
		switch {
		case b.Kind == ledger.PageHeader || b.Kind == ledger.PageFooter || b.Kind == ledger.FileComment: // no answer
		case b.Level > 0:
			parts = append(parts, strings.Repeat("#", min(b.Level, 6))+" "+b.Text)
		case b.Kind == ledger.SheetRow && i > 0 && b.Span.Start == d.Blocks[i-1].Span.End+1: // directly below the row above
			parts[len(parts)-1] += "\n" + b.Text
		default:
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n\n")
}
