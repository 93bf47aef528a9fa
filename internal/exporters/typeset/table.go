package typeset

import "slices"

const (
	padX = 6.0
	padY = 2.6
)

// column is a table column's place on the page.
type column struct {
	x, width float64 // of the text, without padding
	to       align
}

// columns distributes columns over the measure, the first on the side where reading starts.
func (f *flow) columns(cols []Column) []column {
	total := 0.0
	for _, c := range cols {
		total += max(c.Width, 0)
	}
	out := make([]column, len(cols))
	at := 0.0
	for i, c := range cols {
		w := bodyWidth / float64(len(cols))
		if total > 0 {
			w = bodyWidth * max(c.Width, 0) / total
		}
		x := marginX + at
		if f.rtl {
			x = marginX + bodyWidth - at - w
		}
		out[i] = column{x: x + padX, width: max(w-2*padX, 4)}
		if c.End {
			out[i].to = alignRight
			if f.rtl {
				out[i].to = alignLeft
			}
		}
		at += w
	}
	return out
}

// laid is a cell after layout.
type laid struct {
	column
	badge *Badge
	box   *box
	elem  int32
}

// above returns the height of what is above a cell's text.
func (c *laid) above() float64 {
	switch {
	case c.badge == nil:
		return 0
	case len(c.box.lines) == 0:
		return badgeHeight
	}
	return badgeHeight + 2
}

func (c *laid) height() float64 { return c.above() + c.box.height() }

func (f *flow) table(t Table) {
	if len(t.Columns) == 0 {
		return
	}
	cols := f.columns(t.Columns)
	elem := f.tree.add("Table", f.parent)
	if t.Caption != "" {
		f.text(f.box(Text(t.Caption), softStyle, bodyWidth, f.rtl), marginX, 8, true, f.side(),
			f.tree.add("Caption", elem), nil)
	}
	head, height := f.head(t.Columns, cols, elem)
	var again *slab
	if height <= (bodyBottom-bodyTop)/3 {
		s := f.headSlab(head, height)
		again = repeated(s)
		f.place(s)
	} else { // a head too high to repeat is split over pages like a row
		f.row(head, false, nil)
	}
	for i, r := range t.Rows {
		f.row(f.cells(r, cols, elem, tableStyle), keepRow(i, len(t.Rows)) || t.Whole && i+1 < len(t.Rows), again)
	}
	f.repeat = nil
	f.place(slab{height: 4})
}

// head lays out a table's head row.
func (f *flow) head(columns []Column, cols []column, table int32) (cells []laid, height float64) {
	tr := f.tree.add("TR", table)
	cells = make([]laid, len(cols))
	for i, c := range columns {
		th := f.tree.add("TH", tr)
		f.tree.elements[th].attr = "/O/Table/Scope/Column"
		f.tree.say(th, c.Title)
		cells[i] = laid{column: cols[i], box: f.box(Text(c.Title), tableHead, cols[i].width, f.rtl), elem: th}
	}
	return cells, rowHeight(cells)
}

// headSlab draws the head on a soft background; it stays on one page with the first row.
func (f *flow) headSlab(cells []laid, height float64) slab {
	ground := op{kind: opFill, color: sunken, elem: artifact, x: marginX, w: bodyWidth, h: float32(height)}
	s := f.rowSlab(cells, []op{ground}, height)
	s.before, s.keep = 6, true
	return s
}

// repeated returns a table head for further pages. It isn't content a second time. One form serves all pages; newPage
// creates it when there is one.
func repeated(head slab) *slab { return &slab{height: head.height, ops: slices.Clone(head.ops)} }

// headAgain repeats the table head on a new page.
func (f *flow) headAgain() {
	if f.repeat.ops[0].kind != opForm {
		f.repeat.ops = []op{{kind: opForm, elem: artifact, form: int32(f.renderForm(f.repeat.ops))}}
	}
	f.emit(*f.repeat)
}

// cells lays out a row's cells. Missing ones are empty, surplus ones are dropped.
func (f *flow) cells(r Row, cols []column, table int32, style textStyle) []laid {
	tr := f.tree.add("TR", table)
	cells := make([]laid, len(cols))
	for i := range cols {
		var c Cell
		if i < len(r.Cells) {
			c = r.Cells[i]
		}
		td := f.tree.add("TD", tr)
		f.tree.elements[td].lang = c.Lang
		cells[i] = laid{column: cols[i], badge: c.Badge, box: &box{}, elem: td}
		f.tree.say(td, c.text())
		if !blank(c.Spans) {
			cells[i].box = f.box(c.Spans, style, cols[i].width, c.Dir.rtl(c.Lang, f.rtl))
			if c.Near && cols[i].to == alignStart {
				cells[i].to = f.side()
			}
		}
	}
	return cells
}

