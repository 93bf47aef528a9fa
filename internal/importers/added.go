package importers

import (
	"context"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/library"
)

// AddedDocument is a document for a session that exists, as in sanad.session/v1 (rule F-3).
type AddedDocument = documentWire

// Size returns the bytes of its text.
func (w *documentWire) Size() int {
	n := 0
	if w.Text != nil {
		n = len(*w.Text)
	}
	for _, p := range w.Pages {
		n += len(p.Text)
	}
	for _, c := range w.Chunks {
		n += len(c.Text)
	}
	return n
}

// Added is documents for a session that exists. They have no ids, and no Key unless the caller gave one.
type Added struct {
	Documents []ledger.Document
	Originals []Original // Document is the index in Documents
	Warnings  []domain.Warning
}

// ReadAdded reads the documents that a caller of the API adds to a session. The limits are those of an import; errors
// are *domain.Error with Paths such as "documents[2].text".
func ReadAdded(list []AddedDocument, opt Options) (*Added, error) {
	b := newBuilder(opt.withDefaults())
	if len(list) == 0 {
		return nil, domain.Refuse(domain.Invalid, "documents", "refused_add_none")
	}
	if len(list) > b.opt.Documents {
		return nil, tooManyAdded(b)
	}
	return b.added(list)
}

// UploadedDocuments reads files that are added to a session, of the kinds that FromForm accepts. Errors have the Path
// "files[2]".
func UploadedDocuments(ctx context.Context, files []File, opt Options) (*Added, error) {
	b := newBuilder(opt.withDefaults())
	if len(files) == 0 {
		return nil, domain.Refuse(domain.Invalid, "documents", "refused_add_none")
	}
	docs, originals, err := b.uploads(ctx, files)
	if err != nil {
		return nil, err
	}
	return b.addedFrom(docs, originals)
}

// AddedOfLake reads documents that are added to a session, some of which name a file of the lake; files are those, in
// the order of the documents. Errors have Paths such as "documents[2].lake".
func AddedOfLake(ctx context.Context, list []AddedDocument, files []File, opt Options) (*Added, error) {
	b := newBuilder(opt.withDefaults())
	if len(list) > b.opt.Documents {
		return nil, tooManyAdded(b)
	}
	lake := make([]string, 0, len(files))
	for _, d := range LakeOf(list) {
		lake = append(lake, d.Path)
	}
	docs, originals, err := b.uploads(ctx, files)
	if err != nil {
		return nil, moved(err, func(path string) string { return lakePlace(path, "", lake, list) })
	}
	whole := sessionFile{Documents: slices.Clone(list)}
	if err := fill(&whole, lake, docs, originals, func(int, int) {}); err != nil {
		return nil, err
	}
	return b.addedFrom(whole.Documents, originals)
}

func tooManyAdded(b *builder) error {
	return domain.Refuse(domain.TooLarge, "documents", "refused_add_many", "N", b.opt.Documents)
}

// addedFrom builds documents, of which some have originals.
func (b *builder) addedFrom(list []documentWire, originals []Original) (*Added, error) {
	out, err := b.added(list)
	if err != nil {
		return nil, err
	}
	out.Originals = originals
	for _, o := range originals {
		d := &out.Documents[o.Document]
		d.MediaType, d.TextBy = o.MediaType, list[o.Document].textBy
	}
	return out, nil
}

// added builds the documents.
func (b *builder) added(list []documentWire) (*Added, error) {
	out := &Added{Documents: make([]ledger.Document, len(list))}
	for i := range list {
		d, err := b.document(i, &list[i], strings.TrimSpace(list[i].ID))
		if err != nil {
			return nil, err
		}
		if len(d.Chunks) == 0 {
			return nil, domain.Refuse(domain.Invalid, at("documents", i, ""), "refused_add_words")
		}
		out.Documents[i] = *d
	}
	out.Warnings = b.finished()
	return out, nil
}

// ReadLibrary reads a file for the library as an upload for a session is read. The text is that of the file with the
// files in it. Its warnings are those of each session that takes it, so they are not returned. Errors have the Path
// "files[0]".
func ReadLibrary(ctx context.Context, f File, opt Options) (*library.Version, error) {
	b := newBuilder(opt.withDefaults())
	docs, originals, err := b.uploads(ctx, []File{f})
	if err != nil {
		return nil, err
	}
	v := &library.Version{Filename: docs[0].Filename, MediaType: originals[0].MediaType, TextBy: docs[0].textBy}
	for i := range docs {
		for j := range docs[i].cut {
			c := &docs[i].cut[j]
			v.Passages = append(v.Passages, library.Passage{Page: c.Page, Heading: c.HeadingPath, Text: c.Words()})
		}
	}
	return v, nil
}
