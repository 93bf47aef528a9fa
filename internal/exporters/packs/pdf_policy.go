package packs

import (
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// alarms adds what each approver had to know, on the cover before all else.
func (p *pdfWriter) alarms() {
	c, since := &p.d.Content, p.d.since()
	p.looked()
	warnings := p.warnings(p.d)
	if pack.Quiet(p.d.concerns()) && len(warnings) == 0 {
		p.soft(p.T("policy.no_alarms"))
		return
	}
	if len(c.Alarms)+len(since)+len(warnings) == 0 { // returned: the cover says so
		return
	}
	title := "alarms"
	if !p.d.signed() {
		title = "alarms_before"
	}
	p.add(typeset.Paragraph{Spans: []typeset.Span{{Text: p.T(title), Bold: true, Color: prose.Alarm}}})
	list := typeset.List{}
	for i := range c.Alarms {
		list.Items = append(list.Items, p.sentence(p.alarm(c, &c.Alarms[i])))
	}
	for _, x := range since {
		list.Items = append(list.Items, p.sentence(p.changed(c, x, p.d.signed())))
	}
	for _, said := range warnings {
		list.Items = append(list.Items, p.sentence(said))
	}
	p.add(list)
}

// looked says of a draft when its alarms and outcomes were found: they may be others at sign-off.
func (p *pdfWriter) looked() {
	if p.d.Looked != "" {
		p.soft(p.T("policy_looked", "At", p.instant(p.d.Looked)))
	}
}

// sentence returns the document's own sentence, in which quotations of the other language keep their direction.
func (p *pdfWriter) sentence(s string) []typeset.Span {
	return p.isolated(typeset.Text(prose.Clipped(s, textLength)))
}

// policy adds the sign-off policy that the pack was submitted under, with the outcome of each rule.
func (p *pdfWriter) policy() {
	p.heading("policy.policy")
	policy := p.d.policy()
	p.soft(p.policyHead(policy) + ". " + p.T(p.d.policyHint()))
	p.looked()
	t := typeset.Table{Columns: []typeset.Column{{Title: p.T("policy.rule"), Width: 30},
		{Title: p.T("what_happened"), Width: 44}, {Title: p.T("result"), Width: 26}}}
	for i := range policy.Rules {
		o := &policy.Rules[i]
		result := isolates(prose.Clipped(p.ruleResult(p.d, o), textLength))
		if o.Refuses() || o.Warns() {
			for i := range result {
				result[i].Bold, result[i].Color = true, prose.Alarm
			}
		}
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{prose.Cell(p.name("about_", o.Rule)),
			{Spans: isolates(prose.Clipped(p.ruleFact(p.d, o), textLength))}, {Spans: result}}})
	}
	p.add(t)
}

// checked appends what became of what a claim cites and quotes.
func (p *pdfWriter) checked(out *prose.Lines, e *pack.Entry) {
	for _, x := range p.claimChecks(e) {
		var said []typeset.Span
		if what := named(x.what); what != "" {
			said = append(said, p.said(what))
		}
		if x.result != "" {
			if len(said) > 0 {
				x.result = " · " + x.result
			}
			said = append(said, typeset.Span{Text: x.result, Bold: x.bad})
		}
		out.Labelled(p.T(x.id), said...)
	}
}

// named is what a claim cites, as a reader knows it: an anchor is a hash, which names nothing.
func named(anchor string) string {
	if strings.HasPrefix(anchor, "[cite:") {
		return ""
	}
	return anchor
}

// known appends the alarms that an approver acknowledged.
func (p *pdfWriter) known(out *prose.Lines, a *pack.Approval) {
	for i, said := range p.acknowledged(&p.d.Content, a) {
		if i == 0 {
			out.Labelled(p.T("policy.acknowledged"))
		}
		out.Line(p.sentence(strings.TrimSpace(said))...)
	}
}
