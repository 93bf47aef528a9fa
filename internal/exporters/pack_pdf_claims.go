package exporters

import (
	"strconv"
	"strings"

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
		return
	}
	t := typeset.Table{Caption: hint, Columns: []typeset.Column{
		{Title: "#", Width: referenceWidth}, {Title: p.t("claim_evidence"), Width: excerptWidth},
		{Title: p.t("verdict_findings"), Width: aboutWidth},
	}}
	for i := range l.Entries {
		e := &l.Entries[i]
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{p.number("C" + strconv.Itoa(e.Number)), p.claim(e),
			p.judged(e)}})
	}
	p.add(t)
}

// claim returns a claim above its evidence, in the claim's own direction.
func (p *packPDF) claim(e *pack.Entry) typeset.Cell {
	words := clipped(strings.TrimSpace(e.ClaimText), pdfClaimLength)
	var out lines
	out.line(typeset.Span{Text: words, Bold: true})
	if strings.TrimSpace(e.Snippet) != "" {
		out.line(p.quote(e.Shown(), pdfQuoteLength))
	}
	place := p.names(p.place(e)...)
	for i := range place {
		place[i].Color = pdfSoft
	}
	out.line(place...)
	return typeset.Cell{Spans: out, Lang: p.cellLang(words)}
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
