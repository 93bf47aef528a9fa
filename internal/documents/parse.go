package documents

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"io"

	"sanad/internal/documents/block"
	"sanad/internal/documents/mailfile"
	"sanad/internal/documents/slides"
	"sanad/internal/documents/webpage"
	"sanad/internal/documents/wordfile"
	"sanad/internal/documents/workbook"
	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/isolated"
	"sanad/internal/words"
)

// Parsed is the text of a file with a structure.
type Parsed struct {
	Title    string
	Blocks   []ledger.Block
	Runes    int              // of all blocks with the empty lines between them
	Left     []ledger.LeftOut // what the file holds besides, and a reader does not see or sees struck out
	Warnings []domain.Message
	Inner    []block.Inner // files in the file, which are documents of their own
}

// parser reads a kind of files with a structure.
type parser struct {
	parse func(data []byte, out *block.Page) error

	// ids of messages: what the file is not, if block.ErrOtherKind can be; that it is too large; that reading it took too
	// much; that it is broken; that it is encrypted, if that can be
	other, large, gaveUp, broken, locked string
}

// parsers has the parser of each kind of files with a structure but PDF, by media type.
var parsers = map[string]parser{
	filetype.DOCX.MediaType: {parse: wordfile.ReadWord, other: "refused_word_zip", large: "refused_word_large",
		gaveUp: "refused_word_gave_up", broken: "refused_word_broken"},
	filetype.XLSX.MediaType: {parse: workbook.ReadWorkbook, other: "refused_sheet_zip", large: "refused_sheet_large",
		gaveUp: "refused_sheet_gave_up", broken: "refused_sheet_broken"},
	filetype.CSV.MediaType: {parse: workbook.ReadCSV, large: "refused_sheet_large", gaveUp: "refused_sheet_gave_up",
		broken: "refused_csv_broken"},
	filetype.TSV.MediaType: {parse: workbook.ReadTSV, large: "refused_sheet_large", gaveUp: "refused_sheet_gave_up",
		broken: "refused_csv_broken"},
	filetype.PPTX.MediaType: {parse: slides.ReadSlides, other: "refused_slides_zip", large: "refused_office_large",
		gaveUp: "refused_office_gave_up", broken: "refused_office_broken"},
	filetype.ODT.MediaType: {parse: wordfile.ReadODT, other: "refused_odt_zip", large: "refused_office_large",
		gaveUp: "refused_office_gave_up", broken: "refused_office_broken"},
	filetype.RTF.MediaType: {parse: wordfile.ReadRTF, large: "refused_office_large", gaveUp: "refused_office_gave_up",
		broken: "refused_office_broken"},
	filetype.HTML.MediaType: {parse: webpage.ReadHTML, large: "refused_html_large", gaveUp: "refused_html_gave_up",
		broken: "refused_html_deep"},
	filetype.Mail.MediaType:       mailParser(mailfile.Read),
	filetype.WebArchive.MediaType: mailParser(mailfile.Read),
	filetype.Outlook.MediaType:    mailParser(mailfile.ReadOutlook(wordfile.ReadRTFInto)),
}

func mailParser(parse func([]byte, *block.Page) error) parser {
	return parser{parse: parse, large: "refused_mail_large", gaveUp: "refused_mail_gave_up", broken: "refused_mail_broken",
		locked: "refused_mail_locked"}
}

// Parse reads a file of a kind that has a parser in this process. Errors are *isolated.Fault. A hostile file takes up
// to some hundred MiB; use Isolated for uploads.
func Parse(mediaType string, data []byte) (*Parsed, error) {
	out := block.Page{List: block.List{Blocks: []ledger.Block{}}}
	err := parsers[mediaType].parse(data, &out)
	var bound *isolated.Bound
	switch {
	case errors.Is(err, block.ErrOtherKind):
		return nil, &isolated.Fault{Kind: block.ErrOtherKind, Cause: err}
	case errors.Is(err, block.ErrLocked):
		return nil, &isolated.Fault{Kind: block.ErrLocked, Cause: err}
	case errors.Is(err, block.ErrCharset):
		return nil, &isolated.Fault{Kind: block.ErrCharset, Cause: err}
	case errors.As(err, &bound):
		return nil, &isolated.Fault{Kind: isolated.ErrTooLarge, Cause: bound}
	case err != nil:
		return nil, &isolated.Fault{Kind: isolated.ErrBroken, Cause: err}
	}
	return &Parsed{Title: out.Title, Blocks: out.Blocks, Runes: out.Runes, Left: out.Left, Warnings: out.Warnings,
		Inner: out.Inner}, nil
}

// Process is the first argument of the processes that parse files; the media type follows.
const Process = "document"

