package exporters

import (
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters/typeset"
)

// notes says why, in the section's language, from what the judge measured. Its own sentence is English: the Arabic
// section has it only where nothing measured says the same.
func (p *pdfWriter) notes(e *ledger.Entry) []typeset.Span {
	if e.Claim.Unjudged != "" {
		return append(typeset.Text(p.t("unjudged_title")+" "), p.free(e.Claim.Unjudged)...)
	}
	out := typeset.Text(p.t("notes_" + string(e.Machine)))
	if e.Best == nil {
		return out
	}
	if e.Quote() == text.NotPlaced && quotes(e) {
		out = append(out, typeset.Span{Text: " " + p.t("quote_invented")})
	}
	said := len(e.Best.Conflicts) > 0 || len(e.Best.Missing) > 0
	if note := strings.TrimSpace(e.Best.Note); note != "" && (p.code == "en" || !said) {
		out = append(append(out, typeset.Span{Text: "\n"}), p.free(note)...)
	}
	return out
}

// free is text that may hold Markdown. In the section's language it keeps its emphasis; in the other it is one plain
// stretch a line, because several stretches would stand in the section's order.
func (p *pdfWriter) free(s string) []typeset.Span {
	spans := markdownSpans(s)
	if p.speaks(s) {
		return spans
	}
	var b strings.Builder
	for _, x := range spans {
		b.WriteString(x.Text)
	}
	return own(b.String())
}

// reviews is the table of what people said; a reason stands in its own direction.
func (p *pdfWriter) reviews(e *ledger.Entry) {
	if len(e.Claim.Reviews) == 0 {
		return
	}
	t := typeset.Table{Caption: p.t("reviews"), Columns: []typeset.Column{
		{Title: p.t("when"), Width: 20}, {Title: p.t("who"), Width: 18}, {Title: p.t("action"), Width: 25}, {Title: p.t("reason"), Width: 37},
	}}
	for i := range e.Claim.Reviews {
		r := &e.Claim.Reviews[i]
		who := own(clipped(r.Actor, pdfTitleLength))
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{
			textCell(p.time(r.At)), {Spans: who}, p.action(r),
			{Spans: markdownSpans(r.Reason), Lang: textLang(r.Reason)},
		}})
	}
	p.add(t)
}

// action is what a review did.
func (p *pdfWriter) action(r *ledger.Review) typeset.Cell {
	parts := []string{p.t("did_" + string(r.Action))}
	if r.Type != "" {
		parts = append(parts, p.t("type_"+string(r.Type)))
	}
	if r.Importance != "" {
		parts = append(parts, p.t("importance_"+string(r.Importance)))
	}
	if r.Verdict != "" {
		return textCell(p.list(parts...) + " " + p.verdict(r.Verdict))
	}
	return textCell(p.list(parts...))
}

// sources lists the documents with their dates and Merkle roots.
func (p *pdfWriter) sources() {
	p.heading(1, p.t("documents"))
	s := p.l.Session
	if len(s.Documents) == 0 {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.t("no_documents"))})
		return
	}
	t := typeset.Table{Columns: []typeset.Column{{Title: p.t("document"), Width: 34}, {Title: p.t("dates"), Width: 27}, {Title: p.t("document_root"), Width: 39}}}
	for i := range s.Documents {
		d := &s.Documents[i]
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{{Spans: p.document(d)}, {Spans: p.dates(d)}, {Spans: code(d.Root)}}})
	}
	p.add(t)
}

func (p *pdfWriter) document(d *ledger.Document) []typeset.Span {
	name := documentTitle(d)
	out := []typeset.Span{{Text: name, Bold: true, Isolate: true}}
	for _, s := range []string{d.Title, d.URI} {
		if strings.TrimSpace(s) != "" && clipped(s, pdfTitleLength) != name {
			out = append(out, typeset.Span{Text: "\n"}, typeset.Span{Text: clipped(s, pdfTitleLength), Isolate: true})
		}
	}
	if d.Status == ledger.Deleted {
		out = append(out, typeset.Span{Text: "\n" + p.t("deleted")})
	}
	return out
}

func (p *pdfWriter) dates(d *ledger.Document) []typeset.Span {
	var out []typeset.Span
	add := func(label, value string) {
		if value == "" {
			return
		}
		if len(out) > 0 {
			out = append(out, typeset.Span{Text: "\n"})
		}
		out = append(out, typeset.Span{Text: label + " "}, typeset.Span{Text: clipped(value, pdfTitleLength), Isolate: true})
	}
	add(p.t("published"), p.day(d.PublishedAt))
	add(p.t("valid_until"), p.day(d.ValidUntil))
	add(p.t("replaces"), d.Supersedes)
	if len(out) == 0 {
		return typeset.Text("–")
	}
	return out
}

// code sets what machines compare; nothing for none.
func code(s string) []typeset.Span {
	if s == "" {
		return typeset.Text("–")
	}
	return []typeset.Span{{Text: s, Code: true}}
}
