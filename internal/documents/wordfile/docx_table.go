package wordfile

import (
	"encoding/xml"
	"strconv"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
)

// wordTable is a table that is being read.
type wordTable struct {
	rows   []wordRow
	nested bool
	style  string
	shaded bool // it says itself what is behind it
}

type wordRow struct {
	heads bool // it names the columns
	skip  int  // columns before the first cell
	cells []wordCell
	gone  ledger.LeftOutHow // by what it is hidden, "" if it is not
	// tracked changes delete it
	deleted bool
}

type wordCell struct {
	columns    int
	rows       int    // that it covers; 0 is 1
	above      bool   // it is a part of the cell above
	ground     string // as wordProps.ground
	paragraphs []wordParagraph
}

// openTable begins a part of a table, and reports whether the element is one.
func (w *word) openTable(e xml.StartElement) bool {
	if e.Name.Local == "tbl" {
		w.paragraph()
		w.frame.open = append(w.frame.open, &wordTable{})
		return true
	}
	if len(w.frame.open) == 0 {
		return false
	}
	t := w.frame.open[len(w.frame.open)-1]
	switch e.Name.Local {
	case "tr":
		t.rows = append(t.rows, wordRow{})
	case "tc":
		w.paragraph()
		w.out.CountCell()
		r := t.row()
		r.cells = append(r.cells, wordCell{})
	case "tblHeader":
		t.row().heads = block.IsOn(e)
	case "tblStyle":
		t.style = block.Attribute(e, "val")
	case "shd":
		if len(t.rows) == 0 {
			t.shaded = shading(e) != ""
		} else {
			t.cell().ground = shading(e)
		}
	case "hidden":
		if block.IsOn(e) {
			t.row().gone = ledger.HiddenFormat
		}
	case "trHeight":
		if block.Attribute(e, "hRule") == "exact" && within(e, "val", 1, tinyLine) {
			t.row().gone = ledger.Tiny
		}
	case "gridBefore":
		t.row().skip = count(e)
	case "gridSpan":
		t.cell().columns = count(e)
	case "vMerge":
		t.cell().above = block.Attribute(e, "val") != "restart"
	default:
		return false
	}
	return true
}

func count(e xml.StartElement) int {
	n, err := strconv.Atoi(block.Attribute(e, "val"))
	if err != nil {
		return 0
	}
	return min(max(n, 0), block.MostSpan)
}

// row is the open row of the table, cell its open cell.
func (t *wordTable) row() *wordRow {
	if len(t.rows) == 0 {
		t.rows = append(t.rows, wordRow{})
	}
	return &t.rows[len(t.rows)-1]
}

func (t *wordTable) cell() *wordCell {
	r := t.row()
	if len(r.cells) == 0 {
		r.cells = append(r.cells, wordCell{})
	}
	return &r.cells[len(r.cells)-1]
}

// closeTable ends the innermost table.
func (w *word) closeTable() {
	w.paragraph()
	n := len(w.frame.open)
	if n == 0 {
		return
	}
	t := w.frame.open[n-1]
	w.frame.open = w.frame.open[:n-1]
	w.add(wordParagraph{table: t})
}

// putTable adds a table to the text. What only lays out a page becomes paragraphs.
func (w *word) putTable(t *wordTable) {
	if t.layout() {
		for i := range t.rows {
			for _, c := range t.rows[i].cells {
				for _, p := range c.paragraphs {
					w.put(p)
				}
			}
		}
		return
	}
	out := t.grid()
	w.out.UnderCaption(&out, w.named)
	w.out.PutTable(&out, 0)
}

// grid returns the table with its words.
func (t *wordTable) grid() (out block.Table) {
	for _, r := range t.rows {
		if r.gone != "" || r.deleted {
			continue
		}
		row := block.Row{Heads: r.heads}
		for range r.skip {
			row.Cells = append(row.Cells, block.Cell{})
		}
		for _, c := range r.cells {
			row.Cells = append(row.Cells, block.Cell{Text: c.words(), Columns: c.columns, Rows: c.rows, Above: c.above})
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// layout reports whether a table has no columns to keep: it has one, or one row of more than short texts, or nothing
// but other tables and what stands beside them.
func (t *wordTable) layout() bool {
	columns, long, heads := 0, false, false
	for _, r := range t.rows {
		n := 0
		for _, c := range r.cells {
			n += max(c.columns, 1)
			long = long || len(c.paragraphs) > 1 || len(c.paragraphs) == 1 && len(c.paragraphs[0].text) > 2*block.RepeatedCell
		}
		columns, heads = max(columns, n), heads || r.heads
	}
	return columns < 2 || len(t.rows) == 1 && !heads && (long || t.nested)
}

// words joins what is in a cell.
func (c *wordCell) words() string {
	var parts []string
	for _, p := range c.paragraphs {
		if p.table == nil {
			parts = append(parts, p.shown())
			continue
		}
		for _, r := range p.table.rows {
			for i := range r.cells {
				if s := r.cells[i].words(); s != "" {
					parts = append(parts, s)
				}
			}
		}
	}
	return strings.Join(parts, " ")
}
