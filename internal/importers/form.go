package importers

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"sanad/internal/documents"
	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/library"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// Form is the input of the page "new session" (rule F-14).
type Form struct {
	Title  string // at most 500 code points; if empty, made from the query or answer
	Query  string // at most 20,000 code points
	Answer string // Markdown
	Lang   string // BCP 47, "" if unknown
	Files  []File

	// Session has all of these but the files, and more, as JSON (fromSession); nil if none. Programs that don't know it
	// find no answer in a form that has it, and refuse it.
	Session []byte
	// Lake are the paths in the lake, or the names in the library (documentWire.kept), that the files were read from, in
	// their order; nil if they were uploaded.
	Lake []string
}

// File is an uploaded file: its name as sent by the browser, and its bytes; or the file of a version of the library.
type File struct {
	Name string
	Data []byte

	Library library.Ref // version that it was taken from, zero if none
	Title   string      // of its document, "" for none
}

// Origin says which version the file is, nil if it was uploaded.
func (f *File) Origin() *library.Origin {
	if f.Library.ID == "" {
		return nil
	}
	return &library.Origin{Library: f.Library.ID, Version: f.Library.No, Name: f.Title}
}

// FromForm returns a session of a pasted answer and uploaded documents, of the kinds of filetype.Documents, recognised
// by content and name. The attachments of a mail are documents of their own. A single JSON file without an answer is
// read as Read does. Errors are *domain.Error with Path "title", "query", "answer", "lang" or "files[2]": Invalid,
// TooLarge, Unsupported for files of another kind, or Unavailable if too many files are being read. Any other error is
// internal.
func FromForm(ctx context.Context, f Form, opt Options) (*Result, error) {
	opt = opt.withDefaults()
	if f.Session != nil {
		return fromSession(ctx, &f, opt)
	}
	if f.isInterchange() {
		if err := documents.CheckName("files[0]", cleanName(f.Files[0].Name, 0), f.Files[0].Data); err != nil {
			return nil, err
		}
		return Read(f.Files[0].Data, opt)
	}
	if err := f.checkTyped(opt); err != nil {
		return nil, err
	}
	b := newBuilder(opt)
	w := sessionWire{Title: f.Title, Query: lines(f.Query), Answer: lines(f.Answer), Lang: strings.TrimSpace(f.Lang)}
	if err := unprefixed("session.", b.head(&w)); err != nil {
		return nil, err
	}
	b.s.Format = FormFormat
	docs, originals, err := b.uploads(ctx, f.Files)
	if err != nil {
		return nil, err
	}
	if err := b.documents(docs); err != nil {
		return nil, err
	}
	if err := unprefixed("session.", b.split()); err != nil {
		return nil, err
	}
	b.s.Title = titleOf(&b.s)
	for _, o := range originals {
		d := &b.s.Documents[o.Document]
		d.MediaType, d.TextBy = o.MediaType, docs[o.Document].textBy
	}
	r := b.result(FormFormat)
	r.Originals = originals
	return r, nil
}

// isInterchange reports whether the form is one interchange file alone.
func (f *Form) isInterchange() bool {
	return f.Session == nil && len(f.Files) == 1 && isJSON(f.Files[0]) && strings.TrimSpace(f.Answer) == ""
}

// Check checks what was typed, and the sizes of the files, which it does not read. Errors are those of FromForm.
func (f *Form) Check(opt Options) error {
	if err := f.checkTyped(opt); err != nil || f.isInterchange() || f.Lake != nil {
		return err
	}
	return CheckFiles(f.Files, opt)
}

// checkTyped checks what was typed beside the files.
func (f *Form) checkTyped(opt Options) error {
	if f.Session != nil {
		_, _, err := newBuilder(opt.withDefaults()).formSession(f)
		return err
	}
	if f.isInterchange() {
		return nil
	}
	opt = opt.withDefaults()
	for _, x := range []struct {
		path, value string
		most        int
	}{
		{"title", f.Title, 500}, {"query", lines(f.Query), 20_000}, {"answer", lines(f.Answer), opt.Answer},
		{"lang", strings.TrimSpace(f.Lang), 35},
	} {
		if !utf8.ValidString(x.value) {
			return domain.Refuse(domain.Invalid, x.path, "refused_file_utf8_paste")
		}
		if text.Len(x.value) > x.most {
			return domain.Refuse(domain.TooLarge, x.path, "json_long", "N", x.most)
		}
	}
	if strings.TrimSpace(f.Answer) == "" {
		return domain.Refuse(domain.Invalid, "answer", "refused_file_paste")
	}
	return nil
}

