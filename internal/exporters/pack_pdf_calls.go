package exporters

import (
	"cmp"
	"strconv"

	"sanad/internal/domain/pack"
	"sanad/internal/exporters/typeset"
)

// calls lists the tool calls: what was intended beside what was done.
func (p *packPDF) calls() {
	p.heading("tool_calls")
	all := p.d.Content.ToolCalls
	if len(all) == 0 {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.t("no_calls"))})
		return
	}
	t := typeset.Table{Caption: p.t("calls_hint"), Columns: []typeset.Column{
		{Title: "#", Width: 7}, {Title: p.t("intended"), Width: 31}, {Title: p.t("actual"), Width: 31},
		{Title: p.t("result"), Width: 31},
	}}
	for i := range all {
		c := &all[i]
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{p.number("T" + strconv.Itoa(i+1)), p.intended(c),
			p.actual(c), p.result(c)}})
	}
	p.add(t)
}

func (p *packPDF) intended(t *pack.ToolCallRecord) typeset.Cell {
	var out lines
	tool := p.names(t.ToolName)
	tool[0].Bold = true
	out.line(tool...)
	out.line(p.said(t.IntendedAction))
	p.data(&out, p.t("inputs"), t.Inputs)
	return typeset.Cell{Spans: out}
}

func (p *packPDF) actual(t *pack.ToolCallRecord) typeset.Cell {
	var out lines
	did := p.said(t.ActualAction)
	if t.Contradicts() {
		did.Bold, did.Color = true, pdfAlarm
	}
	out.line(did)
	p.data(&out, p.t("outputs"), t.Outputs)
	for i, s := range t.SideEffects {
		if i == 0 {
			out.labelled(p.t("side_effects"))
		}
		out.line(p.said(s))
	}
	return typeset.Cell{Spans: out}
}

// result returns the badge of a call and the details that matter.
func (p *packPDF) result(t *pack.ToolCallRecord) typeset.Cell {
	var out lines
	if t.Contradicts() {
		out.line(typeset.Span{Text: p.t(contradictionOf(t)), Color: pdfAlarm})
		out.labelled(p.t("verification"), typeset.Span{Text: p.name("call_", t.VerificationStatus)})
	}
	for _, said := range p.departure(t) {
		out.line(isolates(clipped(said, packActionLength))...)
	}
	if t.Error != "" {
		out.labelled(p.t("error"), p.said(t.Error))
	}
	if at := cmp.Or(t.StartedAt, t.EndedAt); at != "" {
		out.line(typeset.Span{Text: p.instant(at)})
	}
	if t.SensitivityClass != "" {
		out.labelled(p.t("sensitivity"), typeset.Span{Text: t.SensitivityClass})
	}
	return typeset.Cell{Badge: p.outcome(t), Spans: out}
}

// callKinds maps the status of a call to its badge.
var callKinds = map[string]typeset.Kind{"verified": typeset.Good, "unverified": typeset.Open, "failed": typeset.Bad}

func (p *packPDF) outcome(t *pack.ToolCallRecord) *typeset.Badge {
	switch {
	case t.Contradicts() && t.Failed():
		return &typeset.Badge{Kind: typeset.Bad, Word: p.t("contradiction") + " · " + p.t("call_failed")}
	case t.Contradicts():
		return &typeset.Badge{Kind: typeset.Bad, Word: p.t("contradiction")}
	case t.Failed():
		return &typeset.Badge{Kind: typeset.Bad, Word: p.t("call_failed")}
	}
	return &typeset.Badge{Kind: callKinds[t.VerificationStatus], Word: p.name("call_", t.VerificationStatus)}
}
