package exporters

import (
	"slices"
	"strconv"
	"strings"

	goldtext "github.com/yuin/goldmark/text"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/typeset"
)

// answer adds the whole answer, unlike the other texts, which are shortened, with its claims marked. Each block has the
// direction of its own language, and begins on its side.
func (p *pdfWriter) answer() {
	s := p.l.Session
	if strings.TrimSpace(s.Answer) == "" {
		return
	}
	p.chapter("answer")
	if s.AnswerVersion > 1 {
		p.add(typeset.Paragraph{Soft: true, Spans: typeset.Text(p.t("answer_version", "N", strconv.Itoa(s.AnswerVersion)))})
	}
	root := answerParser().Parse(goldtext.NewReader([]byte(s.Answer)))
	marks := newAnswerMarks(p.l, root, p.citeMark)
	p.legend(marks)
	for _, b := range blocksOf(root, []byte(s.Answer), marks) {
		switch {
		case b.table != nil:
			p.answerTable(b.table)
		case b.level > 0:
			words := plainText(b.items[0])
			p.add(typeset.Heading{Level: 2, Text: words, Lang: textLang(words, s.Lang), Own: true})
		case b.list:
			p.answerList(b)
		default:
			p.answerText(b.items[0])
		}
	}
	p.unseen(marks)
}

// legend says what the lines below the answer's words mean.
func (p *pdfWriter) legend(m *answerMarks) {
	if len(m.marks) == 0 {
		return
	}
	spans := typeset.Text(p.t("answer_legend"))
	for _, v := range append(slices.Clone(ledger.Verdicts), ledger.Unjudged) {
		if !slices.ContainsFunc(m.marks, func(x answerMark) bool { return x.verdict == v }) {
			continue
		}
		id := "answer_line_" + string(v)
		if v == ledger.Unjudged {
			id = "answer_line_unjudged"
		}
		spans = append(spans, typeset.Span{Text: "  "}, typeset.Span{Text: p.t(id, "Verdict", p.verdict(v)), Color: pdfLineColors[v],
			Under: pdfUnderlines[v], UnderColor: pdfLineColors[v]})
	}
	p.add(typeset.Paragraph{Soft: true, Keep: true, Spans: spans})
}

// unseen names the claims that don't stand in the answer.
func (p *pdfWriter) unseen(m *answerMarks) {
	if len(m.lost) == 0 {
		return
	}
	numbers := make([]string, min(len(m.lost), maxNumbers))
	for i := range numbers {
		numbers[i] = strconv.Itoa(m.lost[i])
	}
	list := p.list(numbers...)
	if more := len(m.lost) - len(numbers); more > 0 {
		list = p.t("and_others", "List", list, "N", strconv.Itoa(more))
	}
	p.add(typeset.Paragraph{Soft: true, Spans: typeset.Text(p.t("answer_lost", "Claims", list))})
}

// answerList adds a list of the answer. One that is not in the section's language is set as paragraphs, whose lines
// begin on the side of their own language.
func (p *pdfWriter) answerList(b markdownBlock) {
	foreign := false
	for _, item := range b.items {
		foreign = foreign || !p.speaks(plainText(item))
	}
	if !foreign {
		p.add(typeset.List{Items: b.items, Numbered: b.numbered})
		return
	}
	for i, item := range b.items {
		mark := "• "
		if b.numbered {
			mark = strconv.Itoa(i+1) + ". "
		}
		p.answerText(append([]typeset.Span{{Text: mark}}, item...))
	}
}

func (p *pdfWriter) answerText(spans []typeset.Span) {
	if words := plainText(spans); strings.TrimSpace(words) != "" {
		p.add(typeset.Paragraph{Spans: spans, Lang: textLang(words, p.l.Session.Lang), Own: true})
	}
}
