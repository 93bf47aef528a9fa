package packs

import (
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain/pack"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// signatures adds who approved or returned the pack. A signed pack has a page for them, with the certificate of its
// completion.
func (p *pdfWriter) signatures() {
	l := &p.d.Life
	if p.d.signed() {
		p.add(typeset.PageBreak{})
		p.heading("signatures")
		p.certificate()
	} else {
		p.heading("approvals")
	}
	if len(l.Approvals) == 0 {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.T("no_approvals"))})
	} else {
		t := typeset.Table{Columns: []typeset.Column{{Title: p.T("name_title"), Width: 30},
			{Title: p.T("signed_when"), Width: 26}, {Title: p.T("acknowledged_comment"), Width: 44}}}
		for i := range l.Approvals {
			t.Rows = append(t.Rows, p.approvalRow(&l.Approvals[i]))
		}
		p.add(t)
	}
	if p.d.Content.OneAdministrator {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.T("one_administrator"))})
	}
	if r := l.Return; r != nil {
		p.add(typeset.KeyValues{Items: []typeset.KeyValue{
			{Key: p.T("returned_by"),
				Value: append(p.names(who(r.Name, r.Actor)), typeset.Span{Text: " · " + p.instant(r.At)})},
			{Key: p.T("reason"), Value: []typeset.Span{p.said(r.Reason)}},
		}})
	}
}

// certificate says what was signed, by how many, when it was complete, and how that can be checked.
func (p *pdfWriter) certificate() {
	c, l := &p.d.Content, &p.d.Life
	last := l.Approvals[len(l.Approvals)-1]
	p.add(typeset.Heading{Level: 2, Text: p.T("certificate")},
		typeset.Paragraph{Spans: typeset.Text(p.T("certificate_is", "ID", c.PackID, "Version", strconv.Itoa(c.Version)))})
	fact := func(id string, value ...typeset.Span) typeset.KeyValue {
		return typeset.KeyValue{Key: p.T(id), Value: value}
	}
	p.add(typeset.KeyValues{Items: []typeset.KeyValue{
		fact("pack_digest", digits(prefixed(p.d.Digest))),
		fact("submitted", typeset.Span{Text: p.moment(l.SubmittedAt)}),
		fact("completed", append([]typeset.Span{{Text: p.moment(last.At) + " · "}}, p.signer(&last)...)...),
		fact("approvals_counted", typeset.Span{Text: p.T("approvals_of", "N", strconv.Itoa(len(l.Approvals)), "Need",
			strconv.Itoa(l.Need), "Class", c.Requirement.EffectiveClass)}),
		fact("policy.policy", typeset.Span{Text: p.policyHead(p.d.policy()) + " · " + p.policyTally(c, p.d.policy())}),
		fact("retain_until", typeset.Span{Text: p.Day(c.RetainUntil)}),
		fact("how_checked", typeset.Span{Text: p.T("how_checked_is")}),
	}}, typeset.Heading{Level: 2, Text: p.T("signatories")})
}

// signer is who gave an approval: the name, and the job title that the person had then.
func (p *pdfWriter) signer(a *pack.Approval) []typeset.Span {
	out := p.names(who(a.Name, a.Actor))
	if a.Title != "" {
		out = append(append(out, typeset.Span{Text: p.T("list_comma")}), p.names(a.Title)...)
	}
	if a.For != nil {
		out = append(append(out, typeset.Span{Text: " · "}), p.deputy(a.For)...)
	}
	return out
}

// deputy says for whom a deputy approved, and the time that they were named for.
func (p *pdfWriter) deputy(f *pack.Behalf) []typeset.Span {
	out := append([]typeset.Span{{Text: p.T("as_deputy_of") + " "}}, p.names(who(f.Name, f.Actor))...)
	return append(out, typeset.Span{Text: " (" + p.deputyTime(f) + ")"})
}

func (p *language) deputyTime(f *pack.Behalf) string {
	return p.T("deputy_time", "From", p.instant(f.From), "Until", p.instant(f.Until))
}

// moment is instant with seconds.
func (p *pdfWriter) moment(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return p.instant(s)
	}
	return p.Moment(t)
}

// approvalRow is the signature of one approver: name and title, when and for which bytes, and what was acknowledged.
func (p *pdfWriter) approvalRow(a *pack.Approval) typeset.Row {
	var person, signed, comment prose.Lines
	name := p.names(who(a.Name, a.Actor))
	name[0].Bold = true
	person.Line(name...)
	if a.Title != "" {
		person.Line(p.names(a.Title)...)
	}
	person.Line(typeset.Span{Text: p.name("role_", a.Role), Color: prose.Soft})
	if a.For != nil {
		person.Line(p.deputy(a.For)...)
	}
	signed.Line(typeset.Span{Text: p.instant(a.At)})
	if a.Digest != "" && a.Digest == p.d.Digest {
		signed.Line(typeset.Span{Text: p.T("for_the_digest"), Color: prose.Soft})
	} else if a.Digest != "" {
		signed.Line(digits(prose.Clipped(prefixed(a.Digest), prose.DigestLength+len("sha256:"))))
	}
	if p.known(&comment, a); len(a.Acknowledged) == 0 {
		comment.Line(typeset.Span{Text: p.T("nothing_acknowledged"), Color: prose.Soft})
		for i, said := range p.warnings(p.d) {
			if i == 0 {
				comment.Labelled(p.T("shown_before"))
			}
			comment.Line(p.sentence(said)...)
		}
	}
	if strings.TrimSpace(a.Comment) != "" {
		comment.Labelled(p.T("comment"), p.said(a.Comment))
	}
	return typeset.Row{Cells: []typeset.Cell{{Spans: person}, {Spans: signed}, {Spans: comment}}}
}
