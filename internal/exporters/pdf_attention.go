package exporters

import (
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// maxFirst is how many claims are listed as those to look at first; of critical ones up to maxCritical.
const (
	maxFirst    = 10
	maxCritical = 40
)

// troubled returns the claims that need attention, the most pressing first: contradicted ones, those without evidence
// or verdict, flagged ones, weak ones on which much depends, and those whose review must be repeated. Critical ones come
// before all others; within each group the more important come first, then the ledger's order applies.
func troubled(l *ledger.Ledger) []*ledger.Entry {
	var out []*ledger.Entry
	for i := range l.Entries {
		if e := &l.Entries[i]; pressing(e) < notPressing {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b *ledger.Entry) int {
		if a, b := a.Importance == ledger.Critical, b.Importance == ledger.Critical; a != b {
			return map[bool]int{true: -1, false: 1}[a]
		}
		if d := pressing(a) - pressing(b); d != 0 {
			return d
		}
		return slices.Index(ledger.Importances, a.Importance) - slices.Index(ledger.Importances, b.Importance)
	})
	return out
}

// notPressing is the rank of a claim without problems.
const notPressing = 3

// pressing ranks a claim by its worst problem; 0 is the worst.
func pressing(e *ledger.Entry) int {
	switch {
	case e.Verdict == ledger.Contradicted:
		return 0
	case e.Verdict == ledger.NotFound || e.Unjudged():
		return 1
	case len(e.Flags) > 0 || e.Stale || e.Verdict == ledger.Weak && e.Importance == ledger.Critical:
		return 2
	}
	return notPressing
}

// shortLedger is up to how many claims a ledger is short: all of them are seen at once, so that the cover names those to
// look at first, each by its number and first words.
const shortLedger = 25

func (p *pdfWriter) short() bool { return len(p.l.Entries) <= shortLedger }

// attention adds the claims to look at first, in brief.
func (p *pdfWriter) attention() {
	all := troubled(p.l)
	if len(all) == 0 || p.short() {
		return
	}
	p.chapter("attention")
	t := typeset.Table{Caption: p.T("attention_order"), Columns: []typeset.Column{
		{Title: "#", Width: prose.NumberWidth}, {Title: p.T("claim"), Width: 53},
		{Title: p.T("verdict"), Width: 100 - 53 - prose.NumberWidth},
	}}
	listed := 0
	for listed < len(all) && (listed < maxFirst || listed < maxCritical && all[listed].Importance == ledger.Critical) {
		listed++
	}
	for _, e := range all[:listed] {
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{
			prose.Cell(strconv.Itoa(e.Claim.Number())), p.claimText(e, pdfFirstLength),
			{Badge: p.EntryBadge(e), Spans: typeset.Text(p.trouble(e))},
		}})
	}
	p.add(t)
	if more := len(all) - listed; more > 0 {
		p.add(typeset.Paragraph{Soft: true, Spans: typeset.Text(p.T("attention_more", "N", strconv.Itoa(more)))})
	}
}

// aside lists the claims that no longer count, and why.
func (p *pdfWriter) aside() {
	if len(p.l.Aside) == 0 {
		return
	}
	p.heading(2, p.T("aside"))
	t := typeset.Table{Columns: []typeset.Column{
		{Title: "#", Width: prose.NumberWidth}, {Title: p.T("claim"), Width: 53},
		{Title: p.T("aside_why"), Width: 100 - 53 - prose.NumberWidth},
	}}
	for i := range p.l.Aside {
		e := &p.l.Aside[i]
		r := e.Claim.AsideBy()
		why := p.T("aside_" + string(e.State))
		if r != nil {
			why += " · " + r.Actor
			for _, at := range r.Into {
				why += " · #" + strconv.Itoa(at+1)
			}
			if r.Reason != "" {
				why += ": " + prose.Clipped(r.Reason, pdfFirstLength)
			}
		}
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{
			prose.Cell(strconv.Itoa(e.Claim.Number())), p.claimText(e, pdfFirstLength), prose.Cell(why),
		}})
	}
	p.add(t)
}

// claimText returns a claim in its own language and direction, cut to n code points.
func (p *pdfWriter) claimText(e *ledger.Entry, n int) typeset.Cell {
	s := prose.Clipped(strings.TrimSpace(e.Claim.Text), n)
	lang := prose.TextLang(s, p.l.Session.Lang)
	return typeset.Cell{Spans: prose.Quotations(s, lang), Lang: lang}
}

// trouble returns a claim's importance, its risk flags, and whether its review must be repeated.
func (p *pdfWriter) trouble(e *ledger.Entry) string {
	s := p.T("importance_" + string(e.Importance))
	if len(e.Flags) > 0 {
		s += " · " + p.List(p.FlagNames(e)...)
	}
	if e.Stale {
		s += " · " + p.T("look_again")
	}
	return s
}

var severityKinds = map[ledger.Severity]typeset.Kind{ledger.High: typeset.Bad, ledger.Medium: typeset.Unsure,
	ledger.Low: typeset.Open}

