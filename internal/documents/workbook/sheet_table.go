package workbook

import (
	"slices"
	"strings"
	"unicode"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
)

// sheetTable are rows of a sheet that follow each other, in the columns that they use.
type sheetTable struct {
	sheet   *sheet
	rows    []sheetRow
	columns []int
}

// resolve leaves out what is in the colour of what is behind it, and repeats the words of merged cells in each cell
// that they cover, as in other files. A row of one merged cell stays one.
func (s *sheet) resolve() {
	for i := range s.rows {
		r := &s.rows[i]
		r.cells = slices.DeleteFunc(r.cells, func(c sheetCell) bool {
			if !c.white || s.paintedAll || inRanges(s.painted, r.number, c.column) || inRanges(s.lists, r.number, c.column) {
				return false
			}
			s.left = append(s.left, sheetLeft{row: r.number, kind: ledger.Hidden, how: ledger.SameColor, text: c.text})
			return true
		})
		slices.SortStableFunc(r.cells, func(a, b sheetCell) int { return a.column - b.column })
		r.own = len(r.cells)
	}
	s.rows = slices.DeleteFunc(s.rows, func(r sheetRow) bool { return len(r.cells) == 0 })
	slices.SortStableFunc(s.left, func(a, b sheetLeft) int { return a.row - b.row })
	for _, m := range s.merged {
		s.fill(m)
	}
}

func inRanges(list []cellRange, row, column int) bool {
	return slices.ContainsFunc(list, func(r cellRange) bool { return r.has(row, column) })
}

// fill repeats the words of a merged cell.
func (s *sheet) fill(m cellRange) {
	first := s.rowIndex(m.row)
	if first == len(s.rows) || s.rows[first].number != m.row {
		return
	}
	cell, ok := s.rows[first].at(m.column)
	if !ok {
		return
	}
	for i := first; i < len(s.rows) && s.rows[i].number <= m.lastRow && s.step(); i++ {
		r := &s.rows[i]
		if i == first && r.own == 1 { // a title
			continue
		}
		for column := m.column; column <= min(m.lastColumn, m.column+block.MostSpan) && s.step(); column++ {
			if _, there := r.at(column); there {
				continue
			}
			c := *cell
			if c.column, c.text = column, s.out.Repeated(c.text); c.text == "" || s.out.Over != nil {
				return
			}
			s.out.CountCell()
			at, _ := r.index(column)
			r.cells = slices.Insert(r.cells, at, c)
		}
	}
}

// rowIndex returns the index of the first row that is not above a number.
func (s *sheet) rowIndex(number int) int {
	i, _ := slices.BinarySearchFunc(s.rows, number, func(r sheetRow, n int) int { return r.number - n })
	return i
}

func (r *sheetRow) index(column int) (int, bool) {
	return slices.BinarySearchFunc(r.cells, column, func(c sheetCell, n int) int { return c.column - n })
}

func (r *sheetRow) at(column int) (*sheetCell, bool) {
	i, ok := r.index(column)
	if !ok {
		return nil, false
	}
	return &r.cells[i], true
}

// tables cuts a sheet where rows are empty, and where a column is empty between two tables that have heads of their
// own.
func (s *sheet) tables() []sheetTable {
	var out []sheetTable
	for from := 0; from < len(s.rows); {
		end := from + 1
		for end < len(s.rows) && (s.follows(s.rows[end-1].number, s.rows[end].number) ||
			end == from+1 && s.rows[from].headsOf(&s.rows[end])) {
			end++
		}
		out = append(out, newSheetTable(s, s.rows[from:end]).sideBySide()...)
		from = end
	}
	return out
}

// headsOf reports whether a row alone may name the columns of another one below an empty row.
func (r *sheetRow) headsOf(below *sheetRow) bool {
	return r.own > 1 && below.own > 1 && !slices.ContainsFunc(r.cells, func(c sheetCell) bool { return c.figure }) &&
		!slices.ContainsFunc(below.cells, func(c sheetCell) bool {
			_, ok := r.at(c.column)
			return !ok
		})
}

// follows reports whether no empty row that a reader sees is between two rows.
func (s *sheet) follows(above, below int) bool {
	for n := above + 1; n < below; n++ {
		if !s.hidden[n] {
			return false
		}
	}
	return true
}

func newSheetTable(s *sheet, rows []sheetRow) sheetTable {
	t := sheetTable{sheet: s, rows: rows}
	used := map[int]bool{}
	for i := range rows {
		for _, c := range rows[i].cells {
			if !used[c.column] {
				used[c.column] = true
				t.columns = append(t.columns, c.column)
			}
		}
	}
	slices.Sort(t.columns)
	return t
}

// sideBySide cuts a table at its empty columns, if each part has two columns, two rows and heads.
func (t sheetTable) sideBySide() []sheetTable {
	var parts []sheetTable
	for from := 0; from < len(t.columns); {
		end := from + 1
		for end < len(t.columns) && t.columns[end] == t.columns[end-1]+1 {
			end++
		}
		parts = append(parts, t.part(t.columns[from], t.columns[end-1]))
		from = end
	}
	if len(parts) < 2 || len(parts) > mostBeside || slices.ContainsFunc(parts, func(p sheetTable) bool {
		titles := p.titles()
		p.rows = p.rows[titles:]
		return len(p.columns) < 2 || len(p.rows) < 2 || p.heads() == 0
	}) {
		return []sheetTable{t}
	}
	return parts
}

// mostBeside is how many tables side by side are looked for.
const mostBeside = 20

