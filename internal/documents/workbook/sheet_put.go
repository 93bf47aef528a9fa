package workbook

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// Bounds of a part of a wide row, in code points.
const (
	widePart  = 900 // with its heads
	wideFirst = 100 // of the row's first cell, which each part begins with
	wideCell  = 500 // of a cell; a longer one is a paragraph behind its head
)

// sheetPutter adds the tables of a sheet to a text.
type sheetPutter struct {
	out   *block.List
	name  string
	left  []sheetLeft // of the rows that are not added yet
	depth int         // level of the last heading, 0 before the first

	columns  []int // of the last table
	heads    []string
	open     bool // its next row may stand directly below
	repeated int  // code points of heads
	titled   bool // the last heading is the title of what comes next
}

// putAll adds the tables of a sheet. A single cell above a table is its title.
func (p *sheetPutter) putAll(tables []sheetTable) {
	for i, t := range tables {
		if i+1 < len(tables) && len(t.rows) == 1 && t.rows[0].own == 1 && len(tables[i+1].columns) > 1 {
			p.under(t.rows[0].number)
			p.title(&t.rows[0], true)
			continue
		}
		p.put(t)
	}
}

// under begins the sheet's part, or what stands under no other heading than the sheet's name.
func (p *sheetPutter) under(row int) {
	if p.leaveBefore(row); p.depth == 0 || p.depth > 1 && !p.titled {
		p.out.Put(p.name, 1, row)
		p.depth, p.open = 1, false
	}
}

// leaveBefore lists what is left out of the rows up to a number.
func (p *sheetPutter) leaveBefore(row int) {
	for len(p.left) > 0 && p.left[0].row <= row {
		p.out.Leave(p.left[0].kind, p.left[0].how, p.left[0].text, p.left[0].row)
		p.left = p.left[1:]
	}
}

// put adds a table: its titles, and each row with its number. The row of a group's name is a heading.
func (p *sheetPutter) put(t sheetTable) {
	titles := t.titles()
	if len(t.columns) == 1 {
		titles = len(t.rows)
	}
	if titles == 0 && !p.titled && p.continues(&t) {
		p.rows(&t, t.rows)
		return
	}
	first := &t.rows[0]
	rest := sheetTable{sheet: t.sheet, rows: t.rows[titles:], columns: t.columns}
	n := 0
	if len(rest.rows) > 0 {
		n = rest.heads()
	}
	if n == len(rest.rows) {
		n = 0
	}
	if titles == 0 {
		first = &rest.rows[n]
	}
	p.under(first.number)
	p.columns, p.heads, p.open, p.titled = t.columns, nil, false, false
	for i := range t.rows[:titles] {
		p.title(&t.rows[i], i == 0 && titles < len(t.rows))
	}
	named := make([]block.GridRow, n)
	for i := range named {
		named[i] = block.GridRow{Cells: t.line(&rest.rows[i])}
	}
	p.heads = block.JoinedHeads(named)
	p.rows(&rest, rest.rows[n:])
}

// continues reports whether a table goes on with the last one below an empty row: it has no heads of its own.
func (p *sheetPutter) continues(t *sheetTable) bool {
	return len(p.heads) > 0 &&
		!slices.ContainsFunc(t.columns, func(c int) bool { return !slices.Contains(p.columns, c) }) &&
		len(t.columns) > 1 && t.statedHeads() == 0 && (t.likelyHeads() == 0 || !t.hasFigures())
}

// mostTableTitle is the longest title of a table, in code points.
const mostTableTitle = 120

// title adds a row of one cell.
func (p *sheetPutter) title(r *sheetRow, heading bool) {
	s := r.cells[0].text
	if p.leaveBefore(r.number); heading && p.name != "" &&
		utf8.RuneCountInString(s) <= mostTableTitle && strings.ContainsFunc(s, unicode.IsLetter) {
		p.out.Put(s, 2, r.number)
		p.depth, p.titled, p.open = 2, true, false
		return
	}
	p.out.Put(s, 0, r.number)
}

// rows adds rows below the heads.
func (p *sheetPutter) rows(t *sheetTable, rows []sheetRow) {
	t = &sheetTable{sheet: t.sheet, columns: p.columns}
	for i := range rows {
		r := &rows[i]
		p.leaveBefore(r.number)
		single := r.own == 1 && len(r.cells) == 1 && r.cells[0].column == p.columns[0] && !r.cells[0].figure
		switch {
		case single && i+1 < len(rows) && rows[i+1].own > 1 && p.names(r):
			p.out.Put(r.cells[0].text, 3, r.number)
			p.depth, p.open = 3, false
		case single && i > 0 && i+1 == len(rows) && utf8.RuneCountInString(r.cells[0].text) > mostTableTitle/2: // a note
			p.out.Put(r.cells[0].text, 0, r.number)
			p.open = false
		default:
			p.row(t.line(r), r.number)
		}
		if p.out.Over != nil {
			return
		}
	}
}

// names reports whether a row of one cell names the rows below it: in a table of two columns only if it is bold.
func (p *sheetPutter) names(r *sheetRow) bool {
	return p.name != "" && len(p.heads) > 0 && (len(p.columns) > 2 || r.cells[0].bold) &&
		utf8.RuneCountInString(r.cells[0].text) <= mostTableTitle
}

// mostHeads is how much of a sheet's text may be heads that stand again above each row, in code points. In a larger one
// the rows follow each other, and take the heads of the first.
const mostHeads = 2 << 20

// row adds a row below its heads, so that a passage says what its cells are. One that is too long for a passage becomes
// several, each with the heads of its cells and the row's first cell.
func (p *sheetPutter) row(cells []string, number int) {
	line := ledger.WriteRow(cells, len(p.columns))
	whole := ledger.WriteTable(p.heads, [][]string{cells})
	again := 0
	if len(p.heads) > 0 {
		again = text.Len(whole) - text.Len(line)
	}
	if p.repeated += again; p.repeated <= mostHeads {
		p.open = p.open && again == 0
	}
	switch {
	case p.open && text.Len(line) <= ledger.MaxChunk:
		if p.out.Over == nil {
			p.out.Runes-- // directly below the row above
		}
		p.out.Put(line, 0, number)
	case text.Len(whole)+text.Len(p.name)+2 <= ledger.MaxChunk:
		p.out.Put(whole, 0, number)
		p.open = true
	default:
		p.wideRow(cells, number)
		p.open = false
	}
}

// wideRow adds a row in parts.
func (p *sheetPutter) wideRow(cells []string, number int) {
	head := func(i int) string {
		if i < len(p.heads) {
			return p.heads[i]
		}
		return ""
	}
	var heads, part []string
	size, own := 0, 0
	begin := func() {
		heads, part, size, own = nil, nil, 0, 0
		if n := text.Len(head(0) + cells[0]); cells[0] != "" && n <= wideFirst {
			heads, part, size = []string{head(0)}, []string{cells[0]}, n
		}
	}
	end := func() {
		if own > 0 {
			p.out.Put(ledger.WriteTable(heads, [][]string{part}), 0, number)
		}
		begin()
	}
	begin()
	for i, c := range cells {
		n := text.Len(head(i)) + text.Len(c) + 10
		switch {
		case c == "" || i == 0 && len(part) > 0:
			if i == 0 {
				own++
			}
		case n > wideCell:
			end()
			p.out.Put(strings.TrimPrefix(head(i)+": "+c, ": "), 0, number)
		default:
			if size+n > widePart {
				end()
			}
			heads, part, size, own = append(heads, head(i)), append(part, c), size+n, own+1
		}
	}
	end()
}
