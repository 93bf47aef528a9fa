package say

import (
	"path"
	"strings"

	"sanad/internal/domain/filetype"
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
	s := Source{File: DocumentName(d)}
	switch {
	case ch == nil:
	case ch.Kind == ledger.SheetRow:
		s.Place = r.sheetRow(ch)
	case ch.Page > 0:
		s.Place = r.T("page_short", "N", r.Num(ch.Page))
	case ch.Section() != "":
		s.Place = r.Section("section_short", ch.Section())
	}
	return s
}

// Place names page and section in full, for the line under a quotation.
func (r *Reader) Place(ch *ledger.Chunk) string {
	s := ""
	if ch.Kind == ledger.SheetRow {
		return r.T("list_comma") + r.sheetRow(ch)
	}
	if ch.Page > 0 {
		s += r.T("page_long", "N", r.Num(ch.Page))
	}
	if n := ch.Section(); n != "" {
		s += r.T("list_comma") + r.Section("section_long", n)
	}
	if ch.Kind != ledger.Body {
		s += r.T("list_comma") + r.T("part_word_"+string(ch.Kind))
	}
	if ch.Scanned {
		s += r.T("list_comma") + r.T("doc_scanned_place")
	}
	return s
}

// sheetRow names a row of a spreadsheet: "Budget, row 12".
func (r *Reader) sheetRow(ch *ledger.Chunk) string {
	if sheet := ch.Sheet(); sheet != "" {
		return r.T("row_of_sheet", "Sheet", Isolated(sheet), "N", r.Num(ch.Page))
	}
	return r.T("row_place", "N", r.Num(ch.Page))
}

// PageLabel heads what stands on a page or, of a spreadsheet, in a row.
func (r *Reader) PageLabel(mediaType string, n int) string {
	if filetype.IsSheet(mediaType) {
		return r.T("row_label", "N", r.Num(n))
	}
	return r.T("page_label", "N", r.Num(n))
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

// AllIsolated isolates each of several names that are joined into one line.
func AllIsolated(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = Isolated(n)
	}
	return out
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