// part returns the table's cells from one column to another.
func (t *sheetTable) part(from, to int) sheetTable {
	var rows []sheetRow
	for i := range t.rows {
		r := sheetRow{number: t.rows[i].number}
		for _, c := range t.rows[i].cells {
			if c.column >= from && c.column <= to {
				r.cells = append(r.cells, c)
			}
		}
		if r.own = len(r.cells); r.own > 0 {
			rows = append(rows, r)
		}
	}
	return newSheetTable(t.sheet, rows)
}

// titles counts the rows above a table that have one cell only.
func (t *sheetTable) titles() int {
	n := 0
	for n < len(t.rows)-1 && t.rows[n].own == 1 && len(t.rows[n].cells) == 1 {
		n++
	}
	return n
}

// line returns the words of a row, "" where a column has none.
func (t *sheetTable) line(r *sheetRow) []string {
	out := make([]string, len(t.columns))
	k := 0
	for _, c := range r.cells {
		for k < len(t.columns) && t.columns[k] < c.column {
			k++
		}
		if k < len(t.columns) && t.columns[k] == c.column {
			out[k] = c.text
		}
	}
	return out
}

// mostHeadRows is how many rows may name the columns together.
const mostHeadRows = 4

// heads counts the rows that name the columns: as the file says, else those in bold above others, else as it seems.
func (t *sheetTable) heads() int {
	if n := t.statedHeads(); n > 0 {
		return n
	}
	return t.likelyHeads()
}

// statedHeads counts the rows that the file marks as heads: by a named table, by buttons to filter with, as those that
// stay in view, or by bold letters.
func (t *sheetTable) statedHeads() int {
	first := t.rows[0].number
	last := t.rows[len(t.rows)-1].number
	above := func(row int) int {
		n := 0
		for n < len(t.rows) && t.rows[n].number <= row {
			n++
		}
		return n
	}
	for _, r := range append(slices.Clone(t.sheet.lists), t.sheet.filter) {
		if r.row >= first && r.row < last && r.column <= t.columns[len(t.columns)-1] && r.lastColumn >= t.columns[0] {
			if n := above(r.row); n <= mostHeadRows {
				return n
			}
		}
	}
	if n := t.boldHeads(); n > 0 {
		return n
	}
	if t.sheet.frozen >= first && t.sheet.frozen < last {
		if n := above(t.sheet.frozen); n <= mostHeadRows {
			return n
		}
	}
	return 0
}

// boldHeads counts the first rows that are bold as a whole, if those below them are not.
func (t *sheetTable) boldHeads() int {
	bold := func(r *sheetRow) bool {
		return !slices.ContainsFunc(r.cells, func(c sheetCell) bool { return !c.bold })
	}
	n := 0
	for n < len(t.rows) && len(t.rows[n].cells) > 1 && bold(&t.rows[n]) {
		n++
	}
	if n == len(t.rows) || n > mostHeadRows {
		return 0
	}
	figure := func(c sheetCell) bool { return c.figure && !block.IsYear(c.text) }
	for n > 1 && slices.ContainsFunc(t.rows[n-1].cells, figure) {
		n-- // a first row of totals
	}
	return n
}

// likelyHeads guesses how many rows name the columns, as in other files. Rows of two columns with figures and words
// below each other are the fields of a form, and a name that is there again below is no name of a column.
func (t *sheetTable) likelyHeads() int {
	looked := t.rows[:min(len(t.rows), lookedAt)]
	named := sheetTable{sheet: t.sheet} // a column without a name may be there too
	for _, c := range looked[0].cells {
		named.columns = append(named.columns, c.column)
	}
	if 2*len(named.columns) < len(t.columns) {
		return 0
	}
	rows := make([]block.GridRow, len(looked))
	for i := range looked {
		r := &looked[i]
		rows[i] = block.GridRow{Cells: named.line(r), Parts: r.own < len(r.cells)}
	}
	n := block.HeadRows(rows)
	if n == 0 && namesFields(rows) {
		n = 1
	}
	if n == 0 || len(rows) <= n {
		return 0
	}
	if slices.ContainsFunc(looked[0].cells, func(c sheetCell) bool { return c.figure && !block.IsYear(c.text) }) {
		return 0
	}
	if block.NameFigures(rows) {
		return n
	}
	figures, others := 0, 0
	for i := n; i < len(looked); i++ {
		r := &looked[i]
		for k, c := range rows[i].Cells {
			if c != "" && c == rows[0].Cells[k] {
				return 0
			}
		}
		switch c, ok := r.at(t.columns[len(t.columns)-1]); {
		case !ok:
		case c.figure:
			figures++
		default:
			others++
		}
	}
	if len(t.columns) == 2 && figures > 0 && others > 0 {
		return 0
	}
	return n
}

// namesFields guesses whether the first of several rows has names with digits, such as "address1": its cells are short,
// none is empty or there twice, and none is a figure.
func namesFields(rows []block.GridRow) bool {
	seen := map[string]bool{}
	for _, c := range rows[0].Cells {
		if c == "" || seen[c] || len(strings.Fields(c)) > block.ColumnWords || strings.HasSuffix(c, ".") ||
			block.IsFigure(c) ||
			!strings.ContainsFunc(c, unicode.IsLetter) {
			return false
		}
		seen[c] = true
	}
	return len(rows) > 2
}

// lookedAt is how many rows are looked at to find the heads.
const lookedAt = 50

func (t *sheetTable) hasFigures() bool {
	return slices.ContainsFunc(t.rows, func(r sheetRow) bool {
		return slices.ContainsFunc(r.cells, func(c sheetCell) bool { return c.figure })
	})
}
