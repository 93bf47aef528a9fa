package exporters

import (
	"math"
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
		c.Facts = append(c.Facts, typeset.KeyValue{Key: p.T("question"), Value: append(typeset.Text(q), p.InOriginal(q)...),
			Lang: prose.TextLang(q, s.Lang)})
	}
	fact := func(key, value string) {
		c.Facts = append(c.Facts, typeset.KeyValue{Key: p.T(key), Value: typeset.Text(value)})
	}
	if first := troubled(p.l); len(first) > 0 && p.short() {
		c.Facts = append(c.Facts, typeset.KeyValue{Key: p.T("attention"), Value: p.firstWords(first)})
	}
	sum := &p.l.Summary
	fact("answer_by", p.author())
	fact("evidence_found", p.found())
	reviewed := p.reviewed()
	if sum.Stale > 0 {
		reviewed += " · " + p.T("settled_stale", "N", strconv.Itoa(sum.Settled), "Stale", strconv.Itoa(sum.Stale))
	}
	fact("reviewed", reviewed)
	if c := s.Closing; c.At.IsZero() {
		fact("standing", p.T("unsigned"))
	}
	fact("judge", p.Judge(&s.Run))
	fact("generated", p.Time(s.UpdatedAt)+" · "+p.T("revision_n", "N", strconv.Itoa(s.Revision)))
	fact("attached", p.T("attached_is"))
	p.add(c, typeset.Paragraph{Soft: true, Spans: typeset.Text(p.T("footer_hint") + ".")})
}

// selfEvident is up to how many claims need no word about their order.
const selfEvident = 3

// firstWords names claims by number and first words, a line each; those beyond maxFirst by number alone.
func (p *pdfWriter) firstWords(all []*ledger.Entry) []typeset.Span {
	var out prose.Lines
	named := min(len(all), maxFirst)
	for _, e := range all[:named] {
		s := prose.Clipped(strings.Join(strings.Fields(e.Claim.Text), " "), pdfRunningLength)
		out.Line(typeset.Span{Text: strconv.Itoa(e.Claim.Number()) + " · ", Bold: true},
			typeset.Span{Text: s, Isolate: true, Lang: prose.TextLang(s, p.l.Session.Lang)})
	}
	if named < len(all) {
		numbers := make([]string, len(all)-named)
		for i, e := range all[named:] {
			numbers[i] = strconv.Itoa(e.Claim.Number())
		}
		out.Line(typeset.Span{Text: p.List(numbers...)})
	}
	if len(all) > selfEvident {
		out.Line(typeset.Span{Text: p.T("attention_order"), Color: prose.Soft})
	}
	return out
}

// author says which system gave the answer, or that nobody recorded it.
func (p *pdfWriter) author() string {
	s := p.l.Session
	if name := strings.Join(strings.Fields(s.Model+" "+s.ModelVersion), " "); name != "" {
		return prose.Clipped(name, prose.TitleLength)
	}
	return p.T("answer_by_unknown")
}

// found counts the claims that the evidence supports, those with a passage, and those that it speaks against.
func (p *pdfWriter) found() string {
	found, by, all := 0, p.l.Summary.ByVerdict, len(p.l.Entries)
	for i := range p.l.Entries {
		if len(p.l.Entries[i].Claim.Matches) > 0 {
			found++
		}
	}
	return p.T("evidence_counts", "Supported", strconv.Itoa(by[ledger.Supported]), "All", strconv.Itoa(all), "Share",
		percent(partOf(by[ledger.Supported], all)), "Found", strconv.Itoa(found), "Adverse",
		strconv.Itoa(by[ledger.Contradicted]+by[ledger.NotFound]))
}

// reviewed counts the claims that people reviewed, the verdicts that they changed, and the critical claims without any
// review.
func (p *pdfWriter) reviewed() string {
	changed, critical, open := 0, 0, 0
	for i := range p.l.Entries {
		e := &p.l.Entries[i]
		if e.Verdict != e.Machine {
			changed++
		}
		if e.Importance == ledger.Critical {
			critical++
			if waits(e) == "unreviewed" {
				open++
			}
		}
	}
	s := p.T("reviewed_of", "N", strconv.Itoa(p.l.Summary.Reviewed), "All", strconv.Itoa(p.l.Summary.Total), "Changed",
		strconv.Itoa(changed))
	if n := halves(p.l); n > 0 {
		s += " · " + p.T("halves", "N", strconv.Itoa(n))
	}
	if critical > 0 {
		s += " · " + p.T("critical_open", "N", strconv.Itoa(open), "All", strconv.Itoa(critical))
	}
	return s
}

