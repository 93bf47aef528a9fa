package packs

import (
	"cmp"
	"slices"
	"strconv"

	"sanad/internal/domain/pack"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// calls lists the tool calls: what was intended beside what was done.
func (p *pdfWriter) calls() {
	p.heading("tool_calls")
	all := p.d.Content.ToolCalls
	if len(all) == 0 {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.T("no_calls"))})
		return
	}
	hint := p.T("calls_hint")
	if slices.ContainsFunc(all, func(t pack.ToolCallRecord) bool { return len(p.InOriginal(t.IntendedAction)) > 0 }) {
		hint += " " + p.T("calls_original")
	}
	t := typeset.Table{Caption: hint, Columns: []typeset.Column{
		{Title: "#", Width: 7}, {Title: p.T("intended"), Width: 31}, {Title: p.T("actual"), Width: 31},
		{Title: p.T("result"), Width: 31},
	}}
	for i := range all {
		c := &all[i]
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{p.number("T" + strconv.Itoa(i+1)), p.intended(c),
			p.actual(c), p.result(c)}})
	}
	p.add(t)
}

func (p *pdfWriter) intended(t *pack.ToolCallRecord) typeset.Cell {
	var out prose.Lines
	tool := p.names(t.ToolName)
	tool[0].Bold = true
	out.Line(tool...)
	out.Line(p.said(t.IntendedAction))
	p.data(&out, p.T("inputs"), t.Inputs)
	return typeset.Cell{Spans: out}
}

func (p *pdfWriter) actual(t *pack.ToolCallRecord) typeset.Cell {
	var out prose.Lines
	did := p.said(p.did(t))
	if t.Departed() {
		did.Bold, did.Color = true, prose.Alarm
	}
	out.Line(did)
	p.data(&out, p.T("outputs"), t.Outputs)
	for i, s := range t.SideEffects {
		if i == 0 {
			out.Labelled(p.T("side_effects"))
		}
		out.Line(p.said(s))
	}
	return typeset.Cell{Spans: out}
}

// result returns the badge of a call and the details that matter.
func (p *pdfWriter) result(t *pack.ToolCallRecord) typeset.Cell {
	var out prose.Lines
	if t.Departed() {
		out.Line(typeset.Span{Text: p.T(contradictionOf(t)), Color: prose.Alarm})
		if t.VerificationStatus != reportedDone { // which is the caller's own word, and contradicts what is seen here
			out.Labelled(p.T("verification"), typeset.Span{Text: p.name("call_", t.VerificationStatus)})
		}
	}
	for _, said := range p.departure(t) {
		out.Line(isolates(prose.Clipped(said, actionLength))...)
	}
	if t.Error != "" {
		out.Labelled(p.T("error"), p.said(t.Error))
	}
	if at := cmp.Or(t.StartedAt, t.EndedAt); at != "" {
		out.Line(typeset.Span{Text: p.instant(at)})
	}
	if t.SensitivityClass != "" {
		out.Labelled(p.T("sensitivity"), typeset.Span{Text: t.SensitivityClass})
	}
	return typeset.Cell{Badge: p.outcome(t), Spans: out}
}

// reportedDone is the status of a call that its caller reports as done. Nobody else checked it.
const reportedDone = "verified"

// callKinds maps the status of a call to its badge. None is green: each is the caller's own word.
var callKinds = map[string]typeset.Kind{reportedDone: typeset.Plain, "unverified": typeset.Open, "failed": typeset.Bad}

func (p *pdfWriter) outcome(t *pack.ToolCallRecord) *typeset.Badge {
	switch {
	case t.Departed() && t.Failed():
		return &typeset.Badge{Kind: typeset.Bad, Word: p.T("contradiction") + " · " + p.T("call_failed")}
	case t.Departed():
		return &typeset.Badge{Kind: typeset.Bad, Word: p.T("contradiction")}
	case t.Failed():
		return &typeset.Badge{Kind: typeset.Bad, Word: p.T("call_failed")}
	}
	return &typeset.Badge{Kind: callKinds[t.VerificationStatus], Word: p.name("call_", t.VerificationStatus)}
}
