package importers

import (
	"context"
	"errors"

	"sanad/internal/documents"
	"sanad/internal/documents/block"
	"sanad/internal/documents/mailfile"
	"sanad/internal/domain"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// Bounds of the files that one uploaded file holds, with those in its own ones (rule SEC-9).
const (
	mostInner      = 200 // files
	mostInnerDepth = 8   // of mails in mails
	innerTimes     = 4   // how often the limit of a document's bytes, of all together
	innerName      = 300 // code points of a name
)

// errInner is the cause of the refusal of a file for what it holds, which is no fault of one of its inner files alone.
var errInner = errors.New("the file holds too much")

// uploadReader reads the documents of an upload: each file, and below it those of the files in it.
type uploadReader struct {
	b         *builder
	docs      []documentWire
	originals []Original
	names     map[string]bool

	place string // of the file that is read
	file  int    // its index
	from  File   // itself
	count int    // files in it
	bytes int    // of those
}

// read reads a file, and the files in it as documents of their own. depth is how many files it lies in.
func (u *uploadReader) read(ctx context.Context, name string, data []byte, depth int) error {
	if len(u.docs) >= u.b.opt.Documents {
		return &domain.Error{Kind: domain.TooLarge, Op: "importers.FromForm", Path: "files", Err: errInner,
			Message: words.Msg("refused_in_session_files", "N", u.b.opt.Documents)}
	}
	d, err := u.b.readFile(ctx, u.place, name, data)
	if err != nil {
		return err
	}
	w := wireOf(d)
	if err := u.b.cut(u.place, name, w); err != nil {
		return err
	}
	w.Filename, w.file, w.inner, w.taken = distinct(u.names, name), u.file, depth > 0, u.from.Origin()
	if u.from.Title != "" && depth == 0 {
		w.Title = u.from.Title
	}
	u.originals = append(u.originals, Original{Document: len(u.docs), MediaType: d.MediaType, Data: data})
	u.docs = append(u.docs, *w)
	return u.readInner(ctx, name, d.Inner, depth+1)
}

// readInner reads the files in a file. One of a kind that is not read, or that is at fault, is named in a warning; the
// file that holds it is read all the same.
func (u *uploadReader) readInner(ctx context.Context, outer string, list []block.Inner, depth int) error {
	var unread []string
	for i, f := range list {
		if err := u.countInner(outer, len(f.Data), depth); err != nil {
			return err
		}
		own := cleanName(f.Name, i)
		err := u.read(ctx, nameIn(outer, own), f.Data, depth)
		var fault *domain.Error
		switch {
		case err == nil:
		case !errors.As(err, &fault) || fault.Kind == domain.Unavailable || fault.Kind == domain.Internal ||
			errors.Is(err, errInner) || documents.Slow(err):
			return err
		case fault.Kind == domain.Unsupported:
			unread = append(unread, own)
		default:
			u.b.warn(u.place, words.Msg("warning_attached_fault", "Name", outer, "Why", fault.Message))
		}
	}
	if len(unread) > 0 {
		u.b.warn(u.place, words.Msg("warning_attached_kind", "Name", outer, "N", len(unread),
			"List", mailfile.SomeNames(unread)))
	}
	return nil
}

// countInner counts a file in the file that is read.
func (u *uploadReader) countInner(outer string, size, depth int) error {
	u.count++
	u.bytes += size
	most := innerTimes * u.b.opt.DocumentBytes
	refuse := func(id string, args ...any) error {
		e := &domain.Error{Kind: domain.TooLarge, Op: "importers.FromForm", Path: u.place, Err: errInner}
		e.Message = words.Msg(id, append([]any{"Name", outer}, args...)...)
		return e
	}
	switch {
	case depth > mostInnerDepth:
		return refuse("refused_attached_deep", "N", mostInnerDepth)
	case u.count > mostInner:
		return refuse("refused_attached_many", "N", mostInner)
	case u.bytes > most:
		return refuse("refused_attached_bytes", "N", most)
	}
	return nil
}

// nameIn returns the name of a file in a file, which says where it comes from. A long one loses its beginning.
func nameIn(outer, inner string) string {
	name := outer + " › " + inner
	if n := text.Len(name); n > innerName {
		name = "…" + text.Slice(name, text.Span{Start: n - innerName + 1, End: n})
	}
	return name
}

// innerNames lists the names of the files in a file.
func innerNames(list []block.Inner) words.List {
	names := make([]string, len(list))
	for i := range list {
		names[i] = cleanName(list[i].Name, i)
	}
	return mailfile.SomeNames(names)
}
