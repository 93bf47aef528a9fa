package packs

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// foreign returns the language of a text without any letter of the part's own script, "" for all other texts. So a memo
// that begins and ends with an English name still counts as Arabic.
func (p *pdfWriter) foreign(s string) string {
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
	case p.Code == "ar" && latin && !arabic:
		return "en"
	case p.Code == "en" && arabic && !latin:
		return "ar"
	}
	return ""
}

// names returns names in sequence, each in its own direction.
func (p *pdfWriter) names(all ...string) []typeset.Span {
	var out []typeset.Span
	for _, s := range present(all...) {
		if len(out) > 0 {
			out = append(out, typeset.Span{Text: " · "})
		}
		out = append(out, p.apart(prose.Clipped(strings.Join(strings.Fields(s), " "), prose.TitleLength)))
	}
	if len(out) == 0 {
		return typeset.Text("–")
	}
	return out
}

// said returns a text by a person or machine, on one line and in its own direction.
func (p *pdfWriter) said(s string) typeset.Span {
	return p.apart(prose.Clipped(strings.Join(strings.Fields(s), " "), actionLength))
}

// apart returns a self-contained text, isolated unless it has only the part's own letters.
func (p *pdfWriter) apart(s string) typeset.Span {
	other := func(r rune) bool { return unicode.IsLetter(r) && unicode.Is(unicode.Arabic, r) != (p.Code == "ar") }
	lang := prose.TextLang(s, "")
	if lang == p.Code && !strings.ContainsFunc(s, other) {
		return typeset.Span{Text: s}
	}
	return typeset.Span{Text: s, Isolate: true, Lang: lang}
}

// quote returns a text on one line, in the quotation marks of its own language.
func (p *pdfWriter) quote(s string, n int) typeset.Span {
	s = strings.Join(strings.Fields(s), " ")
	lang, marks := prose.TextLang(s, ""), [2]string{"“", "”"}
	if lang == "ar" {
		marks = [2]string{"«", "»"}
	}
	return typeset.Span{Text: marks[0] + prose.Clipped(s, n) + marks[1], Isolate: true, Lang: lang}
}

// data appends JSON, formatted for a board, under a label: the members of an object one per line, each name and value
// in its own direction; anything else as compact JSON.
func (p *pdfWriter) data(out *prose.Lines, label string, raw json.RawMessage) {
	if len(raw) == 0 {
		return
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || len(members) == 0 {
		out.Labelled(label, machineText(raw, jsonLength))
		return
	}
	out.Labelled(label)
	left := jsonLength
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if left <= 0 {
			out.Line(typeset.Span{Text: "…"})
			return
		}
		shown, what := p.apart(prose.Clipped(name, nameLength)), p.member(members[name], left)
		shown.Color = prose.Soft
		out.Line(shown, typeset.Span{Text: ": ", Color: prose.Soft}, what)
		left -= len(name) + len(what.Text)
	}
}

// member returns the value of an object's member; a string has no quotation marks.
func (p *pdfWriter) member(raw json.RawMessage, n int) typeset.Span {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return machineText(raw, n)
	}
	return p.apart(prose.Clipped(strings.Join(strings.Fields(s), " "), n))
}

// machineText returns JSON as it is, read from left to right.
func machineText(raw json.RawMessage, n int) typeset.Span {
	return typeset.Span{Text: prose.Clipped(compactJSON(raw), n), Isolate: true, Lang: "en"}
}

// digits returns a text for machines, such as a hash or an id.
func digits(s string) typeset.Span { return typeset.Span{Text: s, Code: true} }

// prose adds a text of the memo.
func (p *pdfWriter) prose(markdown string) {
	if strings.TrimSpace(markdown) == "" {
		p.soft(p.T("no_memo"))
		return
	}
	for _, b := range prose.Blocks(prose.MemoParser(), markdown) {
		switch {
		case b.Level > 0:
			p.add(typeset.Heading{Level: 2, Text: prose.PlainText(b.Items[0])})
		case b.List:
			for i := range b.Items {
				b.Items[i] = p.isolated(p.noted(p.unsourced(b.Items[i])))
			}
			p.add(typeset.List{Items: b.Items, Numbered: b.Numbered})
		default:
			p.paragraph(b.Items[0])
		}
	}
}

// paragraph adds a paragraph of the memo; one that is entirely in the other language has that language's direction.
func (p *pdfWriter) paragraph(spans []typeset.Span) {
	lang := p.foreign(prose.PlainText(spans))
	spans = p.noted(p.unsourced(spans))
	if lang == "" {
		spans = p.isolated(spans)
	}
	p.add(typeset.Paragraph{Spans: spans, Lang: lang})
}