// lines returns s with CR LF, which browsers send, replaced by LF.
func lines(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// unprefixed removes prefix from the path of err.
func unprefixed(prefix string, err error) error {
	return moved(err, func(path string) string { return strings.TrimPrefix(path, prefix) })
}

// uploads reads the documents: each file, and below it those of the files in it. Their originals are in the same order.
func (b *builder) uploads(ctx context.Context, files []File) ([]documentWire, []Original, error) {
	if len(files) > b.opt.Documents {
		return nil, nil, domain.Refuse(domain.TooLarge, "files", "refused_file_files", "N", b.opt.Documents)
	}
	u := &uploadReader{b: b, names: map[string]bool{}}
	var faults fileFaults
	for i, f := range files {
		b.files = append(b.files, cleanName(f.Name, i))
		u.place, u.file, u.count, u.bytes, u.from = at("files", i, ""), i, 0, 0, f
		if err := u.read(ctx, cleanName(f.Name, i), f.Data, 0); err != nil {
			if err = faults.add(err); err != nil {
				return nil, nil, err
			}
		}
	}
	return u.docs, u.originals, faults.all()
}

// cut splits a document into chunks; a document without text is refused.
func (b *builder) cut(place, name string, w *documentWire) error {
	blocks := w.blocks
	if blocks == nil {
		blocks = ledger.ParseBlocks(*w.Text, 0, 0)
	}
	if w.cut = ledger.ChunkBlocks(blocks, ledger.MaxChunk); len(w.cut) == 0 {
		return domain.Refuse(domain.Invalid, place, "refused_file_words", "Name", name)
	}
	return nil
}

// fileFaults collects the faults of all files of an upload, so that they can be fixed together.
type fileFaults []*domain.Error

// add adds the fault of a file. It returns any other error, which ends the reading.
func (l *fileFaults) add(err error) error {
	var e *domain.Error
	if !errors.As(err, &e) || e.Kind == domain.Unavailable || e.Kind == domain.Internal {
		return err
	}
	*l = append(*l, e)
	return nil
}

// all returns one error that names every file, with the kind and path of the first fault.
func (l fileFaults) all() error {
	switch len(l) {
	case 0:
		return nil
	case 1:
		return l[0]
	}
	e := *l[0]
	all, errs := words.Sentences{words.Msg("refused_files", "N", len(l))}, []error{}
	for _, f := range l {
		all, errs = append(all, f.Message), append(errs, f)
	}
	e.Message, e.Err = words.Msg("sentences", "All", all), errors.Join(errs...)
	return &e
}

// CheckFiles refuses files that are too large for documents, without reading them.
func CheckFiles(files []File, opt Options) error {
	opt = opt.withDefaults()
	for i, f := range files {
		if err := opt.checkFile(at("files", i, ""), cleanName(f.Name, i), f.Data); err != nil {
			return err
		}
	}
	return nil
}

// checkFile checks the size of a document's file.
func (o *Options) checkFile(place, name string, data []byte) error {
	if len(data) > o.DocumentBytes {
		return domain.Refuse(domain.TooLarge, place, "refused_file_bytes", "Name", name, "N", len(data),
			"Most", o.DocumentBytes)
	}
	return nil
}

// wireOf returns a document that was read as one of a session.
func wireOf(d *documents.Document) *documentWire {
	return &documentWire{Title: d.Title, Text: &d.Text, blocks: d.Blocks, textBy: d.By, left: d.Left}
}

// readFile reads an uploaded file and passes its warnings on.
func (b *builder) readFile(ctx context.Context, place, name string, data []byte) (*documents.Document, error) {
	if len(data) == 0 {
		return nil, domain.Refuse(domain.Invalid, place, "refused_file_empty", "Name", name)
	}
	if err := b.opt.checkFile(place, name, data); err != nil {
		return nil, err
	}
	d, err := documents.Read(ctx, place, name, data,
		documents.Options{Bytes: b.opt.DocumentBytes, PDF: b.opt.PDF, Parse: b.opt.Parse, Pictures: b.opt.Pictures})
	if err != nil {
		return nil, err
	}
	for _, m := range d.Warnings {
		b.warn(place, m)
	}
	return d, nil
}

// Text returns the text of an uploaded answer as Markdown, read as FromForm reads files. Errors are those of FromForm,
// with Path "answer". A mail with attachments is refused: an answer is one text, and nothing of a file is dropped
// silently.
func Text(ctx context.Context, f File, opt Options) (string, error) {
	name := cleanName(f.Name, 0)
	d, err := newBuilder(opt.withDefaults()).readFile(ctx, "answer", name, f.Data)
	if err != nil {
		return "", err
	}
	if n := len(d.Inner); n > 0 {
		return "", domain.Refuse(domain.Invalid, "answer", "refused_answer_attached", "Name", name, "N", n,
			"List", innerNames(d.Inner))
	}
	return lines(d.AsMarkdown()), nil
}

// isJSON reports whether a file is an interchange file, by its name or because it begins like a JSON object.
func isJSON(f File) bool {
	if _, ok := filetype.Of(f.Name, filetype.Interchange); ok {
		return true
	}
	if _, ok := filetype.Of(f.Name, filetype.Documents); ok {
		return false
	}
	return bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(f.Data, []byte("\ufeff"))), []byte("{"))
}
