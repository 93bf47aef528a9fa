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

// Terms are what a document uses and its definitions explain.
type Terms struct {
	Verdicts  map[ledger.Verdict]bool
	Tiers     map[ledger.Tier]bool
	Figures   map[ledger.ConfidenceSource]bool // whose figures
	Flags     bool
	Confirmed bool
	Citations bool
	More      []string // ids of further terms: "term_x", explained by "means_x"
}

// Note takes over what a claim uses.
func (t *Terms) Note(v ledger.Verdict, tier ledger.Tier, figure ledger.ConfidenceSource) {
	if t.Verdicts == nil {
		t.Verdicts, t.Tiers = map[ledger.Verdict]bool{}, map[ledger.Tier]bool{}
		t.Figures = map[ledger.ConfidenceSource]bool{}
	}
	t.Verdicts[v], t.Tiers[tier], t.Figures[figure] = true, true, true
}

// Definitions says what the terms mean that a document uses.
func (p *Lang) Definitions(used *Terms) typeset.Table {
	t := typeset.Table{Whole: true, Columns: []typeset.Column{{Title: p.T("term"), Width: 24}, {Title: p.T("meaning"),
		Width: 76}}}
	add := func(term typeset.Cell, id string) {
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{term, Cell(p.T(id))}})
	}
	word := func(name string) {
		add(typeset.Cell{Spans: []typeset.Span{{Text: p.T("term_" + name), Bold: true}}}, "means_"+name)
	}
	for _, v := range ledger.Verdicts {
		if used.Verdicts[v] {
			add(typeset.Cell{Badge: p.Badge(v)}, "means_"+string(v))
		}
		for _, tier := range ledger.Tiers {
			if v == ledger.Weak && used.Tiers[tier] {
				add(typeset.Cell{Badge: &typeset.Badge{Kind: typeset.Unsure, Word: p.Tiered(v, tier)}}, "means_"+string(tier))
			}
		}
	}
	if used.Verdicts[ledger.Unjudged] {
		add(typeset.Cell{Badge: p.Badge(ledger.Unjudged)}, "means_unjudged")
	}
	if used.Citations {
		word("citation")
	}
	if len(used.Verdicts) > 0 {
		word("importance")
	}
	if used.Confirmed {
		word("confirmed")
	}
	if used.Flags {
		word("flag")
	}
	for _, f := range []ledger.ConfidenceSource{ledger.Calibrated, ledger.ByCaller, ledger.ByModel, ledger.ByReviews} {
		if used.Figures[f] {
			word("figure_" + string(f))
		}
	}
	for _, name := range used.More {
		word(name)
	}
	return t
}
