package exporters

import (
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// pdfPart is the number of claims under one heading; the headings give a long ledger its bookmarks.
const pdfPart = 50

// claims adds the ledger: what each claim says beside what its source says, the verdict and the findings. The second
// part of a document has no evidence again.
func (p *pdfWriter) claims() {
	p.chapter("ledger_title")
	if len(p.l.Entries) == 0 {
		p.add(typeset.Paragraph{Spans: typeset.Text(p.T("no_claims"))})
		return
	}
	hint := p.T("ledger_hint")
	if p.first != nil {
		hint = ""
		p.add(p.there("evidence_there", "ledger_title"))
	}
	for part := range slices.Chunk(p.l.Entries, pdfPart) {
		if len(p.l.Entries) > pdfPart {
			first, last := part[0].Claim.Number(), part[len(part)-1].Claim.Number()
			p.heading(2, p.T("claims_range", "First", strconv.Itoa(first), "Last", strconv.Itoa(last)))
		}
		t := typeset.Table{Caption: hint, Columns: p.claimColumns()}
		for i := range part {
			t.Rows = append(t.Rows, p.claimRow(&part[i]))
		}
		p.add(t)
		hint = ""
	}
}

func (p *pdfWriter) claimColumns() []typeset.Column {
	if p.first != nil {
		return []typeset.Column{{Title: "#", Width: prose.NumberWidth},
			{Title: p.T("claim"), Width: prose.SourceWidth + prose.SaysWidth/2},
			{Title: p.T("verdict_findings"), Width: prose.VerdictWidth + prose.SaysWidth/2}}
	}
	return []typeset.Column{
		{Title: "#", Width: prose.NumberWidth}, {Title: p.T("claim_says"), Width: prose.SaysWidth},
		{Title: p.T("source_says"), Width: prose.SourceWidth}, {Title: p.T("verdict_findings"), Width: prose.VerdictWidth},
	}
}

func (p *pdfWriter) claimRow(e *ledger.Entry) typeset.Row {
	number := typeset.Cell{Spans: []typeset.Span{{Text: strconv.Itoa(e.Claim.Number()), Bold: true}}}
	judged := func(beside []judge.Pair) typeset.Cell {
		return typeset.Cell{Badge: p.EntryBadge(e), Spans: p.findings(e, beside)}
	}
	claim, source, beside := p.beside(e)
	if p.first != nil { // where the same figures are found as in the first part
		return typeset.Row{Cells: []typeset.Cell{number, p.claimText(e, pdfShortLength), judged(beside)}}
	}
	return typeset.Row{Cells: []typeset.Cell{number, claim, source, judged(beside)}}
}

// beside returns what the claim says and what its source says, each in its own direction, with the figures, limits and
// dates of the claim.
func (p *pdfWriter) beside(e *ledger.Entry) (claim, source typeset.Cell, beside []judge.Pair) {
	claim = p.claimText(e, prose.ClaimLength)
	for i := range claim.Spans {
		claim.Spans[i].Bold = true
	}
	if claim.Spans[0].Text == "" {
		claim.Spans[0].Text = "–"
	}
	says, lang := prose.Lines(claim.Spans), ""
	var from prose.Lines
	if !e.Doubtful() { // of which no figure was compared
		beside = prose.Ranked(compared(e))
	}
	shown := ""
	if quotes(e) {
		q := p.quotation(e, beside)
		lang, shown = q.Lang, q.Text
		from.Line(q)
	}
	from.Line(p.source(e)...)
	where := make([][]typeset.Span, len(beside))
	for i := range beside {
		where[i] = p.elsewhere(e, &beside[i], shown)
	}
	p.Sides(&says, &from, beside, func(i int) []typeset.Span { return where[i] })
	p.rival(&from, e)
	claim.Spans = says
	return claim, typeset.Cell{Spans: from, Lang: lang}, beside
}

// elsewhere says where the source has a figure that its quotation lacks: in another part of the passage or, if the
// passage has none, in another passage that the claim cites or rests on. The pair gets that one's words.
func (p *pdfWriter) elsewhere(e *ledger.Entry, x *judge.Pair, shown string) []typeset.Span {
	if x.Source != "" {
		for _, part := range strings.Split(x.Source, " · ") {
			if shown != "" && !strings.Contains(shown, part) && strings.Contains(e.Document.Shown(passageOf(e)), part) {
				return []typeset.Span{{Text: " " + p.T("pair_elsewhere"), Color: prose.Soft}}
			}
		}
		return nil
	}
	var others []ledger.ChunkRef
	for i := range e.Claim.Matches {
		others = append(others, e.Claim.Matches[i].Chunk)
	}
	for _, c := range e.Claim.Checks.Citations {
		if c.Cited != nil && !c.Whole {
			others = append(others, *c.Cited)
		}
	}
	for _, ref := range others {
		c := p.l.Session.Chunk(ref)
		if c == nil || e.Chunk == nil || c == e.Chunk {
			continue
		}
		for _, y := range judge.NewContrast(e.Claim.Text, c.Text, &ledger.Match{}).Figures {
			if y.Claim == x.Claim && (y.Kind == judge.MarkSame || y.Kind == judge.MarkEqual) {
				d := p.l.Session.Document(ref.Document)
				x.Source, x.Kind = d.Shown(y.Source), y.Kind
				return append([]typeset.Span{{Text: " · ", Color: prose.Soft}}, p.at(d, c)...)
			}
		}
	}
	return nil
}

// at names a passage: file, page, clause.
func (p *pdfWriter) at(d *ledger.Document, c *ledger.Chunk) []typeset.Span {
	where := d.Locate(c)
	return []typeset.Span{p.inOwn(append([]string{documentTitle(d)}, p.SaidAll(where.Long())...))}
}

// inOwn joins names and places to one text in the section's direction, whatever the direction around it.
func (p *pdfWriter) inOwn(parts []string) typeset.Span {
	return typeset.Span{Text: strings.Join(parts, " · "), Isolate: true, Lang: p.Code, Dir: p.Dir(), Color: prose.Soft}
}

// passageOf returns the passage that decides a claim, or what is quoted of it.
func passageOf(e *ledger.Entry) string {
	if e.Chunk != nil && e.Chunk.Text != "" {
		return e.Chunk.Text
	}
	return e.Best.Snippet
}

// quotation returns the evidence on one line, in the quotation marks of its own language. Where it is shortened, it keeps
// the figures that stand beside the claim's.
func (p *pdfWriter) quotation(e *ledger.Entry, beside []judge.Pair) typeset.Span {
	s := strings.Join(strings.Fields(e.ShownSnippet()), " ")
	if e.Document != nil {
		s = prose.Led(s, e.Document.Shown(passageOf(e)))
	}
	var figures []string
	for i := range beside {
		figures = append(figures, strings.Split(beside[i].Source, " · ")...)
	}
	return p.marked(s, e.Document, figures)
}

// marked returns words of a document in the quotation marks of their language, shortened around the figures.
func (p *pdfWriter) marked(s string, d *ledger.Document, figures []string) typeset.Span {
	lang := p.l.Session.Lang
	if d != nil && d.Lang != "" {
		lang = d.Lang
	}
	lang = prose.TextLang(s, lang)
	length, marks := pdfShortLength, [2]string{"“", "”"}
	if lang == p.Code {
		length = prose.QuoteLength
	}
	if lang == "ar" {
		marks = [2]string{"«", "»"}
	}
	return typeset.Span{Text: marks[0] + prose.ClippedTo(s, length, figures) + marks[1], Isolate: true, Lang: lang}
}

// rival appends what another source says against the one above it, where sources conflict.
func (p *pdfWriter) rival(from *prose.Lines, e *ledger.Entry) {
	m := e.Rival()
	if m == nil {
		return
	}
	d, c := p.l.Session.Document(m.Chunk.Document), p.l.Session.Chunk(m.Chunk)
	if d == nil || c == nil {
		return
	}
	from.Line(typeset.Span{Text: p.T("other_source"), Bold: true, Lang: p.Code, Dir: p.Dir()})
	from.Line(p.marked(prose.Led(d.Shown(m.Snippet), d.Shown(c.Text)), d, nil))
	place := []string{documentTitle(d)}
	if when := p.dated(d); when != "" {
		place = append(place, when)
	}
	at := d.LocateMatch(c, m)
	from.Line(p.inOwn(append(place, p.SaidAll(at.Long())...)))
}

// dated says of when a document is, "" if that is unknown.
func (p *pdfWriter) dated(d *ledger.Document) string {
	if d.PublishedAt == "" {
		return ""
	}
	return p.T("source_of", "Day", p.Day(d.PublishedAt))
}

// quotes reports whether there is a quotation to show.
func quotes(e *ledger.Entry) bool { return e.Best != nil && strings.TrimSpace(e.Best.Snippet) != "" }

// quoted says how closely a quotation matches its source, if it isn't word for word. A quotation that isn't in the
// source at all is among the findings.
func (p *pdfWriter) quoted(e *ledger.Entry) string {
	switch kind := e.Quote(); kind {
	case text.Normalised, text.Fuzzy:
		return p.T("quoted_" + string(kind))
	case text.Exact, text.NotPlaced:
	}
	return ""
}

// source names the place of the evidence: file, place in it, and how closely the quotation matches.
func (p *pdfWriter) source(e *ledger.Entry) []typeset.Span {
	var parts []string
	switch {
	case e.Document == nil:
		parts = append(parts, p.T("no_source"))
	default:
		parts = append(parts, documentTitle(e.Document))
	}
	at := e.Document.LocateMatch(e.Chunk, e.Best)
	if e.Document != nil && e.Rival() != nil { // two sources stand beside each other
		if when := p.dated(e.Document); when != "" {
			parts = append(parts, when)
		}
	}
	parts = append(parts, p.SaidAll(at.Long())...)
	if s := p.quoted(e); s != "" && quotes(e) {
		parts = append(parts, s)
	}
	out := []typeset.Span{p.inOwn(parts)}
	if e.Document != nil && e.Document.Withdrawn != "" {
		out = append(out, typeset.Span{Text: " · ", Color: prose.Soft},
			typeset.Span{Text: p.T("withdrawn"), Bold: true, Color: prose.Alarm})
	}
	return out
}

// documentTitle returns a document's title for readers.
func documentTitle(d *ledger.Document) string {
	return prose.Clipped(documentName(d), prose.TitleLength)
}

// documentName is documentTitle in its full length.
func documentName(d *ledger.Document) string {
	for _, s := range []string{d.Filename, d.Title, d.URI} {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return d.Key
}