// memoQuotation matches a quotation in a memo.
var memoQuotation = regexp.MustCompile(`«[^«»]*»|“[^“”]*”`)

// isolated gives quotations and bold words of the other language their own direction, so that adjacent brackets and
// numbers keep the paragraph's.
func (p *pdfWriter) isolated(spans []typeset.Span) []typeset.Span {
	var out []typeset.Span
	add := func(s typeset.Span, text string, whole bool) {
		if s.Text = text; text == "" {
			return
		}
		if lang := prose.TextLang(text, ""); whole && lang != "" && lang != p.Code {
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

func (p *pdfWriter) memo() {
	_, _, body := p.d.memo(p.Code)
	p.heading("memo")
	if by := p.d.Content.MemoBy; by != "" {
		p.soft(p.name("memo_by_", by))
	}
	p.prose(body)
}

// unsourced marks each sentence of the memo that names no source, tool call or claim. What the program itself drafts is
// of the pack's own record and needs none.
func (p *pdfWriter) unsourced(spans []typeset.Span) []typeset.Span {
	whole := prose.PlainText(spans)
	var ends []int // of the sentences to mark, in code points
	for _, s := range pack.Unsourced(whole, p.drafted()) {
		ends = append(ends, s.End)
	}
	mark := typeset.Span{Text: pack.NoSource, Color: prose.Alarm, Bold: true}
	p.marked = p.marked || len(ends) > 0
	var out []typeset.Span
	at := 0
	for _, s := range spans {
		runes := []rune(s.Text)
		for len(ends) > 0 && ends[0] <= at+len(runes) {
			before := s
			before.Text = string(runes[:ends[0]-at])
			out = append(out, before, mark)
			runes, at, ends = runes[ends[0]-at:], ends[0], ends[1:]
		}
		at += len(runes)
		if s.Text = string(runes); len(runes) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// drafted are the sentences of the memo that the program drafts of this pack.
func (p *pdfWriter) drafted() map[string]bool {
	if p.draft == nil {
		p.draft = map[string]bool{}
		memo := pack.DraftMemo(&p.d.Content)
		for _, f := range memo.Fields() {
			for _, b := range prose.Blocks(prose.MemoParser(), f.Text) {
				for _, item := range b.Items {
					pack.AddSentences(p.draft, prose.PlainText(item))
				}
			}
		}
	}
	return p.draft
}

// noted gives each reference of the memo, such as [E1], a footnote that names its source.
func (p *pdfWriter) noted(spans []typeset.Span) []typeset.Span {
	for i := range spans {
		at, ok := prose.Referred(spans[i].Text, len(p.d.Content.Sources))
		if !ok || spans[i].Color != prose.Reference {
			continue
		}
		if p.notes == nil {
			p.notes = map[int]*typeset.Note{}
		}
		if p.notes[at] == nil {
			p.notes[at] = &typeset.Note{Spans: p.sourceNote(at)}
		}
		spans[i].Note = p.notes[at]
	}
	var out []typeset.Span
	for i := range spans {
		out = append(out, spans[i])
		at, ok := prose.Referred(spans[i].Text, len(p.d.Content.Sources))
		if said := p.caution(at, ok && spans[i].Color == prose.Reference); said != "" {
			out = append(out, typeset.Span{Text: " (" + said + ")", Color: prose.Alarm})
		}
	}
	return out
}

// mostCautions is how many claims are named behind a reference.
const mostCautions = 3

// caution says behind a reference what keeps its source from carrying the sentence: a claim that rests on it and is not
// supported, or that a model wrote it.
func (p *pdfWriter) caution(at int, refers bool) string {
	if !refers {
		return ""
	}
	var out []string
	s, l := &p.d.Content.Sources[at], p.d.Content.Ledger
	if s.Kind == "model_output" {
		out = append(out, p.T("model_wrote"))
	}
	if l == nil {
		return strings.Join(out, p.T("semicolon"))
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		if e.Verdict == ledger.Supported || !e.RestsOn(s) {
			continue
		}
		if len(out) == mostCautions {
			return strings.Join(append(out, "…"), p.T("semicolon"))
		}
		out = append(out, "C"+strconv.Itoa(e.Number)+": "+p.effective(e))
	}
	return strings.Join(out, p.T("semicolon"))
}

// sourceNote names a source, where it is, and when it was retrieved.
func (p *pdfWriter) sourceNote(at int) []typeset.Span {
	s := &p.d.Content.Sources[at]
	said := p.T("list_comma") + p.T("retrieved_on", "At", p.Day(s.RetrievedAt))
	if s.Kind == "document" { // the format of a decision has no page of a source
		said = p.T("list_comma") + p.T("page_not_recorded") + said
	}
	return append(p.names(s.Source, s.URI, s.InternalRef), typeset.Span{Text: said})
}
