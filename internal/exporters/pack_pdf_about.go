package exporters

import (
	"strconv"

	"sanad/internal/exporters/typeset"
)

// scope says in half a page what the pack holds, how it came about, and what it does not say; with a ledger, also what
// its verdicts mean.
func (p *packPDF) scope() {
	c := &p.d.Content
	p.heading("scope_title")
	claims := 0
	if c.Ledger != nil {
		claims = len(c.Ledger.Entries)
	}
	p.add(aboutFacts(p.t,
		p.t("scope_is", "Sources", strconv.Itoa(len(c.Sources)), "Calls", strconv.Itoa(len(c.ToolCalls)), "Claims",
			strconv.Itoa(claims)),
		p.t("method_is", "N", strconv.Itoa(c.Requirement.Approvers)), p.t("limits_are")))
	if claims > 0 {
		p.heading("definitions")
		p.add(p.definitions())
	}
}

// noted gives each reference of the memo, such as [E1], a footnote that names its source.
func (p *packPDF) noted(spans []typeset.Span) []typeset.Span {
	for i := range spans {
		at, ok := referred(spans[i].Text, len(p.d.Content.Sources))
		if !ok || spans[i].Color != packReference {
			continue
		}
		if p.notes == nil {
			p.notes = map[int]*typeset.Note{}
		}
		if p.notes[at] == nil {
			p.notes[at] = &typeset.Note{Spans: p.sourceNote(at)}
		}
		spans[i].Note = p.notes[at]
	}
	return spans
}

// sourceNote names a source, where it is, and when it was retrieved.
func (p *packPDF) sourceNote(at int) []typeset.Span {
	s := &p.d.Content.Sources[at]
	return append(p.names(s.Source, s.URI, s.InternalRef), typeset.Span{Text: p.t("list_comma") + p.t("retrieved_on", "At",
		p.day(s.RetrievedAt))})
}
