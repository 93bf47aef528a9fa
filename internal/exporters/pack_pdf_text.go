package exporters

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"sanad/internal/exporters/typeset"
)

// foreign returns the language of a text without any letter of the part's own script, "" for all other texts. So a memo
// that begins and ends with an English name still counts as Arabic.
func (p *packPDF) foreign(s string) string {
	arabic, latin := false, false
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r):
		case unicode.Is(unicode.Arabic, r):
			arabic = true
		default:
			latin = true
		}
	}
	switch {
	case p.code == "ar" && latin && !arabic:
		return "en"
	case p.code == "en" && arabic && !latin:
		return "ar"
	}
	return ""
}

// names returns names in sequence, each in its own direction.
func (p *packPDF) names(all ...string) []typeset.Span {
	var out []typeset.Span
	for _, s := range present(all...) {
		if len(out) > 0 {
			out = append(out, typeset.Span{Text: " · "})
		}
		out = append(out, p.apart(clipped(strings.Join(strings.Fields(s), " "), pdfTitleLength)))
	}
	if len(out) == 0 {
		return typeset.Text("–")
	}
	return out
}

// said returns a text by a person or machine, on one line and in its own direction.
func (p *packPDF) said(s string) typeset.Span {
	return p.apart(clipped(strings.Join(strings.Fields(s), " "), packActionLength))
}

// apart returns a self-contained text, isolated unless it has only the part's own letters.
func (p *packPDF) apart(s string) typeset.Span {
	other := func(r rune) bool { return unicode.IsLetter(r) && unicode.Is(unicode.Arabic, r) != (p.code == "ar") }
	lang := textLang(s, "")
	if lang == p.code && !strings.ContainsFunc(s, other) {
		return typeset.Span{Text: s}
	}
	return typeset.Span{Text: s, Isolate: true, Lang: lang}
}

// quote returns a text on one line, in the quotation marks of its own language.
func (p *packPDF) quote(s string, n int) typeset.Span {
	s = strings.Join(strings.Fields(s), " ")
	lang, marks := textLang(s, ""), [2]string{"“", "”"}
	if lang == "ar" {
		marks = [2]string{"«", "»"}
	}
	return typeset.Span{Text: marks[0] + clipped(s, n) + marks[1], Isolate: true, Lang: lang}
}

// data appends JSON, formatted for a board, under a label: the members of an object one per line, each name and value
// in its own direction; anything else as compact JSON.
func (p *packPDF) data(out *lines, label string, raw json.RawMessage) {
	if len(raw) == 0 {
		return
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || len(members) == 0 {
		out.labelled(label, machineText(raw, packJSONLength))
		return
	}
	out.labelled(label)
	left := packJSONLength
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if left <= 0 {
			out.line(typeset.Span{Text: "…"})
			return
		}
		shown, what := p.apart(clipped(name, packNameLength)), p.member(members[name], left)
		shown.Color = pdfSoft
		out.line(shown, typeset.Span{Text: ": ", Color: pdfSoft}, what)
		left -= len(name) + len(what.Text)
	}
}

// member returns the value of an object's member; a string has no quotation marks.
func (p *packPDF) member(raw json.RawMessage, n int) typeset.Span {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return machineText(raw, n)
	}
	return p.apart(clipped(strings.Join(strings.Fields(s), " "), n))
}

// machineText returns JSON as it is, read from left to right.
func machineText(raw json.RawMessage, n int) typeset.Span {
	return typeset.Span{Text: clipped(compactJSON(raw), n), Isolate: true, Lang: "en"}
}

// digits returns a text for machines, such as a hash or an id.
func digits(s string) typeset.Span { return typeset.Span{Text: s, Code: true} }

// prose adds a text of the memo.
func (p *packPDF) prose(markdown string) {
	if strings.TrimSpace(markdown) == "" {
		p.soft(p.t("no_memo"))
		return
	}
	for _, b := range markdownBlocks(memoParser(), markdown) {
		switch {
		case b.level > 0:
			p.add(typeset.Heading{Level: 2, Text: plainText(b.items[0])})
		case b.list:
			for i := range b.items {
				b.items[i] = p.isolated(p.noted(b.items[i]))
			}
			p.add(typeset.List{Items: b.items, Numbered: b.numbered})
		default:
			p.paragraph(b.items[0])
		}
	}
}

// paragraph adds a paragraph of the memo; one that is entirely in the other language has that language's direction.
func (p *packPDF) paragraph(spans []typeset.Span) {
	lang := p.foreign(plainText(spans))
	spans = p.noted(spans)
	if lang == "" {
		spans = p.isolated(spans)
	}
	p.add(typeset.Paragraph{Spans: spans, Lang: lang})
}

// memoQuotation matches a quotation in a memo.
var memoQuotation = regexp.MustCompile(`«[^«»]*»|“[^“”]*”`)

// isolated gives quotations and bold words of the other language their own direction, so that adjacent brackets and
// numbers keep the paragraph's.
func (p *packPDF) isolated(spans []typeset.Span) []typeset.Span {
	var out []typeset.Span
	add := func(s typeset.Span, text string, whole bool) {
		if s.Text = text; text == "" {
			return
		}
		if lang := textLang(text, ""); whole && lang != "" && lang != p.code {
			s.Isolate, s.Lang = true, lang
		}
		out = append(out, s)
	}
	for _, s := range spans {
		at := 0
		for _, q := range memoQuotation.FindAllStringIndex(s.Text, -1) {
			add(s, s.Text[at:q[0]], s.Bold)
			add(s, s.Text[q[0]:q[1]], true)
			at = q[1]
		}
		add(s, s.Text[at:], s.Bold || s.Code)
	}
	return out
}

// plainText returns the text of spans.
func plainText(spans []typeset.Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

func (p *packPDF) memo() {
	_, _, body := p.d.memo(p.code)
	p.heading("memo")
	if by := p.d.Content.MemoBy; by != "" {
		p.soft(p.name("memo_by_", by))
	}
	p.prose(body)
}