// partOf is part of all, 0 of nothing.
func partOf(part, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(part) / float64(all)
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
	p.conclusion()
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
	sum := 0
	for _, row := range by {
		n := 0
		for _, k := range row {
			n += k
		}
		sum += int(math.Round(100 * partOf(n, len(p.l.Entries))))
	}
	if sum != 100 && len(p.l.Entries) > 0 {
		p.add(typeset.Paragraph{Soft: true, Spans: typeset.Text(p.T("shares_rounded"))})
	}
}

// conclusion says in three sentences at most what the counts say of the answer: the critical claims that the sources
// contradict or say nothing of, the other ones, and what nobody has reviewed.
func (p *pdfWriter) conclusion() {
	if len(p.l.Entries) == 0 {
		return
	}
	var critical, other found
	open, again := 0, 0 // critical ones that nobody reviewed; those of which a review is there, and another is to come
	total := 0
	for i := range p.l.Entries {
		e := &p.l.Entries[i]
		if e.Importance != ledger.Critical {
			other.note(e)
			continue
		}
		total++
		critical.note(e)
		switch {
		case waits(e) == "unreviewed":
			open++
		case waits(e) != "" || e.Stale:
			again++
		}
	}
	var said []string
	switch {
	case critical.any():
		said = append(said, p.T("conclusion_unfit"), p.T("conclusion_critical", "Found", p.counted(&critical)))
	case other.any():
		said = append(said, p.T("conclusion_other", "Found", p.counted(&other)))
	default:
		said = append(said, p.T("conclusion_none"))
	}
	switch {
	case open > 0:
		said = append(said, p.T("conclusion_open", "N", strconv.Itoa(open), "All", strconv.Itoa(total)))
	case total > 0 && again == 0:
		said = append(said, p.T("conclusion_reviewed", "All", strconv.Itoa(total)))
	}
	p.add(typeset.Paragraph{Spans: typeset.Text(strings.Join(said, " "))})
}

// found are the numbers of claims by what keeps an answer from resting on them.
type found struct{ contradicted, without, unjudged []int }

func (f *found) note(e *ledger.Entry) {
	switch n := e.Claim.Number(); {
	case e.Verdict == ledger.Contradicted:
		f.contradicted = append(f.contradicted, n)
	case e.Verdict == ledger.NotFound:
		f.without = append(f.without, n)
	case e.Unjudged():
		f.unjudged = append(f.unjudged, n)
	}
}

func (f *found) any() bool { return len(f.contradicted)+len(f.without)+len(f.unjudged) > 0 }

// counted says how many claims there are of each kind, and which.
func (p *pdfWriter) counted(f *found) string {
	var out []string
	for _, x := range []struct {
		id      string
		numbers []int
	}{{"conclusion_contradicted", f.contradicted}, {"conclusion_without", f.without}, {"conclusion_unjudged", f.unjudged}} {
		if len(x.numbers) == 0 {
			continue
		}
		named := make([]string, min(len(x.numbers), maxNumbers))
		for i := range named {
			named[i] = strconv.Itoa(x.numbers[i])
		}
		if len(x.numbers) > len(named) {
			named = append(named, "…")
		}
		out = append(out, p.T(x.id, "N", strconv.Itoa(len(x.numbers)), "Claims", p.List(named...)))
	}
	return strings.Join(out, p.T("conclusion_between"))
}

// count returns a row of counts by importance, their total, and its share of all claims.
func (p *pdfWriter) count(what typeset.Cell, by tally) typeset.Row {
	row, n := typeset.Row{Cells: []typeset.Cell{what}}, 0
	for _, i := range ledger.Importances {
		row.Cells = append(row.Cells, prose.Cell(strconv.Itoa(by[i])))
		n += by[i]
	}
	return typeset.Row{Cells: append(row.Cells, prose.Cell(strconv.Itoa(n)),
		prose.Cell(percent(partOf(n, len(p.l.Entries)))))}
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
	p.add(p.Definitions(p.terms()))
}

// terms are what this ledger uses.
func (p *pdfWriter) terms() *prose.Terms {
	t := &prose.Terms{Flags: len(p.l.Flags) > 0}
	for i := range p.l.Entries {
		e := &p.l.Entries[i]
		t.Note(e.Verdict, e.Tier, e.FigureSource())
		if e.Override {
			t.Note(e.Machine, e.MachineTier(), e.FigureSource())
		}
		t.Confirmed = t.Confirmed || e.State == ledger.Confirmed
		t.Citations = t.Citations || len(e.Claim.Citations)+len(e.Claim.Checks.Citations) > 0 || e.Uncited
	}
	return t
}
