package exporters

import (
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/typeset"
)

// rootWidth is the width of the column of roots, in percent: one line of it.
const rootWidth = 58.5

// sources lists the documents with their dates and Merkle roots.
func (p *pdfWriter) sources() {
	p.heading(1, p.t("documents"))
	s := p.l.Session
	if len(s.Documents) == 0 {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.t("no_documents"))})
		return
	}
	t := typeset.Table{Columns: []typeset.Column{{Title: p.t("document"), Width: 100 - rootWidth},
		{Title: p.t("document_root"), Width: rootWidth}}}
	for i := range s.Documents {
		d := &s.Documents[i]
		spans := p.document(d)
		if dates := p.dates(d); len(dates) > 0 {
			between := "\n"
			if len(spans) > 1 { // beside the title
				between = " · "
			}
			spans = append(append(spans, typeset.Span{Text: between}), dates...)
		}
		t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{{Spans: spans}, {Spans: code(d.Root)}}})
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
	if d.Withdrawn != "" {
		out = append(out, typeset.Span{Text: "\n"},
			typeset.Span{Text: p.t("withdrawn") + ": ", Bold: true, Color: pdfAlarm})
		out = append(out, p.free(clipped(d.Withdrawn, pdfRemarkLength))...)
	}
	hidden, struck := d.CountLeftOut()
	for _, x := range []struct {
		kind ledger.LeftOutKind
		n    int
	}{{ledger.Hidden, hidden}, {ledger.Struck, struck}} {
		if x.n > 0 {
			out = append(out, typeset.Span{Text: "\n" + p.t("doc_left_out") + " " +
				p.t("doc_left_out_"+string(x.kind), "N", x.n)})
		}
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
			out = append(out, typeset.Span{Text: " · "})
		}
		out = append(out, typeset.Span{Text: label + " "},
			typeset.Span{Text: clipped(value, pdfTitleLength), Isolate: true})
	}
	add(p.t("published"), p.day(d.PublishedAt))
	add(p.t("valid_until"), p.day(d.ValidUntil))
	replaces := d.Supersedes
	if older := p.l.Session.Replaces(d); older != nil {
		replaces = replacedName(older, d)
	}
	add(p.t("replaces"), replaces)
	return out
}

// code returns a text for machines as a span; none if it is empty.
func code(s string) []typeset.Span {
	if s == "" {
		return typeset.Text("–")
	}
	return []typeset.Span{{Text: s, Code: true}}
}
