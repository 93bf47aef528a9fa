package say

import (
	"path"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// Source is where evidence stands, in pieces that keep their own direction.
type Source struct {
	File  string
	Place string // "p. 12", "§ 3.2", "" when unknown
}

// Source names the place of a chunk for a table cell.
func (r *Reader) Source(d *ledger.Document, ch *ledger.Chunk) Source {
	if d == nil {
		return Source{}
	}
	at := d.Locate(ch)
	return Source{File: DocumentName(d), Place: r.SaidAll(at.Short())}
}

// Place says in full where a chunk stands, for the line that begins with its document's name.
func (r *Reader) Place(d *ledger.Document, ch *ledger.Chunk) string {
	at := d.Locate(ch)
	if s := r.SaidAll(at.Long()); s != "" {
		return r.T("list_comma") + s
	}
	return ""
}

// SaidAll says messages with commas between them.
func (r *Reader) SaidAll(list []domain.Message) string {
	out := make([]string, len(list))
	for i, m := range list {
		out[i] = r.Said(m)
	}
	return strings.Join(out, r.T("list_comma"))
}

// pageLabels head what stands on a page, on a slide or in a row.
var pageLabels = map[ledger.Unit]string{ledger.Pages: "page_label", ledger.Slides: "slide_label", ledger.Rows: "row_label"}

// PageLabel heads what stands on page n of a document, or on its slide or in its row.
func (r *Reader) PageLabel(mediaType, name string, n int) string {
	return r.T(pageLabels[ledger.UnitOf(mediaType, name)], "N", r.Num(n))
}

// Section writes "section 4.2" for a heading's number, which stays as it is printed, and a heading without one alone.
func (r *Reader) Section(id, name string) string {
	if ledger.IsSectionNumber(name) {
		return r.T(id, "N", Isolated(name))
	}
	return Isolated(name)
}

// Isolated isolates a text's direction within a sentence of another direction (U+2068, U+2069).
func Isolated(s string) string { return "\u2068" + s + "\u2069" }

// SpansMissing says how many spans of a trace were refused for a cause, and names the first of them.
func (r *Reader) SpansMissing(n int, cause string, spans []string) string {
	return r.N("trc_missing", n, "Why", r.T("trc_cause_"+cause), "Spans", Isolated(strings.Join(spans, ", ")))
}

// DocumentName is the shown name of a document: its file name, else title, else the end of its address.
func DocumentName(d *ledger.Document) string {
	switch {
	case d.Filename != "":
		return d.Filename
	case d.Title != "":
		return d.Title
	case d.URI != "":
		return path.Base(d.URI)
	}
	return d.Key
}

// Codes lists names that are not translated.
func (r *Reader) Codes(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = Isolated(n)
	}
	return strings.Join(out, r.T("list_comma"))
}

// Known returns the words for a value of a set of message ids with a prefix, else the value.
func (r *Reader) Known(prefix, value string) string {
	if s := r.T(prefix + value); s != prefix+value {
		return s
	}
	return value
}
