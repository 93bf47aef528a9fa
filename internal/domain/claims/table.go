package claims

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"sanad/internal/domain/text"
)

// table makes one claim of each body row, "first cell: second; third", where a bare number takes its column's heading
// along. A cell with whole sentences gives its sentences instead.
func (s *splitter) table(n ast.Node) {
	var header []string
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		cells := s.cells(row)
		if _, ok := row.(*extast.TableHeader); ok {
			for _, c := range cells {
				header = append(header, string(c.text))
			}
			continue
		}
		if long := sentenceCell(cells); long != nil {
			s.sentences(long)
			continue
		}
		t := joinCells(cells, header)
		s.sentence(t, t.clean(0, len(t.text)))
	}
}

func (s *splitter) cells(row ast.Node) []*plain {
	var out []*plain
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		out = append(out, plainOf(c, s.src))
	}
	return out
}

// sentenceCell returns the first cell that holds a whole sentence, or nil.
func sentenceCell(cells []*plain) *plain {
	for _, c := range cells {
		t := strings.TrimSpace(string(c.text))
		if len(strings.Fields(t)) >= 5 && strings.HasSuffix(t, ".") {
			return c
		}
	}
	return nil
}

// joinCells writes a row as one line; what is put in stands for the place before the cell.
func joinCells(cells []*plain, header []string) *plain {
	out := &plain{}
	filled := 0
	for i, c := range cells {
		if len(strings.TrimSpace(string(c.text))) == 0 {
			continue
		}
		at := c.starts[0]
		switch filled {
		case 0:
		case 1:
			out.insert(": ", at)
		default:
			out.insert("; ", at)
		}
		out.text, out.starts, out.ends = append(out.text, c.text...), append(out.starts, c.starts...), append(out.ends,
			c.ends...)
		if filled > 0 && i < len(header) && (!strings.ContainsFunc(string(c.text), text.HasUnit) ||
			!strings.ContainsFunc(header[i], text.HasUnit)) { // a year is no unit
			out.insert(" "+strings.TrimSpace(header[i]), c.ends[len(c.ends)-1])
		}
		filled++
	}
	if filled < 2 {
		return &plain{}
	}
	return out
}

// insert appends words that stand for the empty place at.
func (t *plain) insert(s string, at int) {
	for i := range len(s) {
		t.put(s[i], at, at)
	}
}
