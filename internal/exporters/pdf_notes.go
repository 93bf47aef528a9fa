package exporters

import (
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// footnotes are the notes of one part of a document, numbered in the order of their first use.
type footnotes struct {
	marks map[string]typeset.Span // by what the note is about
}

// raised are the digits of a note's mark.
var raised = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸",
	"9", "⁹")

// mark returns the mark of a note; the same key gets the same mark. note is called for a new one.
func (f *footnotes) mark(key string, note func() []typeset.Span) typeset.Span {
	if s, ok := f.marks[key]; ok {
		return s
	}
	if f.marks == nil {
		f.marks = map[string]typeset.Span{}
	}
	s := typeset.Span{Text: raised.Replace(strconv.Itoa(len(f.marks) + 1)), Bold: true, Isolate: true,
		Color: prose.Reference,
		Note:  &typeset.Note{Spans: note()}}
	f.marks[key] = s
	return s
}

// citeMark returns the mark of an anchor in the answer. Its note names the source, the page and the clause that it cites.
func (p *pdfWriter) citeMark(hash string) typeset.Span {
	c := p.citation(hash)
	key := hash
	if c != nil && c.Status == ledger.Resolved && len(c.Places) > 0 {
		key = p.place(&c.Places[0]) // equal places share a note
	}
	return p.notes.mark(key, func() []typeset.Span { return p.citeNote(hash, c) })
}

// citation returns the citation of a claim that has an anchor's hash, nil if none has.
func (p *pdfWriter) citation(hash string) *ledger.Citation {
	if p.cited == nil {
		p.cited = map[string]*ledger.Citation{}
		for i := range p.l.Entries {
			all := p.l.Entries[i].Claim.Citations
			for j := range all {
				p.cited[strings.ToLower(all[j].Hash)] = &all[j]
			}
		}
	}
	return p.cited[strings.ToLower(hash)]
}

func (p *pdfWriter) citeNote(hash string, c *ledger.Citation) []typeset.Span {
	if c == nil || len(c.Places) == 0 {
		return typeset.Text(p.T("note_unresolved"))
	}
	var out []typeset.Span
	for i := range c.Places[:min(len(c.Places), maxPlaces)] {
		if i > 0 {
			out = append(out, typeset.Span{Text: p.T("note_or")})
		}
		out = append(out, p.placeSpans(&c.Places[i])...)
	}
	return out
}

// place names a cited place: file, page, clause.
func (p *pdfWriter) place(at *ledger.Place) string {
	var b strings.Builder
	for _, s := range p.placeSpans(at) {
		b.WriteString(s.Text)
	}
	return b.String()
}

func (p *pdfWriter) placeSpans(at *ledger.Place) []typeset.Span {
	out := []typeset.Span{{Text: prose.Clipped(at.Filename, prose.TitleLength), Isolate: true}}
	where := ledger.Location{Number: at.Page}
	if d, c := p.passage(at); c != nil {
		where = d.Locate(c)
	}
	for _, s := range p.SaidAll(where.Long()) {
		out = append(out, typeset.Span{Text: p.T("list_comma")}, typeset.Span{Text: s, Isolate: true})
	}
	return out
}

// passage returns the passage of a cited place of this session with its document, nil if it isn't here.
func (p *pdfWriter) passage(at *ledger.Place) (*ledger.Document, *ledger.Chunk) {
	for i := range p.l.Session.Documents {
		d := &p.l.Session.Documents[i]
		if d.Key != at.DocumentID && d.ID != at.DocumentID || d.Filename != at.Filename {
			continue
		}
		if at.Position < len(d.Chunks) {
			return d, &d.Chunks[at.Position]
		}
	}
	return nil, nil
}
