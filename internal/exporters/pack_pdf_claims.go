package exporters

import (
	"strconv"
	"strings"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/typeset"
)

// claims lists the ledger's entries as they stood at submission.
func (p *packPDF) claims() {
	l := p.d.Content.Ledger
	if l == nil {
		return
	}
	p.heading("pack_claims")
	hint := p.asOf(p.d)
	if len(l.Entries) == 0 {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.t("no_claims") + " " + hint)})
		p.aside(l.SetAside)
		return
	}
	t := typeset.Table{Caption: hint, Columns: []typeset.Column{
		{Title: "#", Width: numberWidth}, {Title: p.t("claim_says"), Width: saysWidth},
		{Title: p.t("source_says"), Width: sourceWidth}, {Title: p.t("verdict_findings"), Width: verdictWidth},
	}}
	for i := range l.Entries {
		e := &l.Entries[i]
		claim, source := p.beside(e)
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{p.number("C" + strconv.Itoa(e.Number)), claim, source,
			p.judged(e)}})
	}
	p.add(t)
	p.aside(l.SetAside)
}

// aside lists the claims that no longer count, with who set them aside and why.
func (p *packPDF) aside(all []pack.Entry) {
	if len(all) == 0 {
		return
	}
	p.heading("set_aside")
	t := typeset.Table{Caption: p.t("set_aside_are", "N", strconv.Itoa(len(all))), Columns: []typeset.Column{
		{Title: "#", Width: numberWidth}, {Title: p.t("claim"), Width: 53},
		{Title: p.t("aside_why"), Width: 100 - 53 - numberWidth},
	}}
	for i := range all {
		e := &all[i]
		words := clipped(strings.TrimSpace(e.ClaimText), pdfClaimLength)
		why := lines{}
		why.line(typeset.Span{Text: p.name("aside_", string(e.State)), Bold: true})
		for j := range e.Reviews {
			p.reviewed(&why, &e.Reviews[j])
		}
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{p.number("C" + strconv.Itoa(e.Number)),
			{Spans: typeset.Text(words), Lang: p.cellLang(words)}, {Spans: why}}})
	}
	p.add(t)
}

// beside returns what a claim says and what its source says, each in its own direction, with the figures, limits and
// dates of the claim.
func (p *packPDF) beside(e *pack.Entry) (claim, source typeset.Cell) {
	words := clipped(strings.TrimSpace(e.ClaimText), pdfClaimLength)
	says, from, lang := lines{}, lines{}, ""
	says.line(typeset.Span{Text: words, Bold: true})
	if strings.TrimSpace(e.Snippet) != "" {
		q := p.quote(e.Shown(), pdfQuoteLength)
		lang = q.Lang
		from.line(q)
	}
	place := p.names(p.place(e)...)
	for i := range place {
		place[i].Color = pdfSoft
	}
	from.line(place...)
	if e.Verdict != ledger.Unjudged {
		m := ledger.Match{Snippet: e.Snippet, Contradicts: e.MachineVerdict == ledger.Contradicted}
		if e.MachineVerdict == ledger.Supported {
			m.Support = ledger.Full
		}
		p.sides(&says, &from, ranked(judge.NewContrast(e.ClaimText, e.Shown(), &m).Figures))
	}
	return typeset.Cell{Spans: says, Lang: p.cellLang(words)}, typeset.Cell{Spans: from, Lang: lang}
}

// judged returns a claim's effective verdict, with the machine's verdict and the reviews.
func (p *packPDF) judged(e *pack.Entry) typeset.Cell {
	var out lines
	if e.MachineVerdict != e.Verdict {
		out.labelled(p.t("machine"), typeset.Span{Text: p.machine(e)})
	} else if e.FigureSource != "" {
		out.line(typeset.Span{Text: p.sure(e)})
	}
	out.line(typeset.Span{Text: p.name("type_", string(e.ClaimType)) + " · " + p.name("importance_",
		string(e.Importance))})
	if len(e.Flags) > 0 {
		out.labelled(p.t("risk_flags"), typeset.Span{Text: p.flags(e), Bold: true})
	}
	// notes that only repeat the quotation are left out
	if strings.TrimSpace(e.Notes) != "" && (e.Snippet == "" || !strings.Contains(e.Notes, e.Snippet)) {
		out.labelled(p.t("judge_notes"), p.said(clipped(p.note(e.ShownNotes()), pdfRemarkLength)))
	}
	p.checked(&out, e)
	for i := range e.Reviews {
		p.reviewed(&out, &e.Reviews[i])
	}
	return typeset.Cell{Badge: &typeset.Badge{Kind: pdfKinds[e.Verdict], Word: p.effective(e)}, Spans: out}
}

func (p *packPDF) reviewed(out *lines, r *pack.Review) {
	out.line(typeset.Span{Text: p.review(r), Bold: true})
	name := p.names(r.Actor)
	name[0].Color = pdfSoft
	out.line(append(name, typeset.Span{Text: " · " + p.instant(r.At), Color: pdfSoft})...)
	if said := p.standing(r); said != "" {
		out.line(typeset.Span{Text: said, Color: pdfSoft})
	}
	if strings.TrimSpace(r.Reason) != "" {
		out.line(p.said(r.Reason))
	}
}
