package prose

import (
	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/typeset"
)

// About returns scope, method and limits under their names; t says a message.
func About(t func(string, ...any) string, scope, method, limits string) typeset.KeyValues {
	return typeset.KeyValues{Items: []typeset.KeyValue{
		{Key: t("scope"), Value: typeset.Text(scope)},
		{Key: t("method"), Value: typeset.Text(method)},
		{Key: t("limits"), Value: typeset.Text(limits)},
	}}
}

// Definitions says what the verdicts, their tiers and the citations mean.
func (p *Lang) Definitions() typeset.Table {
	t := typeset.Table{Whole: true, Columns: []typeset.Column{{Title: p.T("term"), Width: 24}, {Title: p.T("meaning"),
		Width: 76}}}
	add := func(term typeset.Cell, id string) {
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{term, Cell(p.T(id))}})
	}
	for _, v := range ledger.Verdicts {
		add(typeset.Cell{Badge: p.Badge(v)}, "means_"+string(v))
		if v == ledger.Weak {
			for _, tier := range ledger.Tiers {
				add(typeset.Cell{Badge: &typeset.Badge{Kind: typeset.Unsure, Word: p.Tiered(v, tier)}}, "means_"+string(tier))
			}
		}
	}
	add(typeset.Cell{Badge: p.Badge(ledger.Unjudged)}, "means_unjudged")
	add(typeset.Cell{Spans: []typeset.Span{{Text: p.T("means_citation_term"), Bold: true}}}, "means_citation")
	return t
}
