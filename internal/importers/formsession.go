package importers

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/library"
	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// fromSession is FromForm for a form with a session as JSON: sanad.session/v1, or its object "session" alone. A file
// whose name is the filename of a document without content is that document's content; the others are documents of
// their own, after those of the JSON. Paths in the JSON begin with "session.".
func fromSession(ctx context.Context, f *Form, opt Options) (*Result, error) {
	b := newBuilder(opt)
	file, whole, err := b.formSession(f)
	if err != nil {
		return nil, err
	}
	if whole {
		b.part = "session."
	}
	docs, originals, err := b.uploads(ctx, f.Files)
	if err != nil {
		return nil, moved(err, func(path string) string { return lakePlace(path, b.part, f.Lake, file.Documents) })
	}
	b.places = map[string]string{}
	if err := fill(file, f.Lake, docs, originals, func(document, of int) {
		if f.Lake == nil {
			b.places[b.part+at("documents", document, "")] = at("files", of, "")
		}
	}); err != nil {
		return nil, moved(err, func(path string) string { return b.part + path })
	}
	placed := func(path string) string { return b.placeOf(b.part + path) }
	if len(file.Documents) > b.opt.Documents {
		return nil, domain.Refuse(domain.TooLarge, "files", "refused_in_session_files", "N", b.opt.Documents)
	}
	by := make([]string, len(file.Documents))
	for i := range file.Documents {
		d := &file.Documents[i]
		if by[i] = d.textBy; !d.hasContent() {
			return nil, domain.Refuse(domain.Invalid, placed(at("documents", i, "")), "refused_in_unnamed",
				"Name", words.Quoted(strictjson.Clip(d.Filename)))
		}
	}
	if err := b.ownParts(file); err != nil {
		return nil, moved(err, placed)
	}
	for _, o := range originals {
		d := &b.s.Documents[o.Document]
		d.MediaType, d.TextBy = o.MediaType, by[o.Document]
	}
	r := b.ownResult()
	r.Originals = originals
	return r, nil
}

// formSession decodes the form's session; whole reports whether it is a file of the format, and not only its object
// "session". An object alone is wrapped, so that paths are the same.
func (b *builder) formSession(f *Form) (file *sessionFile, whole bool, err error) {
	src := strings.TrimPrefix(string(f.Session), "\ufeff")
	if whole = isSessionFile(src); !whole {
		src = `{"session":` + src + "}"
	}
	file = &sessionFile{}
	err = Decode([]byte(src), file, strictjson.Options{
		Limits: b.opt.limits(), Unknown: b.unknown, UnknownBytes: b.opt.UnknownBytes, Copy: len(src) > sharedText,
		MaxBytes: b.opt.Bytes,
	})
	if err == nil && file.Format != "" && file.Format != SessionFormat {
		err = unsupported("format", words.Msg("refused_in_says_files",
			"Name", words.Quoted(strictjson.Clip(file.Format))))
	}
	if err != nil && whole {
		err = moved(err, func(path string) string { return joined("session", path) })
	}
	return file, whole, err
}

// isSessionFile reports whether a JSON object has members of sanad.session/v1 itself, not of its object "session". So
// it does for anything but one object: what is wrong with it is found when it is decoded as it is.
func isSessionFile(src string) (is bool) {
	c := strictjson.NewCursor(src, 0)
	if c.Peek() != '{' {
		return true
	}
	err := c.Whole(func() error {
		return c.Members(func(key string) error {
			is = is || slices.Contains([]string{"format", "session", "documents", "claims"}, key)
			return c.Skip()
		})
	})
	return is || err != nil
}

// fill puts the files that were read into the session's documents, and moves the originals to them. It tells which
// document each file became.
func fill(
	file *sessionFile, lake []string, read []documentWire, originals []Original, became func(document, of int),
) error {
	for i := range read {
		from := ""
		if lake != nil && !read[i].inner {
			from = lake[read[i].file]
		}
		to := slices.IndexFunc(file.Documents, func(d documentWire) bool {
			if from != "" || d.kept() != "" {
				return d.kept() == from && d.blocks == nil && d.cut == nil
			}
			return !d.hasContent() && d.Filename != "" && d.Filename == read[i].Filename
		})
		if to >= 0 && from != "" {
			d := &file.Documents[to]
			if d.hasContent() {
				return domain.Refuse(domain.Invalid, at("documents", to, d.keptIn()), "refused_in_one_two")
			}
			d.Filename, d.Title = cmp.Or(d.Filename, read[i].Filename), cmp.Or(d.Title, read[i].Title)
			if d.Lake != "" {
				d.URI = cmp.Or(d.URI, "lake:"+from)
			}
		}
		if to < 0 {
			to = len(file.Documents)
			file.Documents = append(file.Documents, documentWire{Filename: read[i].Filename})
		}
		d := &file.Documents[to]
		d.Text, d.Pages, d.blocks, d.textBy, d.cut = read[i].Text, read[i].Pages, read[i].blocks, read[i].textBy, read[i].cut
		d.left, d.taken = read[i].left, read[i].taken
		originals[i].Document = to
		became(to, read[i].file)
	}
	return nil
}

// LakeDocument is a document of a session whose words are in the lake, or in the library.
type LakeDocument struct {
	Index        int         // in documents
	Path, SHA256 string      // of the lake; Path is a name of ours for the library
	Library      library.Ref // version of the library, the newest for number 0; zero for the lake
}

// kept names the file in the lake or in the library that has the document's words, "" if none has. No path in the lake
// begins with a slash.
func (w *documentWire) kept() string {
	if w.Lake == "" && w.Library != "" {
		return "/library/" + w.Library + "/" + strconv.Itoa(w.LibraryVersion)
	}
	return w.Lake
}

// keptIn is the field that names it.
func (w *documentWire) keptIn() string {
	if w.Lake == "" {
		return "library"
	}
	return "lake"
}

// LakeDocuments returns the documents of a sanad.session/v1 whose words are in the lake or in the library, none if data is anything else.
// What is wrong with the data is found when it is read.
func LakeDocuments(data []byte, opt Options) (out []LakeDocument) {
	if !bytes.Contains(data, []byte(`"lake"`)) && !bytes.Contains(data, []byte(`"library"`)) {
		return nil
	}
	b := newBuilder(opt.withDefaults())
	file, whole, err := b.formSession(&Form{Session: data})
	if err != nil || !whole || file.Format != SessionFormat {
		return nil
	}
	return LakeOf(file.Documents)
}

// LakeOf returns those of the documents whose words are in the lake or in the library.
func LakeOf(list []AddedDocument) (out []LakeDocument) {
	for i := range list {
		d := &list[i]
		if d.kept() == "" {
			continue
		}
		of := LakeDocument{Index: i, Path: d.kept(), SHA256: d.LakeSHA256}
		if d.Lake == "" {
			of.Library = library.Ref{ID: d.Library, No: d.LibraryVersion}
		}
		out = append(out, of)
	}
	return out
}

// lakePlace returns the place of a fault in a file of the lake: the document that names it. Others stay.
func lakePlace(path, part string, lake []string, documents []documentWire) string {
	n := 0 // of the documents of the lake so far: their files are in the same order
	for i := range documents {
		if documents[i].kept() == "" {
			continue
		}
		if n < len(lake) && path == at("files", n, "") {
			return part + at("documents", i, documents[i].keptIn())
		}
		n++
	}
	return path
}

// hasContent reports whether the document's words are given, in any of the three ways.
func (w *documentWire) hasContent() bool { return w.Text != nil || w.Pages != nil || w.Chunks != nil }
