package exporters

import (
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters/typeset"
)

// pdfPart is the number of claims under one heading; the headings give a long ledger its bookmarks.
const pdfPart = 50

// pdfSoft is the colour of labels and quotations.
const pdfSoft typeset.Color = 0x5b5850

// Widths of the ledger's columns, in percent.
const (
	numberWidth  = 5.5
	claimWidth   = 61.5
	verdictWidth = 100 - numberWidth - claimWidth
)

// claims adds the ledger: each claim above its evidence, beside its verdict and the findings.
func (p *pdfWriter) claims() {
	p.heading(1, p.t("ledger_title"))
	if len(p.l.Entries) == 0 {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.t("no_claims"))})
		return
	}
	hint := p.t("ledger_hint")
	for part := range slices.Chunk(p.l.Entries, pdfPart) {
		if len(p.l.Entries) > pdfPart {
			first, last := part[0].Claim.Number(), part[len(part)-1].Claim.Number()
			p.heading(2, p.t("claims_range", "First", strconv.Itoa(first), "Last", strconv.Itoa(last)))
		}
		t := typeset.Table{Caption: hint, Columns: []typeset.Column{
			{Title: "#", Width: numberWidth}, {Title: p.t("claim_evidence"), Width: claimWidth},
			{Title: p.t("verdict_findings"), Width: verdictWidth},
		}}
		for i := range part {
			e := &part[i]
			t.Rows = append(t.Rows, typeset.Row{Cells: []typeset.Cell{
				{Spans: []typeset.Span{{Text: strconv.Itoa(e.Claim.Number()), Bold: true}}}, p.claim(e),
				{Badge: p.entryBadge(e), Spans: p.findings(e)},
			}})
		}
		p.add(t)
		hint = ""
	}
}

// claim returns a claim above the deciding quotation and its place, in the claim's own direction.
func (p *pdfWriter) claim(e *ledger.Entry) typeset.Cell {
	c := p.claimText(e, pdfClaimLength)
	c.Spans[0].Bold = true
	if c.Spans[0].Text == "" {
		c.Spans[0].Text = "–"
	}
	if quotes(e) {
		c.Spans = append(c.Spans, typeset.Span{Text: "\n"}, p.quotation(e))
	}
	c.Spans = append(c.Spans, typeset.Span{Text: "\n"})
	c.Spans = append(c.Spans, p.source(e)...)
	return c
}

// quotation returns the evidence on one line, in the quotation marks of its own language.
func (p *pdfWriter) quotation(e *ledger.Entry) typeset.Span {
	s := strings.Join(strings.Fields(e.ShownSnippet()), " ")
	lang := p.l.Session.Lang
	if e.Document != nil && e.Document.Lang != "" {
		lang = e.Document.Lang
	}
	lang = textLang(s, lang)
	length, marks := pdfShortLength, [2]string{"“", "”"}
	if lang == p.code {
		length = pdfQuoteLength
	}
	if lang == "ar" {
		marks = [2]string{"«", "»"}
	}
	return typeset.Span{Text: marks[0] + clipped(s, length) + marks[1], Isolate: true, Lang: lang}
}

// quotes reports whether there is a quotation to show.
func quotes(e *ledger.Entry) bool { return e.Best != nil && strings.TrimSpace(e.Best.Snippet) != "" }

// quoted says how closely a quotation matches its source, if it isn't word for word. A quotation that isn't in the
// source at all is among the findings.
func (p *pdfWriter) quoted(e *ledger.Entry) string {
	switch kind := e.Quote(); kind {
	case text.Normalised, text.Fuzzy:
		return p.t("quoted_" + string(kind))
	case text.Exact, text.NotPlaced:
	}
	return ""
}

// source names the place of the evidence: file, place in it, how closely the quotation matches, and the claim's
// anchors that cite it.
func (p *pdfWriter) source(e *ledger.Entry) []typeset.Span {
	var parts []string
	switch {
	case e.Document == nil:
		parts = append(parts, p.t("no_source"))
	default:
		parts = append(parts, documentTitle(e.Document))
	}
	at := e.Document.Locate(e.Chunk)
	parts = append(parts, p.saidAll(at.Long())...)
	if s := p.quoted(e); s != "" && quotes(e) {
		parts = append(parts, s)
	}
	var out []typeset.Span
	for i, s := range parts {
		if i > 0 {
			out = append(out, typeset.Span{Text: " · ", Color: pdfSoft})
		}
		out = append(out, typeset.Span{Text: s, Isolate: true, Color: pdfSoft})
	}
	if e.Document != nil && e.Document.Withdrawn != "" {
		out = append(out, typeset.Span{Text: " · ", Color: pdfSoft},
			typeset.Span{Text: p.t("withdrawn"), Bold: true, Color: pdfAlarm})
	}
	for i := range e.Claim.Citations {
		if c := &e.Claim.Citations[i]; leadsHome(c, e) {
			out = append(out, typeset.Span{Text: " · ", Color: pdfSoft},
				typeset.Span{Text: c.Hash, Code: true, Color: pdfSoft})
		}
	}
	return out
}

// documentTitle returns a document's title for readers.
func documentTitle(d *ledger.Document) string { return clipped(documentName(d), pdfTitleLength) }

// documentName is documentTitle in its full length.
func documentName(d *ledger.Document) string {
	for _, s := range []string{d.Filename, d.Title, d.URI} {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return d.Key
}
