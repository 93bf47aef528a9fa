package importers

import (
	"context"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
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
		return nil, domain.Invalidf("documents", "There are no documents; choose at least one.")
	}
	if len(list) > b.opt.Documents {
		return nil, domain.TooLargef("documents", "There are more than %d documents; send fewer.", b.opt.Documents)
	}
	return b.added(list)
}

// UploadedDocuments reads files that are added to a session, of the kinds that FromForm accepts. Errors have the Path
// "files[2]".
func UploadedDocuments(ctx context.Context, files []File, opt Options) (*Added, error) {
	b := newBuilder(opt.withDefaults())
	if len(files) == 0 {
		return nil, domain.Invalidf("documents", "There are no documents; choose at least one.")
	}
	docs, originals, err := b.uploads(ctx, files)
	if err != nil {
		return nil, err
	}
	out, err := b.added(docs)
	if err != nil {
		return nil, err
	}
	out.Originals = originals
	for _, o := range originals {
		d := &out.Documents[o.Document]
		d.MediaType, d.TextBy = o.MediaType, docs[o.Document].textBy
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
			return nil, domain.Invalidf(at("documents", i, ""),
				"This document has no text, so nothing can be found in it; send one with words in it, or leave it out.")
		}
		out.Documents[i] = *d
	}
	out.Warnings = b.finished()
	return out, nil
}
