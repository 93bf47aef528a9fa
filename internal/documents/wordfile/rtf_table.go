package wordfile

import (
	"slices"

	"sanad/internal/documents/block"
)

// rtfTables is how many tables within each other are told apart.
const rtfTables = 16

// rtfTable is what the file says of a table that is being read.
type rtfTable struct {
	inRow, inCell bool
	rows          []rtfRow
}

// rtfRow is a row as it is defined.
type rtfRow struct {
	heads bool
	left  int
	cells []rtfCell
	next  rtfCell // the one that is being defined
}

// rtfCell is a cell as it is defined.
type rtfCell struct {
	right int  // where it ends, in twips
	above bool // it is a part of the cell above
	left  bool // or of the one before
}

// depth is how many tables a paragraph stands in.
func (p *rtfParagraph) depth() int {
	if !p.table && p.nested == 0 {
		return 0
	}
	return max(p.nested, 1)
}

// inTables opens and closes tables until so many are open, and begins a cell in the innermost one.
func (r *rtf) inTables(n int) {
	for len(r.frame.open) > n {
		r.closeTable()
	}
	for len(r.frame.open) < n {
		if len(r.frame.open) > 0 {
			r.openCell()
		}
		r.openTable()
		r.tables[r.table()] = &rtfTable{}
	}
	if n > 0 {
		r.openCell()
	}
}

// openCell begins a cell of the innermost table if none is open.
func (r *rtf) openCell() {
	t := r.table()
	of := r.tables[t]
	if !of.inRow {
		t.rows = append(t.rows, wordRow{})
		of.rows = append(of.rows, rtfRow{})
		of.inRow, of.inCell = true, false
	}
	if !of.inCell {
		r.out.CountCell()
		row := t.row()
		row.cells = append(row.cells, wordCell{})
		of.inCell = true
	}
}

// closeTable ends the innermost table.
func (r *rtf) closeTable() {
	t := r.table()
	if of := r.tables[t]; of != nil {
		of.merge(t)
		delete(r.tables, t)
	}
	r.flow.closeTable()
}

// rowWord takes a control word about the rows of tables, and reports whether it is one.
func (r *rtf) rowWord(word string, n int) bool {
	d := &r.row
	switch word {
	case "cell", "nestcell":
		if r.now.to == rtfText {
			r.endCell(word == "nestcell")
		}
	case "row", "nestrow":
		r.endRow(word == "nestrow")
	case "trowd":
		r.row = rtfRow{}
	case "trhdr":
		d.heads = true
	case "trleft":
		d.left = n
	case "clvmrg":
		d.next.above = true
	case "clmrg":
		d.next.left = true
	case "cellx":
		if len(d.cells) < mostRTFCells {
			d.next.right = n
			d.cells = append(d.cells, d.next)
		}
		d.next = rtfCell{}
	default:
		return false
	}
	return true
}

// mostRTFCells is how many cells of a row are told apart.
const mostRTFCells = 1_000

// endCell ends the open cell with its paragraph.
func (r *rtf) endCell(nested bool) {
	p := &r.now.para
	p.table = true
	if nested {
		p.nested = max(p.nested, 2)
	} else {
		p.nested = 1
	}
	r.endParagraph()
	if of := r.tables[r.table()]; of != nil {
		of.inCell = false
	}
}

// endRow ends the open row, which is as defined.
func (r *rtf) endRow(nested bool) {
	least := 1
	if nested {
		least = 2
	}
	if len(r.frame.open) < least {
		return
	}
	if !nested {
		for len(r.frame.open) > 1 {
			r.closeTable()
		}
	}
	of := r.tables[r.table()]
	if of == nil || !of.inRow {
		return
	}
	of.rows[len(of.rows)-1] = rtfRow{heads: r.row.heads, left: r.row.left, cells: slices.Clone(r.row.cells)}
	of.inRow, of.inCell = false, false
}

// sameEdge is how far apart two edges of cells in different rows may be and still be the same, in twips.
const sameEdge = 60

// merge finds which columns the cells of each row cover, by where they end.
func (of *rtfTable) merge(t *wordTable) {
	var edges []int
	for i := range of.rows {
		d := &of.rows[i]
		if len(d.cells) != len(t.rows[i].cells) {
			continue
		}
		edges = append(edges, d.left)
		for _, c := range d.cells {
			edges = append(edges, c.right)
		}
	}
	slices.Sort(edges)
	edges = slices.CompactFunc(edges, func(a, b int) bool { return max(a-b, b-a) <= sameEdge })
	column := func(x int) int {
		at, _ := slices.BinarySearch(edges, x-sameEdge)
		return at
	}
	for i := range of.rows {
		d, row := &of.rows[i], &t.rows[i]
		row.heads = d.heads
		if len(d.cells) != len(row.cells) {
			continue
		}
		from := column(d.left)
		row.skip = min(from, block.MostSpan)
		var cells []wordCell
		for j, c := range d.cells {
			cell := row.cells[j]
			end := column(c.right)
			cell.columns, cell.above = min(max(end-from, 1), block.MostSpan), c.above
			from = max(from, end)
			if n := len(cells); c.left && n > 0 {
				cells[n-1].columns = min(cells[n-1].columns+cell.columns, block.MostSpan)
				cells[n-1].paragraphs = append(cells[n-1].paragraphs, cell.paragraphs...)
				continue
			}
			cells = append(cells, cell)
		}
		row.cells = cells
	}
}
