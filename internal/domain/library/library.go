// Package library holds the rules of the library: documents with versions that many sessions take their sources from
// (rules LIB-1 to LIB-5). A version never changes; a newer one stands beside it, and changes nothing by itself.
package library

import (
	"slices"
	"strings"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/text"
)

// The limits of the library.
const (
	MaxDocuments = 10_000 // of a tenant
	MaxVersions  = 1_000  // of a document
	MaxName      = 300    // code points
	MaxFolder    = 200
	MaxTags      = 20
	MaxTag       = 50
)

// Ref names a version of a document of the library.
type Ref struct {
	ID string // of the document, "" for none
	No int    // of its version, from 1
}

// Origin says which version of which document of a library a document of a session was taken from, and the document's
// name at that time. It is stored and exported: a session that was imported elsewhere shows it without a link.
type Origin struct {
	Library string `json:"library"` // id of the document
	Version int    `json:"version"`
	Name    string `json:"name"`
}

// Ref names that version in the library that it was taken from, none for nil.
func (o *Origin) Ref() Ref {
	if o == nil {
		return Ref{}
	}
	return Ref{o.Library, o.Version}
}

// Document is a document of the library. Its file and text are its versions'.
type Document struct {
	ID      string
	Name    string
	Folder  string   // "" for none
	Tags    []string // as typed, in the order of their folded forms
	Version int      // the newest

	CreatedAt, ChangedAt time.Time // ChangedAt is of the newest version
	CreatedBy            string
}

// Version is one version of a document: a file, kept once.
type Version struct {
	No        int // from 1
	Blob      string
	SHA256    string // hex, of the file
	Size      int64
	MediaType string
	TextBy    string // which readers took the text out of the file, as of a session's document
	Filename  string
	CreatedAt time.Time
	CreatedBy string
	Passages  []Passage // its text, in which cited words are looked for; nil where it was not asked for
}

// Passage is a stretch of a version's text. It is stored.
type Passage struct {
	Page    int      `json:"page,omitempty"`
	Heading []string `json:"heading,omitempty"`
	Text    string   `json:"text"`
}

// Named returns a document with the name, folder and tags that somebody typed, or the fault. Tags are separated by
// commas.
func Named(name, folder, tags string) (*Document, error) {
	d := &Document{Name: text.CleanName(name), Folder: cleanFolder(folder)}
	switch {
	case d.Name == "":
		return nil, domain.Refuse(domain.Invalid, "name", "refused_library_name")
	case text.Len(d.Name) > MaxName:
		return nil, domain.Refuse(domain.Invalid, "name", "json_long", "N", MaxName)
	case text.Len(d.Folder) > MaxFolder:
		return nil, domain.Refuse(domain.Invalid, "folder", "json_long", "N", MaxFolder)
	}
	for _, tag := range strings.FieldsFunc(tags, func(r rune) bool { return r == ',' || r == '،' || r == '\n' }) {
		tag = text.CleanName(tag)
		if key := text.Fold(tag); key != "" && !slices.ContainsFunc(d.Tags, func(t string) bool { return text.Fold(t) == key }) {
			d.Tags = append(d.Tags, tag)
		}
	}
	slices.SortFunc(d.Tags, func(a, b string) int { return strings.Compare(text.Fold(a), text.Fold(b)) })
	if len(d.Tags) > MaxTags {
		return nil, domain.Refuse(domain.Invalid, "tags", "refused_library_tags", "N", MaxTags)
	}
	for _, tag := range d.Tags {
		if text.Len(tag) > MaxTag {
			return nil, domain.Refuse(domain.Invalid, "tags", "json_long", "N", MaxTag)
		}
	}
	return d, nil
}

// cleanFolder returns the path of a folder: names separated by one slash each.
func cleanFolder(folder string) string {
	parts := strings.FieldsFunc(folder, func(r rune) bool { return r == '/' })
	for i := range parts {
		parts[i] = text.CleanName(parts[i])
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "/")
}

// NameKey is what documents are sorted by.
func (d *Document) NameKey() string { return text.Fold(d.Name) }

// SearchKey is what a search looks in: name, folder and each tag in a line of its own, folded.
func (d *Document) SearchKey() string {
	lines := []string{"", text.Fold(d.Name), text.Fold(d.Folder)}
	for _, tag := range d.Tags {
		lines = append(lines, text.Fold(tag))
	}
	return strings.Join(append(lines, ""), "\n")
}

// Query says which documents a list shows.
type Query struct {
	Words  string // each of them occurs in name, folder or a tag
	Folder string // "" for all
	Tag    string // "" for all
	After  string // place of the last row of the page before, "" for the first page
	Limit  int
}

// maxTerms is how many words are looked for at once; further ones are left out.
const maxTerms = 16

// Terms returns what must occur in the search key.
func (q *Query) Terms() []string {
	terms := strings.Fields(text.Fold(q.Words))
	terms = terms[:min(len(terms), maxTerms)]
	if tag := text.Fold(q.Tag); tag != "" {
		terms = append(terms, "\n"+tag+"\n")
	}
	return terms
}

// Taken is the refusal of a file that the library has already.
type Taken struct {
	Ref
	Name string // of its document
}

func (e *Taken) Error() string { return e.Unwrap().Error() }

// Unwrap returns the error as a domain.Error: a Conflict.
func (e *Taken) Unwrap() error {
	return domain.Refuse(domain.Conflict, "file", "refused_library_taken", "Name", e.Name, "N", e.No)
}
