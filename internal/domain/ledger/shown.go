package ledger

import (
	"cmp"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// Slicer cuts text of the document, or a quotation of it, for a reader: Markdown without its marks. What is stored and
// what is exported for machines keeps them. The document may be nil.
func (d *Document) Slicer(words string) text.Slicer {
	if d != nil && filetype.IsMarkdown(d.MediaType, d.Filename) {
		return text.NewUnmarked(words)
	}
	return text.NewRuler(words)
}

// Shown is text of the document, or a quotation of it, as a reader sees it: rows of tables as the words of their cells.
func (d *Document) Shown(words string) string {
	s := d.Slicer(SaidRows(words))
	return s.Slice(text.Span{End: s.Len()})
}

// ShownSnippet is the quotation of the deciding match as a person reads it. Without a match it is empty.
func (e *Entry) ShownSnippet() string {
	if e.Best == nil {
		return ""
	}
	return e.Document.ShownSnippet(e.Chunk, e.Best)
}

// ShownSnippet is the quotation of a match in a chunk of the document as a person reads it. The chunk may be nil.
func (d *Document) ShownSnippet(c *Chunk, m *Match) string {
	if c != nil && strings.HasPrefix(m.Snippet, "|") {
		return d.Shown(cmp.Or(c.headedRow(m.Quote.Span), m.Snippet))
	}
	return d.Shown(m.Snippet)
}

// ShownQuote is a quotation from a chunk of the document as a person reads it.
func (d *Document) ShownQuote(c *Chunk, quote text.Span) string {
	return d.Shown(cmp.Or(c.headedRow(quote), text.Slice(c.Text, quote)))
}

// headedRow is a quotation that is one row of a table with heads: each cell but the first after its head, so that a
// figure is not without its unit. It is empty otherwise.
func (c *Chunk) headedRow(quote text.Span) string {
	grids := Grids(c.Text, OpenGrid{})
	for i := range grids {
		heads := grids[i].Heads()
		for k := range grids[i].Rows {
			if row := &grids[i].Rows[k]; row.Span == quote {
				return row.headed(heads)
			}
		}
	}
	return ""
}

// headed writes a row's cells after their heads, with middle dots between; "" if there are no heads.
func (r *GridRow) headed(heads []string) string {
	var out []string
	for i, cell := range r.Cells {
		switch {
		case cell.Text == "":
		case i > 0 && i < len(heads) && heads[i] != "":
			out = append(out, heads[i]+": "+cell.Text)
		default:
			out = append(out, cell.Text)
		}
	}
	if len(heads) == 0 {
		return ""
	}
	return strings.Join(out, " · ")
}

// ShownNotes are the notes with the quotation as a reader sees it.
func (e *Entry) ShownNotes() string {
	if e.Best == nil || e.Best.Snippet == "" {
		return e.Notes()
	}
	return strings.ReplaceAll(e.Notes(), e.Best.Snippet, e.ShownSnippet())
}

// Unit is what the numbers of a document's passages count.
type Unit int

// What they may count.
const (
	Pages Unit = iota
	Slides
	Rows
)

// UnitOf tells what the numbers of a document's passages count, by its media type or, where none is known, by its name.
func UnitOf(mediaType, name string) Unit {
	if kind, ok := filetype.Of(name, filetype.Documents); ok {
		mediaType = cmp.Or(mediaType, kind.MediaType)
	}
	switch {
	case filetype.IsSheet(mediaType):
		return Rows
	case mediaType == filetype.PPTX.MediaType:
		return Slides
	}
	return Pages
}

// Location is where a passage stands in its document. Pages, documents and tables say it by Short and Long.
type Location struct {
	Unit    Unit
	Number  int      // of its page, slide or row; 0 if unknown
	Sheet   string   // of a row, "" if the file has but one
	Section string   // its number or heading, "" for a row
	Part    PartKind // which part of the file it is, unless the body
	Mail    bool     // the file is a mail
	Scanned bool     // its words were read from a picture
}

// Locate returns where a chunk of the document stands; the zero Location for none.
func (d *Document) Locate(c *Chunk) Location {
	if c == nil {
		return Location{}
	}
	l := Location{Number: c.Page, Section: c.Section(), Part: c.Kind, Scanned: c.Scanned}
	if d != nil {
		l.Unit = UnitOf(d.MediaType, d.Filename)
		l.Mail = filetype.IsMail(d.MediaType, d.Filename)
	}
	if c.Kind == SheetRow {
		l.Unit, l.Part = Rows, Body
	}
	if l.Unit == Rows {
		l.Section = ""
		if len(c.HeadingPath) > 0 {
			l.Sheet = c.HeadingPath[0]
		}
	}
	return l
}

// LocateMatch returns where the quotation of a match stands: as Locate, with the nearest heading above its words.
func (d *Document) LocateMatch(c *Chunk, m *Match) Location {
	l := d.Locate(c)
	if c != nil && m != nil && l.Section != "" {
		l.Section = c.SectionOf(m.Quote)
	}
	return l
}

// Short says what a cell of a list has room for: the page, slide or row, or else the section; none if nothing is known.
// Whoever shows the messages isolates the direction of their texts.
func (l *Location) Short() []domain.Message {
	if l.Number > 0 {
		return []domain.Message{l.numbered("page_short")}
	}
	return l.section("section_short")
}

// Long says all that is known.
func (l *Location) Long() []domain.Message {
	return append(append(l.count(), l.section("section_long")...), l.kind()...)
}

// Apart is Long without the section, for tables that have a column for it.
func (l *Location) Apart() []domain.Message { return append(l.count(), l.kind()...) }

func (l *Location) count() []domain.Message {
	if l.Number == 0 {
		return nil
	}
	return []domain.Message{l.numbered("page_long")}
}

// kind says which part of the file a passage is, and that it was read from a picture.
func (l *Location) kind() (out []domain.Message) {
	switch {
	case l.Part == Body:
	case l.Mail && l.Part == PageHeader:
		out = append(out, words.Msg("part_word_mail"))
	default:
		out = append(out, words.Msg("part_word_"+string(l.Part)))
	}
	if l.Scanned {
		out = append(out, words.Msg("doc_scanned_place"))
	}
	return out
}

func (l *Location) numbered(page string) domain.Message {
	switch {
	case l.Unit == Rows && l.Sheet != "":
		return words.Msg("row_of_sheet", "Sheet", l.Sheet, "N", l.Number)
	case l.Unit == Rows:
		return words.Msg("row_place", "N", l.Number)
	case l.Unit == Slides:
		return words.Msg("slide_place", "N", l.Number)
	}
	return words.Msg(page, "N", l.Number)
}

func (l *Location) section(id string) []domain.Message {
	switch {
	case l.Section == "":
		return nil
	case IsSectionNumber(l.Section):
		return []domain.Message{words.Msg(id, "N", l.Section)}
	}
	return []domain.Message{words.AsWritten(l.Section)}
}
