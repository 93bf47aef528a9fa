package exporters

import (
	"slices"
	"strconv"
	"strings"

	goldtext "github.com/yuin/goldmark/text"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/prose"
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
		p.add(typeset.Paragraph{Soft: true, Spans: typeset.Text(p.T("answer_version", "N", strconv.Itoa(s.AnswerVersion)))})
	}
	root := prose.AnswerParser().Parse(goldtext.NewReader([]byte(s.Answer)))
	marks := prose.NewMarks(p.l, root, p.citeMark)
	p.legend(marks)
	for _, b := range prose.BlocksOf(root, []byte(s.Answer), marks) {
		switch {
		case b.Table != nil:
			p.answerTable(b.Table)
		case b.Level > 0:
			words := prose.PlainText(b.Items[0])
			p.add(typeset.Heading{Level: 2, Text: words, Lang: prose.TextLang(words, s.Lang), Own: true})
		case b.List:
			p.answerList(b)
		default:
			p.answerText(b.Items[0])
		}
	}
	p.unseen(marks)
}

// legend says what the lines below the answer's words mean.
func (p *pdfWriter) legend(m *prose.Marks) {
	if len(m.Marks) == 0 {
		return
	}
	spans := typeset.Text(p.T("answer_legend"))
	for _, v := range append(slices.Clone(ledger.Verdicts), ledger.Unjudged) {
		if !slices.ContainsFunc(m.Marks, func(x prose.Mark) bool { return x.Verdict == v }) {
			continue
		}
		id := "answer_line_" + string(v)
		if v == ledger.Unjudged {
			id = "answer_line_unjudged"
		}
		spans = append(spans, typeset.Span{Text: "  "}, typeset.Span{Text: p.T(id, "Verdict", p.Verdict(v)),
			Color: prose.LineColors[v],
			Under: prose.Underlines[v], UnderColor: prose.LineColors[v]})
	}
	p.add(typeset.Paragraph{Soft: true, Keep: true, Spans: spans})
}

// unseen names the claims that don't stand in the answer.
func (p *pdfWriter) unseen(m *prose.Marks) {
	if len(m.Lost) == 0 {
		return
	}
	most := min(len(m.Lost), maxNumbers)
	if len(m.Lost) == most+1 {
		most++
	}
	numbers := make([]string, most)
	for i := range numbers {
		numbers[i] = strconv.Itoa(m.Lost[i])
	}
	list := p.List(numbers...)
	if more := len(m.Lost) - len(numbers); more > 0 {
		list = p.T("and_others", "List", list, "N", strconv.Itoa(more))
	}
	p.add(typeset.Paragraph{Soft: true, Spans: typeset.Text(p.T("answer_lost", "Claims", list))})
}

// answerList adds a list of the answer. One that is not in the section's language is set as paragraphs, whose lines
// begin on the side of their own language.
func (p *pdfWriter) answerList(b prose.Block) {
	foreign := false
	for _, item := range b.Items {
		foreign = foreign || !p.speaks(prose.PlainText(item))
	}
	if !foreign {
		p.add(typeset.List{Items: b.Items, Numbered: b.Numbered})
		return
	}
	for i, item := range b.Items {
		mark := "• "
		if b.Numbered {
			mark = strconv.Itoa(i+1) + ". "
		}
		p.answerText(append([]typeset.Span{{Text: mark}}, item...))
	}
}

func (p *pdfWriter) answerText(spans []typeset.Span) {
	if words := prose.PlainText(spans); strings.TrimSpace(words) != "" {
		p.add(typeset.Paragraph{Spans: spans, Lang: prose.TextLang(words, p.l.Session.Lang), Own: true})
	}
}

// maxColumns is how many columns a table may have to be set as one; of a wider one each row is a paragraph.
const maxColumns = 8

// answerTable adds a table of the answer.
func (p *pdfWriter) answerTable(t *prose.Table) {
	if len(t.Head) > maxColumns {
		p.answerText(typeset.Text(strings.Join(t.Head, " · ")))
		for _, r := range t.Rows {
			var line []typeset.Span
			for i, c := range r {
				if i > 0 {
					line = append(line, typeset.Span{Text: " · "})
				}
				line = append(line, c...)
			}
			p.answerText(line)
		}
		return
	}
	var out typeset.Table
	for i, title := range t.Head {
		out.Columns = append(out.Columns, typeset.Column{Title: title, Width: 1, End: i < len(t.End) && t.End[i]})
	}
	for _, r := range t.Rows {
		var row typeset.Row
		for _, c := range r {
			row.Cells = append(row.Cells, typeset.Cell{Spans: c, Near: true,
				Lang: prose.TextLang(prose.PlainText(c), p.l.Session.Lang)})
		}
		out.Rows = append(out.Rows, row)
	}
	if t := p.l.Session; len(out.Columns) > 0 && !p.speaks(t.Answer) { // its columns run as its own language does
		slices.Reverse(out.Columns)
		for i := range out.Rows {
			slices.Reverse(out.Rows[i].Cells)
		}
	}
	p.add(out)
}