// text returns the cell's text, its badge first.
func (c *Cell) text() string {
	if c.Badge == nil {
		return plainText(c.Spans)
	}
	return c.Badge.Word + " " + plainText(c.Spans)
}

func blank(spans []Span) bool {
	for _, s := range spans {
		if s.Text != "" {
			return false
		}
	}
	return true
}

func rowHeight(cells []laid) float64 {
	height := 0.0
	for i := range cells {
		height = max(height, cells[i].height())
	}
	return height + 2*padY
}

// keepRow reports whether row i of n stays on one page with the next: so do the first, which keeps its heading, and the
// last but one.
func keepRow(i, n int) bool { return i+1 < n && (i == 0 || i == n-2) }

// highestRow is the height up to which a row is never split, so that no page is left mostly empty before one.
const highestRow = (bodyBottom - bodyTop) / 2

// row places a row: whole, or split over pages if it is higher than highestRow. keep holds it to the next row if a page has
// room for both; again is the head to repeat on the pages that follow.
func (f *flow) row(cells []laid, keep bool, again *slab) {
	height := rowHeight(cells)
	if height <= highestRow {
		s := f.rowSlab(cells, nil, height)
		s.keep, s.soft, s.again = keep, keep, again
		f.place(s)
		return
	}
	at := make([]int, len(cells))
	for more := true; more; {
		f.flush()
		room := f.room()
		if room < 80 {
			f.newPage()
			room = f.room()
		}
		room -= min(f.notesOfCells(cells), mostNotes)
		var to []int
		to, more = cut(cells, at, room-2*padY)
		s := f.rowPart(cells, at, to)
		s.again = again
		f.place(s)
		at = to
	}
}

// cut returns up to which line each cell fits in a height, at least one line, and reports whether more is left.
func cut(cells []laid, at []int, height float64) (to []int, more bool) {
	to = make([]int, len(cells))
	for i := range cells {
		c := &cells[i]
		room := height
		if at[i] == 0 {
			room -= c.above()
		}
		n := len(c.box.lines)
		if n == 0 {
			continue
		}
		to[i] = min(n, at[i]+max(1, int(room/c.box.leading)))
		more = more || to[i] < n
	}
	return to, more
}

// rowPart returns the slab of some lines of a row.
func (f *flow) rowPart(cells []laid, from, to []int) slab {
	parts := make([]laid, len(cells))
	for i, c := range cells {
		b := *c.box
		b.lines = b.lines[from[i]:to[i]]
		c.box = &b
		if from[i] > 0 {
			c.badge = nil
		}
		parts[i] = c
	}
	return f.rowSlab(parts, nil, rowHeight(parts))
}

// rowSlab returns the slab of a row's cells over a hairline.
func (f *flow) rowSlab(cells []laid, ops []op, height float64) slab {
	for i := range cells {
		c := &cells[i]
		y := padY
		if c.badge != nil {
			x := c.x
			if f.rtl {
				x += c.width
			}
			ops = f.badge(ops, c.badge, x, y, c.width+padX/2, f.rtl, c.elem)
			y += c.above()
		}
		ops = c.box.ops(ops, 0, len(c.box.lines), c.x, y, c.to, c.elem)
	}
	return slab{height: height, ops: append(ops, f.rule(float32(height), line1))}
}

// keyValues lays out a table without a head, with soft keys and values in ink.
func (f *flow) keyValues(kv KeyValues) {
	cols := f.columns([]Column{{Width: 24}, {Width: 76}})
	elem := f.tree.add("Table", f.parent)
	f.place(slab{height: 6, keep: true})
	for i, item := range kv.Items {
		key := Cell{Spans: []Span{{Text: item.Key, Color: inkSoft}}}
		value := Cell{Badge: item.Badge, Spans: item.Value, Lang: item.Lang, Dir: item.Dir, Near: true}
		cells := f.cells(Row{[]Cell{key, value}}, cols, elem, tableStyle)
		th := &f.tree.elements[cells[0].elem]
		th.role, th.attr = "TH", "/O/Table/Scope/Row"
		f.row(cells, keepRow(i, len(kv.Items)), nil)
	}
	f.place(slab{height: 4})
}
