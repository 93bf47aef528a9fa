package packs

import (
	"strconv"
	"strings"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// claims lists the ledger's entries as they stood at submission.
func (p *pdfWriter) claims() {
	l := p.d.Content.Ledger
	if l == nil {
		return
	}
	p.heading("pack_claims")
	hint := p.asOf(p.d)
	if len(l.Entries) == 0 {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.T("no_claims") + " " + hint)})
		p.aside(l.SetAside)
		return
	}
	t := typeset.Table{Caption: hint, Columns: []typeset.Column{
		{Title: "#", Width: prose.NumberWidth}, {Title: p.T("claim_says"), Width: prose.SaysWidth},
		{Title: p.T("source_says"), Width: prose.SourceWidth}, {Title: p.T("verdict_findings"), Width: prose.VerdictWidth},
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
func (p *pdfWriter) aside(all []pack.Entry) {
	if len(all) == 0 {
		return
	}
	p.heading("set_aside")
	t := typeset.Table{Caption: p.T("set_aside_are", "N", strconv.Itoa(len(all))), Columns: []typeset.Column{
		{Title: "#", Width: prose.NumberWidth}, {Title: p.T("claim"), Width: 53},
		{Title: p.T("aside_why"), Width: 100 - 53 - prose.NumberWidth},
	}}
	for i := range all {
		e := &all[i]
		words := prose.Clipped(strings.TrimSpace(e.ClaimText), prose.ClaimLength)
		why := prose.Lines{}
		why.Line(typeset.Span{Text: p.name("aside_", string(e.State)), Bold: true})
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
func (p *pdfWriter) beside(e *pack.Entry) (claim, source typeset.Cell) {
	words := prose.Clipped(strings.TrimSpace(e.ClaimText), prose.ClaimLength)
	says, from, lang := prose.Lines{}, prose.Lines{}, ""
	says.Line(typeset.Span{Text: words, Bold: true})
	if strings.TrimSpace(e.Snippet) != "" {
		q := p.quote(p.led(e), prose.QuoteLength)
		lang = q.Lang
		from.Line(q)
	}
	place := p.names(p.place(e)...)
	for i := range place {
		place[i].Color = prose.Soft
	}
	from.Line(place...)
	if e.Verdict != ledger.Unjudged {
		m := ledger.Match{Snippet: e.Snippet, Contradicts: e.MachineVerdict == ledger.Contradicted}
		if e.MachineVerdict == ledger.Supported {
			m.Support = ledger.Full
		}
		p.Sides(&says, &from, prose.Ranked(judge.NewContrast(e.ClaimText, e.Shown(), &m).Figures), nil)
	}
	return typeset.Cell{Spans: says, Lang: p.cellLang(words)}, typeset.Cell{Spans: from, Lang: lang}
}

// led returns a claim's quotation, with the sentence before it in the source's excerpt if it points back to that.
func (p *pdfWriter) led(e *pack.Entry) string {
	for i := range p.d.Content.Sources {
		if s := &p.d.Content.Sources[i]; !s.S3() && e.RestsOn(s) {
			if led := prose.Led(e.Snippet, s.Excerpt); len(led) > len(e.Snippet) {
				return led
			}
		}
	}
	return e.Shown()
}

// judged returns a claim's effective verdict, with the machine's verdict and the reviews.
func (p *pdfWriter) judged(e *pack.Entry) typeset.Cell {
	var out prose.Lines
	if e.MachineVerdict != e.Verdict {
		out.Labelled(p.T("machine"), typeset.Span{Text: p.machine(e)})
	} else if e.FigureSource != "" {
		out.Line(typeset.Span{Text: p.sure(e)})
	}
	kind := p.name("type_", string(e.ClaimType)) + " · " + p.name("importance_", string(e.Importance))
	if e.State == ledger.Unreviewed {
		kind += " · " + p.T("state_unreviewed")
	}
	out.Line(typeset.Span{Text: kind})
	if len(e.Flags) > 0 {
		out.Labelled(p.T("risk_flags"), typeset.Span{Text: p.flags(e), Bold: true})
	}
	if said := p.remark(e); said != "" {
		out.Labelled(p.T("judge_notes"), p.said(prose.Clipped(said, prose.RemarkLength)))
	}
	p.checked(&out, e)
	for i := range e.Reviews {
		p.reviewed(&out, &e.Reviews[i])
	}
	return typeset.Cell{Badge: &typeset.Badge{Kind: prose.Kinds[e.Verdict], Word: p.effective(e)}, Spans: out}
}

// remark returns why a claim got its verdict, without the quotation, which stands beside it: of notes that repeat it,
// what follows.
func (p *language) remark(e *pack.Entry) string {
	notes := strings.TrimSpace(e.ShownNotes())
	if shown := e.Shown(); shown != "" {
		if _, after, found := strings.Cut(notes, shown); found {
			notes = strings.TrimLeft(after, "\"”»'. ")
		}
	}
	if e.MachineVerdict != ledger.Weak || e.Verdict != ledger.Weak || e.Snippet == "" {
		return p.note(notes)
	}
	missing, agree := prose.Lacking(e.ClaimText, e.Shown(), &ledger.Match{Snippet: e.Snippet})
	switch {
	case len(missing) > 0:
		return strings.TrimSpace(p.note(notes) + " " + p.T("not_in_passage") + ": " + p.List(missing...) + ".")
	case agree && prose.Notes[notes] == "why_unsure":
		return p.T("why_unsure_agree")
	case agree:
		return strings.TrimSpace(p.note(notes) + " " + p.T("words_agree"))
	}
	return p.note(notes)
}

func (p *pdfWriter) reviewed(out *prose.Lines, r *pack.Review) {
	out.Line(typeset.Span{Text: p.review(r), Bold: true})
	name := p.names(r.Actor)
	name[0].Color = prose.Soft
	out.Line(append(name, typeset.Span{Text: " · " + p.instant(r.At), Color: prose.Soft})...)
	if said := p.standing(r); said != "" {
		out.Line(typeset.Span{Text: said, Color: prose.Soft})
	}
	if strings.TrimSpace(r.Reason) != "" {
		out.Line(p.said(r.Reason))
	}
}
