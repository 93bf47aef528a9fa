package ledger

import (
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// TableText is a table of a document, as it is in one chunk.
type TableText struct {
	Caption []textRun
	Heads   []TableCell // empty if it has none
	Again   bool        // the heads are those of a chunk before
	Rows    [][]TableCell
}

// TableCell is a head, or a cell of a row.
type TableCell struct {
	Runs []textRun // empty if it has no words
	Head bool      // it names its row
}

// gridAt returns the table that begins at a place, nil if none.
func gridAt(grids []ledger.Grid, at int) *ledger.Grid {
	for i := range grids {
		if grids[i].Span.Start == at {
			return &grids[i]
		}
	}
	return nil
}

// newTableText lays out a table with what its words are to the claims, see paragraphs.
func newTableText(g *ledger.Grid, marks []mark, links []ClaimLink, seen map[int]bool) *TableText {
	cell := func(c ledger.Cell) TableCell {
		raw := strings.ReplaceAll(c.Text, "|", `\|`)
		if text.Len(raw) != c.Span.Len() { // its bars were not all marked
			raw = c.Text
		}
		if c.Text == "" || text.Len(raw) > c.Span.Len() {
			return TableCell{}
		}
		runs := textRuns(raw, marks[c.Span.Start:], links, seen)
		for i := range runs {
			runs[i].text = strings.ReplaceAll(runs[i].text, `\|`, "|")
		}
		return TableCell{Runs: runs}
	}
	t := &TableText{Again: g.Continued}
	if g.Caption.Len() > 0 {
		t.Caption = cell(ledger.Cell{Span: g.Caption, Text: g.CaptionText}).Runs
	}
	for _, c := range g.Head {
		t.Heads = append(t.Heads, cell(c))
	}
	if g.Continued {
		for _, h := range g.Heads() {
			var c TableCell
			if h != "" {
				c.Runs = []textRun{{text: h}}
			}
			t.Heads = append(t.Heads, c)
		}
	}
	for _, r := range g.Rows {
		var row []TableCell
		for i, c := range r.Cells {
			x := cell(c)
			x.Head = i == 0 && len(t.Heads) > 0 && len(r.Cells) > 1 && len(x.Runs) > 0
			row = append(row, x)
		}
		for len(row) < len(t.Heads) {
			row = append(row, TableCell{})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// runs returns the pieces of a paragraph: those of each cell, for a table.
func (p *Paragraph) runs() [][]textRun {
	if p.Table == nil {
		return [][]textRun{p.Runs}
	}
	out := [][]textRun{p.Table.Caption}
	for _, c := range p.Table.Heads {
		out = append(out, c.Runs)
	}
	for _, row := range p.Table.Rows {
		for _, c := range row {
			out = append(out, c.Runs)
		}
	}
	return out
}
