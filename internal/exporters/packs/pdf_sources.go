package packs

import (
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// Widths of the columns of sources and claims, in percent.
const (
	referenceWidth = 7.5
	excerptWidth   = 54.5
	aboutWidth     = 100 - referenceWidth - excerptWidth
)

// sources lists the sources of the decision, each with its excerpt.
func (p *pdfWriter) sources() {
	p.heading("sources")
	all := p.d.Content.Sources
	if len(all) == 0 {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.T("no_sources"))})
		return
	}
	t := typeset.Table{Caption: p.T("sources_hint"), Columns: []typeset.Column{
		{Title: "#", Width: referenceWidth}, {Title: p.T("source_excerpt"), Width: excerptWidth},
		{Title: p.T("about_source"), Width: aboutWidth},
	}}
	for i := range all {
		s := &all[i]
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{p.number(pack.Reference(i)), p.source(s),
			p.about(s)}})
	}
	p.add(t)
}

// number returns the cell that names a row.
func (p *pdfWriter) number(s string) typeset.Cell {
	return typeset.Cell{Spans: []typeset.Span{{Text: s, Bold: true}}}
}

// source returns a source's name above its excerpt and address.
func (p *pdfWriter) source(s *pack.EvidenceSource) typeset.Cell {
	var out prose.Lines
	name := p.names(s.Source)
	name[0].Bold = true
	out.Line(name...)
	switch {
	case s.S3():
		out.Line(typeset.Span{Text: p.T("withheld"), Bold: true})
	case strings.TrimSpace(s.Excerpt) != "":
		out.Line(p.quote(s.Shown(), pack.MaxExcerpt))
	}
	for _, at := range present(s.URI, s.InternalRef) {
		out.Line(typeset.Span{Text: prose.Clipped(at, prose.TitleLength), Isolate: true, Color: prose.Soft})
	}
	return typeset.Cell{Spans: out, Lang: p.cellLang(s.Excerpt)}
}

// cellLang returns the language of a cell's lines: that of the text it quotes.
func (p *pdfWriter) cellLang(quoted string) string { return prose.TextLang(quoted, p.Code) }

// about returns a source's kind and confidence, when it was retrieved, and whether that was too long ago.
func (p *pdfWriter) about(s *pack.EvidenceSource) typeset.Cell {
	var out prose.Lines
	out.Line(typeset.Span{Text: p.name("kind_", s.Kind) + " · " + p.T("confidence_is") + " " + p.share(s.Confidence)})
	out.Labelled(p.T("retrieved"), typeset.Span{Text: p.instant(s.RetrievedAt)})
	if age := p.freshness(p.d, s); age != "" {
		out.Line(typeset.Span{Text: age})
	}
	if s.SensitivityClass != "" {
		out.Labelled(p.T("sensitivity"), typeset.Span{Text: s.SensitivityClass})
	}
	c := typeset.Cell{Spans: out}
	if hours, ok := p.d.age(s); ok && p.d.stale(hours) {
		c.Badge = &typeset.Badge{Kind: typeset.Bad, Word: p.T("stale")}
	}
	return c
}
