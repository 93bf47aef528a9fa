package exporters

import (
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// cover adds what the ledger is about, its summary, its origin, and the meaning of the verdicts.
func (p *pdfWriter) cover() {
	s, title := p.l.Session, pdfTitle(p.l, p.Lang)
	c := typeset.Cover{
		Kicker: p.T("sanad") + " · " + p.T("evidence_ledger"), Title: title, TitleLang: prose.TextLang(title, s.Lang),
		Subtitle: p.T("subtitle"), Badge: p.state(),
	}
	if q := prose.Clipped(strings.TrimSpace(s.Query), prose.RemarkLength); q != "" {
		c.Facts = append(c.Facts, typeset.KeyValue{Key: p.T("question"), Value: typeset.Text(q),
			Lang: prose.TextLang(q, s.Lang)})
	}
	fact := func(key, value string) {
		c.Facts = append(c.Facts, typeset.KeyValue{Key: p.T(key), Value: typeset.Text(value)})
	}
	if first := troubled(p.l); len(first) > 0 && p.short() {
		numbers := make([]string, len(first))
		for i, e := range first {
			numbers[i] = strconv.Itoa(e.Claim.Number())
		}
		fact("attention", p.List(numbers...))
	}
	sum := &p.l.Summary
	fact("coverage", percent(sum.Coverage)+" · "+p.T("unsupported")+" "+percent(sum.Unsupported))
	reviewed := p.T("reviewed_of", "N", strconv.Itoa(sum.Reviewed), "All", strconv.Itoa(sum.Total), "Changed",
		strconv.Itoa(sum.Overridden))
	if sum.Stale > 0 {
		reviewed += " · " + p.T("settled_stale", "N", strconv.Itoa(sum.Settled), "Stale", strconv.Itoa(sum.Stale))
	}
	fact("reviewed", reviewed)
	fact("judge", p.Judge(&s.Run))
	fact("generated", p.Time(s.UpdatedAt)+" · "+p.T("revision_n", "N", strconv.Itoa(s.Revision)))
	fact("attached", p.T("attached_is"))
	p.add(c, typeset.Paragraph{Soft: true, Spans: typeset.Text(p.T("footer_hint") + ".")})
}

// state returns a badge that says how many claims need attention.
func (p *pdfWriter) state() *typeset.Badge {
	n := len(troubled(p.l))
	switch {
	case len(p.l.Entries) == 0:
		return nil
	case n == 0:
		return &typeset.Badge{Kind: typeset.Good, Word: p.T("attention_none")}
	case p.l.Summary.ByVerdict[ledger.Contradicted] > 0:
		return &typeset.Badge{Kind: typeset.Bad, Word: p.T("attention_n", "N", strconv.Itoa(n))}
	}
	return &typeset.Badge{Kind: typeset.Unsure, Word: p.T("attention_n", "N", strconv.Itoa(n))}
}

// tally counts the claims of one verdict by importance.
type tally map[ledger.Importance]int

// summary adds the counts of claims by verdict and importance.
func (p *pdfWriter) summary() {
	p.chapter("summary")
	by, all := map[ledger.Verdict]tally{}, tally{}
	for i := range p.l.Entries {
		e := &p.l.Entries[i]
		if by[e.Verdict] == nil {
			by[e.Verdict] = tally{}
		}
		by[e.Verdict][e.Importance]++
		all[e.Importance]++
	}
	t := typeset.Table{Columns: []typeset.Column{{Title: p.T("verdict"), Width: 32}}}
	for _, i := range ledger.Importances {
		t.Columns = append(t.Columns, typeset.Column{Title: p.T("importance_" + string(i)), Width: 14, End: true})
	}
	t.Columns = append(t.Columns, typeset.Column{Title: p.T("total"), Width: 13, End: true},
		typeset.Column{Title: p.T("share"), Width: 13, End: true})
	for _, v := range ledger.Verdicts {
		t.Rows = append(t.Rows, p.count(typeset.Cell{Badge: p.Badge(v)}, by[v]))
	}
	if by[ledger.Unjudged] != nil {
		t.Rows = append(t.Rows, p.count(typeset.Cell{Badge: p.Badge(ledger.Unjudged)}, by[ledger.Unjudged]))
	}
	t.Rows = append(t.Rows, p.count(typeset.Cell{Spans: []typeset.Span{{Text: p.T("total"), Bold: true}}}, all))
	p.add(t)
}

// count returns a row of counts by importance, their total, and its share of all claims.
func (p *pdfWriter) count(what typeset.Cell, by tally) typeset.Row {
	row, n := typeset.Row{Cells: []typeset.Cell{what}}, 0
	for _, i := range ledger.Importances {
		row.Cells = append(row.Cells, prose.Cell(strconv.Itoa(by[i])))
		n += by[i]
	}
	share := 0.0
	if all := len(p.l.Entries); all > 0 {
		share = float64(n) / float64(all)
	}
	return typeset.Row{Cells: append(row.Cells, prose.Cell(strconv.Itoa(n)), prose.Cell(percent(share)))}
}

// scope says in half a page what was checked, how, and what the document does not say.
func (p *pdfWriter) scope() {
	p.chapter("scope_title")
	s, sum := p.l.Session, &p.l.Summary
	judge := strings.ReplaceAll(p.Judge(&s.Run), "\n", " · ")
	p.add(prose.About(p.T,
		p.T("scope_is", "Claims", strconv.Itoa(sum.Total), "Documents", strconv.Itoa(len(s.Documents))),
		p.T("method_is", "Judge", judge, "N", strconv.Itoa(sum.Reviewed), "All", strconv.Itoa(sum.Total)),
		p.T("limits_are")))
	p.chapter("definitions")
	p.add(p.Definitions())
}
