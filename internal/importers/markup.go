package importers

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"io"

	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/isolated"
	"sanad/internal/words"
)

// Markup is the text of a Word or HTML file.
type Markup struct {
	Title  string // of an HTML page
	Blocks []ledger.Block
	Runes  int              // of all blocks with the empty lines between them
	Left   []ledger.LeftOut // what the file holds besides, and a reader does not see or sees struck out
}

var errNotWord = errors.New("the archive has no word/document.xml")

// ReadMarkup reads a file of filetype.DOCX or filetype.HTML in this process. Errors are *isolated.Fault. A hostile file
// takes up to some hundred MiB; use IsolatedMarkup for uploads.
func ReadMarkup(mediaType string, data []byte) (*Markup, error) {
	out := page{blockList: blockList{blocks: []ledger.Block{}}}
	var err error
	if mediaType == filetype.DOCX.MediaType {
		err = readWord(data, &out.blockList)
	} else {
		var p *page
		if p, err = readHTML(string(data)); err == nil {
			out = *p
		}
	}
	var bound *isolated.Bound
	switch {
	case errors.Is(err, errNotWord):
		return nil, &isolated.Fault{Kind: errNotWord, Cause: err}
	case errors.As(err, &bound):
		return nil, &isolated.Fault{Kind: isolated.ErrTooLarge, Cause: bound}
	case err != nil:
		return nil, &isolated.Fault{Kind: isolated.ErrBroken, Cause: err}
	}
	return &Markup{Title: out.title, Blocks: out.blocks, Runes: out.runes, Left: out.left}, nil
}

// MarkupProcess is the first argument of the processes that read Word and HTML; the media type follows.
const MarkupProcess = "markup"

// markupReply is the output of such a process.
type markupReply struct {
	Markup *Markup
	Kind   string // of markupKinds
	Cause  isolated.Told
}

var markupKinds = map[string]error{"not_word": errNotWord, "too_large": isolated.ErrTooLarge,
	"broken": isolated.ErrBroken}

// ServeMarkup is the separate process: it reads a file from in and writes its text to out.
func ServeMarkup(in io.Reader, out io.Writer, mediaType string) error {
	data, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	var a markupReply
	if a.Markup, err = ReadMarkup(mediaType, data); err != nil {
		var f *isolated.Fault
		if !errors.As(err, &f) {
			return err
		}
		for name, kind := range markupKinds {
			if errors.Is(f.Kind, kind) {
				a.Kind, a.Cause = name, f.Told()
			}
		}
	}
	return gob.NewEncoder(out).Encode(a)
}

// IsolatedMarkup returns an Options.Markup that reads each file in a process of p, whose command ends by calling
// ServeMarkup.
func IsolatedMarkup(p *isolated.Processes) func(context.Context, string, []byte) (*Markup, error) {
	return func(ctx context.Context, mediaType string, data []byte) (*Markup, error) {
		release, err := p.Acquire(ctx)
		if err != nil {
			return nil, err
		}
		defer release()
		out, err := p.Run(ctx, data, MarkupProcess, mediaType)
		if err != nil {
			return nil, err
		}
		var a markupReply
		if err := gob.NewDecoder(bytes.NewReader(out)).Decode(&a); err != nil {
			return nil, &isolated.Fault{Kind: isolated.ErrGaveUp, Cause: err}
		}
		if kind := markupKinds[a.Kind]; kind != nil {
			return nil, &isolated.Fault{Kind: kind, Cause: a.Cause.Cause()}
		}
		return a.Markup, nil
	}
}

// readMarkup reads an uploaded Word or HTML file.
func (b *builder) readMarkup(ctx context.Context, place, name, mediaType string, data []byte) (*documentWire, error) {
	read := b.opt.Markup
	if read == nil {
		read = func(_ context.Context, mediaType string, data []byte) (*Markup, error) {
			return ReadMarkup(mediaType, data)
		}
	}
	m, err := read(ctx, mediaType, data)
	if err != nil {
		return nil, markupFault(place, name, mediaType, err)
	}
	if m.Runes > b.opt.DocumentBytes {
		return nil, domain.Refuse(domain.TooLarge, place, "refused_file_text", "Name", name, "N", m.Runes,
			"Most", b.opt.DocumentBytes)
	}
	b.warnLeftOut(place, name, m.Left)
	w := &documentWire{Text: new(string), blocks: m.Blocks, left: m.Left}
	w.Title = text.Slice(cleaned(m.Title), text.Span{End: 500})
	if w.blocks == nil { // as gob leaves an empty list
		w.blocks = []ledger.Block{}
	}
	return w, nil
}

// markupFault explains what is wrong with a Word or HTML file and how to fix it.
func markupFault(place, name, mediaType string, err error) error {
	var f *isolated.Fault
	if !errors.As(err, &f) {
		return err
	}
	large, gaveUp, broken := "refused_html_large", "refused_html_gave_up", "refused_html_deep"
	if mediaType == filetype.DOCX.MediaType {
		large, gaveUp, broken = "refused_word_large", "refused_word_gave_up", "refused_word_broken"
	}
	e := &domain.Error{Kind: domain.Invalid, Op: "importers.FromForm", Path: place, Err: err}
	switch {
	case errors.Is(err, errNotWord):
		return notRead(place, words.Msg("refused_word_zip", "Name", name))
	case errors.Is(err, isolated.ErrTooLarge):
		e.Kind, e.Message = domain.TooLarge, words.Msg(large, "Name", name, "Bound", boundOf(f.Cause))
	case errors.Is(err, isolated.ErrGaveUp):
		e.Kind, e.Message = domain.TooLarge, words.Msg(gaveUp, "Name", name)
	case errors.Is(err, isolated.ErrBusy):
		e.Kind, e.Message = domain.Unavailable, words.Msg("refused_reading_busy", "File", name)
	default:
		e.Message = words.Msg(broken, "Name", name)
	}
	return e
}