// flags lists the risk flags, the most severe first.
func (p *pdfWriter) flags() {
	p.chapter("risk_flags")
	if len(p.l.Flags) == 0 {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.T("no_flags"))})
		return
	}
	weight := []ledger.Severity{ledger.High, ledger.Medium, ledger.Low}
	all := slices.Clone(p.l.Flags)
	slices.SortStableFunc(all, func(a, b ledger.RiskFlag) int {
		return slices.Index(weight, a.Severity) - slices.Index(weight, b.Severity)
	})
	t := typeset.Table{Columns: []typeset.Column{{Title: p.T("severity"), Width: 15}, {Title: p.T("flag"), Width: 62},
		{Title: p.T("claims"), Width: 23}}}
	for i := range all {
		f := &all[i]
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{
			{Badge: &typeset.Badge{Kind: severityKinds[f.Severity], Word: p.T("severity_" + string(f.Severity))}},
			{Spans: []typeset.Span{{Text: p.T("flag_name_" + string(f.Type)), Bold: true}, {Text: " · " + p.Flag(f)}}},
			prose.Cell(p.numbers(f)),
		}})
	}
	p.add(t)
}

// numbers returns the numbers of a flag's claims.
func (p *pdfWriter) numbers(f *ledger.RiskFlag) string {
	most := min(len(f.Claims), maxNumbers)
	if f.Count == most+1 && len(f.Claims) > most { // one more is named as soon as it is counted
		most++
	}
	parts := make([]string, most)
	for i := range parts {
		parts[i] = strconv.Itoa(f.Claims[i].Position + 1)
	}
	s := p.List(parts...)
	if more := f.Count - len(parts); more > 0 {
		return p.T("and_others", "List", s, "N", strconv.Itoa(more))
	}
	return s
}

// advices adds the questions and the actions: one list after the other, those of a short ledger side by side.
func (p *pdfWriter) advices() {
	questions, actions := p.l.FollowUps(), p.l.Actions()
	if !p.short() || len(questions) == 0 || len(actions) == 0 {
		p.advice("follow_ups", questions)
		p.advice("actions", actions)
		return
	}
	p.chapter("questions_and_actions")
	p.add(typeset.Table{
		Columns: []typeset.Column{{Title: p.T("follow_ups"), Width: 1}, {Title: p.T("actions"), Width: 1}},
		Rows:    []typeset.Row{{Cells: []typeset.Cell{p.numbered(questions), p.numbered(actions)}}},
	})
}

// numbered returns a list as the lines of a cell.
func (p *pdfWriter) numbered(all []ledger.Advice) typeset.Cell {
	var out prose.Lines
	for i := range all {
		out.Line(typeset.Span{Text: strconv.Itoa(i+1) + ". " + p.sentence(&all[i])})
	}
	return typeset.Cell{Spans: out}
}

// sentence returns a question or an action.
func (p *pdfWriter) sentence(a *ledger.Advice) string {
	return p.T(string(a.Kind), "Claims", p.claimList(*a), "N", strconv.Itoa(a.More))
}

// advice adds a numbered list of questions or actions, or a sentence that there are none.
func (p *pdfWriter) advice(title string, all []ledger.Advice) {
	p.chapter(title)
	if len(all) == 0 {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.T("none"))})
		return
	}
	list := typeset.List{Numbered: true}
	for i := range all {
		list.Items = append(list.Items, typeset.Text(p.sentence(&all[i])))
	}
	p.add(list)
}

// maxNamed is how many claims a sentence names beyond those that an export of the format names.
const maxNamed = 3

// named adds the numbers of the other claims with the flag that an advice is about, where they are few.
func (p *pdfWriter) named(a ledger.Advice) ledger.Advice {
	if a.More == 0 || a.More > maxNamed || len(a.Numbers) == 0 {
		return a
	}
	_, flag, _ := strings.Cut(string(a.Kind), "_")
	var all []int
	for i := range p.l.Entries {
		if slices.Contains(p.l.Entries[i].Flags, ledger.RiskType(flag)) {
			all = append(all, i+1)
		}
	}
	if len(all) == len(a.Numbers)+a.More {
		a.Numbers, a.More = all, 0
	}
	return a
}

// claimList returns a list of claims for use in a sentence: "claims 4, 7 and 9", "14 claims (4, 7, 9 and others)".
func (p *pdfWriter) claimList(a ledger.Advice) string {
	a = p.named(a)
	numbers := make([]string, len(a.Numbers))
	for i, n := range a.Numbers {
		numbers[i] = strconv.Itoa(n)
	}
	between, last := p.T("list_between"), len(numbers)-1
	switch {
	case a.More > 0:
		n := len(numbers) + a.More
		return p.T("claims_and_more", "All", p.Words.Plural("n_claims", n, strconv.Itoa(n)), "List",
			strings.Join(numbers, between))
	case last < 0:
		return ""
	case last == 0:
		return p.T("claim_one", "List", numbers[0])
	case last == 1:
		return p.T("claims_two", "First", numbers[0], "Last", numbers[1])
	}
	return p.T("claims_some", "List", strings.Join(numbers[:last], between), "Last", numbers[last])
}
