package importers

import (
	"context"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// Version is a new version of a document that a session already has: its text and metadata. Anything left out stays as
// in the older version (ledger.Session.Replace). The limits are those of an imported document.
type Version struct {
	Filename      string     `json:"filename" limit:"500"`
	Title         string     `json:"title" limit:"500"`
	URI           string     `json:"uri" limit:"4000"`
	Lang          string     `json:"lang" limit:"35"`
	PublishedAt   string     `json:"published_at" limit:"40"`
	ValidUntil    string     `json:"valid_until" limit:"40"`
	SourceQuality *float64   `json:"source_quality"`
	Text          *string    `json:"text"` // either this or Pages
	Pages         []pageWire `json:"pages" limit:"100000"`
}

// Document splits the version into chunks. Key and ids are left empty. Errors are *domain.Error with the field as Path,
// such as "text" or "pages[2].number".
func (v *Version) Document(opt Options) (*ledger.Document, []domain.Warning, error) {
	d, warnings, err := newVersion(newBuilder(opt.withDefaults()), &documentWire{
		Filename: v.Filename, Title: v.Title, URI: v.URI, Lang: v.Lang, PublishedAt: v.PublishedAt,
		ValidUntil:    v.ValidUntil,
		SourceQuality: v.SourceQuality, Text: v.Text, Pages: v.Pages,
	}, "text")
	if err == nil && v.Filename == "" {
		d.Filename = "" // not derived from the title: the older version has one
	}
	return d, warnings, err
}

// UploadedVersion returns a version read from a file of a kind that FromForm accepts, with the file as its original
// (document 0). Errors have the Path "file".
func UploadedVersion(ctx context.Context, f File, opt Options) (*ledger.Document, *Original, []domain.Warning, error) {
	b := newBuilder(opt.withDefaults())
	name := cleanName(f.Name, 0)
	b.files = []string{name}
	read, err := b.readFile(ctx, "file", name, f.Data)
	if err != nil {
		return nil, nil, nil, err
	}
	if n := len(read.Inner); n > 0 {
		b.warn("file", words.Msg("warning_version_attached", "Name", name, "N", n, "List", innerNames(read.Inner)))
	}
	w := wireOf(read)
	w.Filename = name
	d, warnings, err := newVersion(b, w, "file")
	if err != nil {
		return nil, nil, nil, err
	}
	d.MediaType, d.TextBy = read.MediaType, read.By
	return d, &Original{MediaType: read.MediaType, Data: f.Data}, warnings, nil
}

// newVersion builds the document; errors that concern the whole of it have the path field.
func newVersion(b *builder, w *documentWire, field string) (*ledger.Document, []domain.Warning, error) {
	const place = "documents[0]"
	inside := func(path string) string {
		if path == place {
			return field
		}
		return strings.TrimPrefix(path, place+".")
	}
	d, err := b.document(0, w, "")
	if err != nil {
		return nil, nil, moved(err, inside)
	}
	if len(d.Chunks) == 0 {
		return nil, nil, domain.Refuse(domain.Invalid, field, "refused_add_version")
	}
	warnings := b.finished()
	for i := range warnings {
		warnings[i].Path = inside(warnings[i].Path)
	}
	return d, warnings, nil
}
