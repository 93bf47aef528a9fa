package exporters

import (
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/typeset"
)

// summary counts the claims by verdict and by importance.
func (p *pdfWriter) summary() {
	sum := &p.l.Summary
	p.heading(1, p.t("summary"))
	var verdicts, weights []typeset.Row
	for _, v := range ledger.Verdicts {
		verdicts = append(verdicts, p.count(typeset.Cell{Badge: p.badge(v)}, sum.ByVerdict[v]))
	}
	if sum.Unjudged > 0 {
		verdicts = append(verdicts, p.count(typeset.Cell{Badge: p.badge(ledger.Unjudged)}, sum.Unjudged))
	}
	for _, i := range ledger.Importances {
		weights = append(weights, p.count(textCell(p.t("importance_"+string(i))), sum.ByImportance[i]))
	}
	p.add(p.counts("verdict", verdicts), p.counts("importance", weights))
}

// count is a row of n claims with their share of all.
func (p *pdfWriter) count(what typeset.Cell, n int) typeset.Row {
	share := 0.0
	if total := p.l.Summary.Total; total > 0 {
		share = float64(n) / float64(total)
	}
	return typeset.Row{Cells: []typeset.Cell{what, textCell(strconv.Itoa(n)), textCell(percent(share))}}
}

func (p *pdfWriter) counts(what string, rows []typeset.Row) typeset.Table {
	return typeset.Table{Rows: rows, Columns: []typeset.Column{
		{Title: p.t(what), Width: 50}, {Title: p.t("count"), Width: 25, End: true}, {Title: p.t("share"), Width: 25, End: true},
	}}
}

var severityKinds = map[ledger.Severity]typeset.Kind{ledger.High: typeset.Bad, ledger.Medium: typeset.Unsure, ledger.Low: typeset.Open}

// flags lists the risk flags, the heaviest first.
func (p *pdfWriter) flags() {
	p.heading(1, p.t("risk_flags"))
	if len(p.l.Flags) == 0 {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.t("no_flags"))})
		return
	}
	weight := []ledger.Severity{ledger.High, ledger.Medium, ledger.Low}
	all := slices.Clone(p.l.Flags)
	slices.SortStableFunc(all, func(a, b ledger.RiskFlag) int {
		return slices.Index(weight, a.Severity) - slices.Index(weight, b.Severity)
	})
	t := typeset.Table{Columns: []typeset.Column{
		{Title: p.t("severity"), Width: 17}, {Title: p.t("flag"), Width: 35}, {Title: p.t("claims"), Width: 18}, {Title: p.t("then"), Width: 30},
	}}
	for _, f := range all {
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{
			{Badge: &typeset.Badge{Kind: severityKinds[f.Severity], Word: p.t("severity_" + string(f.Severity))}},
			{Spans: []typeset.Span{{Text: p.t("flag_name_" + string(f.Type)), Bold: true}, {Text: "\n" + p.flag(&f)}}},
			textCell(p.numbers(&f)), textCell(p.t("then_" + string(f.Type))),
		}})
	}
	p.add(t)
}

// flag says what a flag is about.
func (p *pdfWriter) flag(f *ledger.RiskFlag) string {
	switch {
	case f.Type == ledger.MissingEvidence && f.Critical > 0 && f.Material > 0:
		return p.t("flag_missing_both", "Critical", strconv.Itoa(f.Critical), "Material", strconv.Itoa(f.Material))
	case f.Type == ledger.MissingEvidence && f.Critical > 0:
		return p.t("flag_missing_critical", "N", strconv.Itoa(f.Critical))
	case f.Type == ledger.MissingEvidence:
		return p.t("flag_missing_material", "N", strconv.Itoa(f.Material))
	case f.Type == ledger.LowConfidence && f.Severity != ledger.Low:
		return p.t("flag_low_mean", "Percent", strconv.Itoa(f.Percent)+"%")
	}
	return p.t("flag_"+string(f.Type), "N", strconv.Itoa(f.Count))
}

// numbers names the claims of a flag.
func (p *pdfWriter) numbers(f *ledger.RiskFlag) string {
	parts := make([]string, min(len(f.Claims), maxNumbers))
	for i := range parts {
		parts[i] = strconv.Itoa(f.Claims[i].Position + 1)
	}
	s := p.list(parts...)
	if more := f.Count - len(parts); more > 0 {
		return p.t("and_others", "List", s, "N", strconv.Itoa(more))
	}
	return s
}

// advice is a numbered list of questions or actions; without any it says so.
func (p *pdfWriter) advice(title string, all []ledger.Advice) {
	p.heading(1, p.t(title))
	if len(all) == 0 {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.t("none"))})
		return
	}
	list := typeset.List{Numbered: true}
	for _, a := range all {
		list.Items = append(list.Items, typeset.Text(p.t(string(a.Kind), "Claims", p.claimList(a), "N", strconv.Itoa(a.More))))
	}
	p.add(list)
}

// claimList names claims within a sentence: "claims 4, 7, 9 and others (5)".
func (p *pdfWriter) claimList(a ledger.Advice) string {
	numbers := make([]string, len(a.Numbers))
	for i, n := range a.Numbers {
		numbers[i] = strconv.Itoa(n)
	}
	between, last := p.t("list_between"), len(numbers)-1
	switch {
	case a.More > 0:
		return p.t("claims_and_more", "List", strings.Join(numbers, between), "N", strconv.Itoa(a.More))
	case last < 0:
		return ""
	case last == 0:
		return p.t("claim_one", "List", numbers[0])
	case last == 1:
		return p.t("claims_two", "First", numbers[0], "Last", numbers[1])
	}
	return p.t("claims_some", "List", strings.Join(numbers[:last], between), "Last", numbers[last])
}

// overview is the table of all claims.
func (p *pdfWriter) overview() {
	p.heading(1, p.t("overview"))
	if len(p.l.Entries) == 0 {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.t("no_claims"))})
		return
	}
	t := typeset.Table{Columns: []typeset.Column{
		{Title: "#", Width: 6}, {Title: p.t("claim"), Width: 33}, {Title: p.t("type"), Width: 12}, {Title: p.t("verdict"), Width: 20}, {Title: p.t("source"), Width: 29},
	}}
	for i := range p.l.Entries {
		e := &p.l.Entries[i]
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{
			textCell(strconv.Itoa(e.Claim.Number())), ownCell(clipped(e.Claim.Text, pdfClaimLength)), textCell(p.t("type_" + string(e.Type))),
			{Badge: p.badge(e.Verdict), Spans: typeset.Text(p.verdictNote(e))}, {Spans: p.source(e, "\n", "page_short", "section_short")},
		}})
	}
	p.add(t)
}

// verdictNote stands under a badge: the confidence, or what the machine said where a person decided otherwise.
func (p *pdfWriter) verdictNote(e *ledger.Entry) string {
	switch {
	case e.Override:
		return p.t("overridden_was", "Verdict", p.machine(e))
	case hasConfidence(e.Verdict):
		return percent(e.Confidence)
	}
	return ""
}

// machine is the judge's verdict with its confidence.
func (p *pdfWriter) machine(e *ledger.Entry) string {
	if !hasConfidence(e.Machine) {
		return p.verdict(e.Machine)
	}
	return p.verdict(e.Machine) + " " + percent(e.Confidence)
}