// reply is the output of such a process.
type reply struct {
	Parsed *Parsed
	Kind   string // of faultKinds
	Cause  isolated.Told
}

// init registers what warnings of a reply may have among their arguments.
func init() { gob.Register(words.List{}) }

var faultKinds = map[string]error{"other": block.ErrOtherKind, "too_large": isolated.ErrTooLarge,
	"broken": isolated.ErrBroken, "locked": block.ErrLocked, "charset": block.ErrCharset}

// Serve is the separate process: it reads a file from in and writes its text to out.
func Serve(in io.Reader, out io.Writer, mediaType string) error {
	if _, ok := parsers[mediaType]; !ok {
		return block.ErrOtherKind
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	var a reply
	if a.Parsed, err = Parse(mediaType, data); err != nil {
		var f *isolated.Fault
		if !errors.As(err, &f) {
			return err
		}
		for name, kind := range faultKinds {
			if errors.Is(f.Kind, kind) {
				a.Kind, a.Cause = name, f.Told()
			}
		}
	}
	return gob.NewEncoder(out).Encode(a)
}

// Isolated returns an Options.Parse that reads each file in a process of p, whose command ends by calling Serve.
func Isolated(p *isolated.Processes) func(context.Context, string, []byte) (*Parsed, error) {
	return func(ctx context.Context, mediaType string, data []byte) (*Parsed, error) {
		release, err := p.Acquire(ctx)
		if err != nil {
			return nil, err
		}
		defer release()
		out, err := p.Run(ctx, data, Process, mediaType)
		if err != nil {
			return nil, err
		}
		var a reply
		if err := gob.NewDecoder(bytes.NewReader(out)).Decode(&a); err != nil {
			return nil, &isolated.Fault{Kind: isolated.ErrGaveUp, Cause: err}
		}
		if kind := faultKinds[a.Kind]; kind != nil {
			return nil, &isolated.Fault{Kind: kind, Cause: a.Cause.Cause()}
		}
		return a.Parsed, nil
	}
}

// parsed reads the file by the parser of its kind. data is what that reads: the file, or its text in UTF-8.
func (f *file) parsed(ctx context.Context, mediaType string, data []byte) (*Document, error) {
	read := f.opt.Parse
	if read == nil {
		read = func(_ context.Context, mediaType string, data []byte) (*Parsed, error) { return Parse(mediaType, data) }
	}
	p, err := read(ctx, mediaType, data)
	if err != nil {
		return nil, f.parseFault(parsers[mediaType], err)
	}
	if err := f.checkRunes(p.Runes); err != nil {
		return nil, err
	}
	d := &Document{Blocks: p.Blocks, Left: p.Left, Warnings: p.Warnings, Inner: p.Inner}
	d.Title = text.Slice(text.CleanName(p.Title), text.Span{End: mostTitle})
	if d.Blocks == nil { // as gob leaves an empty list
		d.Blocks = []ledger.Block{}
	}
	return d, nil
}

// mostTitle is the maximum length of a document's title, in code points.
const mostTitle = 500

// parseFault explains what is wrong with a file and how to fix it.
func (f *file) parseFault(p parser, err error) error {
	var fault *isolated.Fault
	if !errors.As(err, &fault) {
		return err
	}
	e := &domain.Error{Kind: domain.Invalid, Op: "documents.Read", Path: f.place, Err: err}
	switch {
	case errors.Is(err, block.ErrOtherKind):
		return notRead(f.place, words.Msg(p.other, "Name", f.name))
	case errors.Is(err, block.ErrLocked):
		e.Message = words.Msg(cmp.Or(p.locked, lockedID), "File", f.name)
	case errors.Is(err, block.ErrCharset):
		e.Message = words.Msg("refused_mail_charset", "Name", f.name)
	case errors.Is(err, isolated.ErrTooLarge):
		e.Kind, e.Message = domain.TooLarge, words.Msg(p.large, "Name", f.name, "Bound", boundOf(fault.Cause))
	case errors.Is(err, isolated.ErrGaveUp):
		e.Kind, e.Message = domain.TooLarge, words.Msg(p.gaveUp, "Name", f.name)
	case errors.Is(err, isolated.ErrBusy):
		e.Kind, e.Message = domain.Unavailable, words.Msg("refused_reading_busy", "File", f.name)
	default:
		e.Message = words.Msg(p.broken, "Name", f.name)
	}
	return e
}

// Slow reports whether a file took too long, or too much memory, to be read; a job has more time.
func Slow(err error) bool { return errors.Is(err, isolated.ErrGaveUp) }

// Busy reports whether a file was not read because too many others were being read; the caller may retry
// a little later.
func Busy(err error) bool { return errors.Is(err, isolated.ErrBusy) }
