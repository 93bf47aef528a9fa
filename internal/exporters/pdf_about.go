package exporters

import (
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/typeset"
)

// scope says in half a page what was checked, how, and what the document does not say.
func (p *pdfWriter) scope() {
	p.chapter("scope_title")
	s, sum := p.l.Session, &p.l.Summary
	judge := strings.ReplaceAll(p.judge(&s.Run), "\n", " · ")
	p.add(aboutFacts(p.t,
		p.t("scope_is", "Claims", strconv.Itoa(sum.Total), "Documents", strconv.Itoa(len(s.Documents))),
		p.t("method_is", "Judge", judge, "N", strconv.Itoa(sum.Reviewed), "All", strconv.Itoa(sum.Total)),
		p.t("limits_are")))
	p.chapter("definitions")
	p.add(p.definitions())
}

// aboutFacts returns scope, method and limits under their names; t says a message.
func aboutFacts(t func(string, ...any) string, scope, method, limits string) typeset.KeyValues {
	return typeset.KeyValues{Items: []typeset.KeyValue{
		{Key: t("scope"), Value: typeset.Text(scope)},
		{Key: t("method"), Value: typeset.Text(method)},
		{Key: t("limits"), Value: typeset.Text(limits)},
	}}
}

// definitions says what the verdicts, their tiers and the citations mean.
func (p *pdfLang) definitions() typeset.Table {
	t := typeset.Table{Whole: true, Columns: []typeset.Column{{Title: p.t("term"), Width: 24}, {Title: p.t("meaning"), Width: 76}}}
	add := func(term typeset.Cell, id string) {
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{term, textCell(p.t(id))}})
	}
	for _, v := range ledger.Verdicts {
		add(typeset.Cell{Badge: p.badge(v)}, "means_"+string(v))
		if v == ledger.Weak {
			for _, tier := range ledger.Tiers {
				add(typeset.Cell{Badge: &typeset.Badge{Kind: typeset.Unsure, Word: p.tiered(v, tier)}}, "means_"+string(tier))
			}
		}
	}
	add(typeset.Cell{Badge: p.badge(ledger.Unjudged)}, "means_unjudged")
	add(typeset.Cell{Spans: []typeset.Span{{Text: p.t("means_citation_term"), Bold: true}}}, "means_citation")
	return t
}
