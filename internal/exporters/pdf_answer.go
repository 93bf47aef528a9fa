package exporters

import (
	"strconv"
	"strings"

	"sanad/internal/exporters/typeset"
)

// answer adds the whole answer, unlike the other texts, which are shortened. Each block has the direction of its own
// language, and begins on its side.
func (p *pdfWriter) answer() {
	s := p.l.Session
	if strings.TrimSpace(s.Answer) == "" {
		return
	}
	p.heading(1, p.t("answer"))
	if s.AnswerVersion > 1 {
		p.add(typeset.Paragraph{Soft: true, Spans: typeset.Text(p.t("answer_version", "N", strconv.Itoa(s.AnswerVersion)))})
	}
	for _, b := range markdownBlocks(answerParser(), s.Answer) {
		switch {
		case b.level > 0:
			words := plainText(b.items[0])
			p.add(typeset.Heading{Level: 2, Text: words, Lang: textLang(words, s.Lang), Own: true})
		case b.list:
			p.answerList(b)
		default:
			p.answerText(b.items[0])
		}
	}
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
