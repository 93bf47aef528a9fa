package exporters

import (
	"strings"

	extast "github.com/yuin/goldmark/extension/ast"

	"sanad/internal/exporters/typeset"
)

// markdownTable is a table in a text.
type markdownTable struct {
	head []string
	end  []bool // columns that are aligned to the right
	rows [][][]typeset.Span
}

// maxColumns is how many columns a table may have to be set as one; of a wider one each row is a paragraph.
const maxColumns = 8

func tableOf(t *extast.Table, src []byte, marks *answerMarks) *markdownTable {
	out := &markdownTable{}
	for _, a := range t.Alignments {
		out.end = append(out.end, a == extast.AlignRight)
	}
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		var cells [][]typeset.Span
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, flat(c, src, marks))
		}
		if _, is := row.(*extast.TableHeader); !is {
			out.rows = append(out.rows, cells)
			continue
		}
		for _, c := range cells {
			out.head = append(out.head, plainText(c))
		}
	}
	return out
}

// answerTable adds a table of the answer.
func (p *pdfWriter) answerTable(t *markdownTable) {
	if len(t.head) > maxColumns {
		p.answerText(typeset.Text(strings.Join(t.head, " · ")))
		for _, r := range t.rows {
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
	for i, title := range t.head {
		out.Columns = append(out.Columns, typeset.Column{Title: title, Width: 1, End: i < len(t.end) && t.end[i]})
	}
	for _, r := range t.rows {
		var row typeset.Row
		for _, c := range r {
			row.Cells = append(row.Cells, typeset.Cell{Spans: c, Near: true,
				Lang: textLang(plainText(c), p.l.Session.Lang)})
		}
		out.Rows = append(out.Rows, row)
	}
	p.add(out)
}
