package pdftext

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// tableRow is a line that may be a row of a table.
type tableRow struct {
	table int
	cells []Cell
}

// tallRow is the greatest distance between the baselines of two rows, in units of the font size.
const tallRow = 4.5

// tableRows finds the lines that have their words in common columns, by index. tables counts the tables of the file.
func tableRows(lines []line, tables *int) map[int]tableRow {
	out := map[int]tableRow{}
	for from := 0; from < len(lines); {
		to := from
		if k := lines[from].lattice; k > 0 {
			for *tables++; to < len(lines) && lines[to].lattice == k; to++ {
				out[to] = tableRow{*tables, lines[to].row}
			}
			from = to
			continue
		}
		for to < len(lines) && len(lines[to].parts) > 1 && (to == from || follows(&lines[to-1], &lines[to])) {
			to++
		}
		if to-from < 2 {
			from = max(to, from+1)
			continue
		}
		block := oneWay(lines[from:to])
		columns := tableColumns(block)
		block = apartIn(columns, block)
		first, last := 0, len(block)
		for first < last && !inColumns(columns, &block[first]) {
			first++
		}
		for first < last && !inColumns(columns, &block[last-1]) {
			last--
		}
		if last-first > 1 && len(columns) > 1 && isTable(block[first:last]) {
			*tables++
			if from+first > 0 && first == 0 && out[from-1].table == 0 && follows(&lines[from-1], &lines[from]) {
				if head, ok := closeHead(columns, lines[from-1].toward(block[0].right)); ok {
					out[from-1] = tableRow{*tables, cellsIn(columns, &head)}
				}
			}
			for i := first; i < last; i++ {
				out[from+i] = tableRow{*tables, cellsIn(columns, &block[i])}
			}
			for last == len(block) && to < len(lines) && lines[to].lattice == 0 && follows(&lines[to-1], &lines[to]) {
				row, ok := closeRow(columns, lines[to].toward(block[0].right))
				if !ok {
					break
				}
				out[to] = tableRow{*tables, cellsIn(columns, &row)}
				to++
			}
		}
		from = to
	}
	return out
}

// follows reports whether line b may be the next row after a.
func follows(a, b *line) bool {
	d := a.y - a.tall - b.y
	return a.turn == b.turn && d > 0.5*b.size && d < tallRow*b.size
}

// oneWay returns lines with their parts in one reading direction: a row of figures only is read as those beside it.
func oneWay(lines []line) []line {
	rights := 0
	for i := range lines {
		if lines[i].right {
			rights++
		}
	}
	if rights == 0 || rights == len(lines) {
		return lines
	}
	right := 2*rights >= len(lines)
	out := slices.Clone(lines)
	for i := range out {
		if out[i].right != right {
			out[i] = out[i].reversed()
		}
	}
	return out
}

// toward returns a line with its parts in the reading direction of a table.
func (l line) toward(right bool) line {
	if l.right == right {
		return l
	}
	return l.reversed()
}

// reversed returns a line with its parts in the other reading direction.
func (l line) reversed() line {
	n := len(l.parts)
	turned := make([]part, n)
	for k, p := range l.parts {
		p.ends = [2]float64{-p.ends[1], -p.ends[0]}
		if p.wide = false; k > 0 {
			p.wide = l.parts[k-1].wide
		}
		turned[n-1-k] = p
	}
	if l.right = !l.right; n > 0 {
		l.parts = turned
	}
	l.ends = [2]float64{-l.ends[1], -l.ends[0]}
	words := make([]extents, len(l.words))
	for k, w := range l.words {
		words[len(words)-1-k] = extents{-w[1], -w[0]}
	}
	l.words = words
	return l
}

// isTable reports whether lines that have common columns are the rows of a table and no text set wide: a wide gap or a
// rule parts cells, or most cells beside the first of a row are figures.
func isTable(lines []line) bool {
	wide, figures, cells := 0, 0, 0
	for i := range lines {
		if lines[i].cells > 1 {
			wide++
		}
		for _, p := range lines[i].parts[1:] {
			if cells++; strings.IndexFunc(string(p.text), unicode.IsDigit) >= 0 {
				figures++
			}
		}
	}
	return 2*wide >= len(lines) || 2*figures > cells && len(lines) > 2
}

// tableColumns returns where the columns are: what the cells of the lines with most of them cover together. Lines with
// more than those of most others do not count, where the cells of one are in the same column.
func tableColumns(lines []line) [][2]float64 {
	counts := map[int]int{}
	most := 0
	for i := range lines {
		n := len(lines[i].parts)
		counts[n]++
		most = max(most, n)
	}
	for n := most; n > 1; n-- {
		if counts[n] == 0 || n < most && counts[n] < 2 {
			continue
		}
		if out := columnsOf(lines, n); out != nil {
			return out
		}
	}
	return nil
}

// columnsOf returns what the parts of the lines with n parts cover, nil if these are not n columns.
func columnsOf(lines []line, n int) [][2]float64 {
	var all [][2]float64
	for i := range lines {
		if len(lines[i].parts) == n {
			for _, p := range lines[i].parts {
				all = append(all, p.ends)
			}
		}
	}
	slices.SortFunc(all, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	var out [][2]float64
	for _, e := range all {
		if k := len(out); k > 0 && e[0] <= out[k-1][1] {
			out[k-1][1] = max(out[k-1][1], e[1])
			continue
		}
		out = append(out, e)
	}
	if len(out) != n {
		return numberedColumns(lines, n)
	}
	return out
}

// numberedColumns returns where the columns are if most lines have all of them: what cells of the same number cover, as
// with heads at the one side of a column, or in its middle, and figures at the other.
func numberedColumns(lines []line, most int) [][2]float64 {
	out := make([][2]float64, most)
	whole := 0
	for i := range lines {
		if len(lines[i].parts) != most {
			continue
		}
		for k, p := range lines[i].parts {
			if whole == 0 {
				out[k] = p.ends
			}
			out[k] = [2]float64{min(out[k][0], p.ends[0]), max(out[k][1], p.ends[1])}
		}
		whole++
	}
	if 2*whole < len(lines) {
		return nil
	}
	for k := 1; k < most; k++ {
		if out[k][0] <= out[k-1][1] {
			return nil
		}
	}
	return out
}

// inColumns reports whether a line is a row of these columns: its cells are known, or each part has a column of its
// own.
func inColumns(columns [][2]float64, l *line) bool {
	if l.cells > 1 {
		return true
	}
	before := -1
	for _, p := range l.parts {
		first, last := covered(columns, p.ends)
		if first < 0 || first != last || first == before {
			return false
		}
		before = first
	}
	return true
}

// covered returns the first and the last column that words touch, -1 if none.
func covered(columns [][2]float64, ends [2]float64) (first, last int) {
	first, last = -1, -1
	for k, c := range columns {
		if ends[0] <= c[1] && c[0] <= ends[1] {
			if first < 0 {
				first = k
			}
			last = k
		}
	}
	return first, last
}

// cellsIn puts the parts of a line into columns. A part without a column of its own is in the nearest.
func cellsIn(columns [][2]float64, l *line) []Cell {
	var out []Cell
	next := 0
	for _, p := range l.parts {
		first, last := covered(columns, p.ends)
		if first < 0 {
			for first = next; first+1 < len(columns) && columns[first+1][0] <= p.ends[0]; first++ {
			}
			last = first
		}
		first = max(first, min(next, last))
		if first < next && len(out) > 0 || first >= len(columns) { // its column has words
			out[len(out)-1].Text += " " + string(p.text)
			continue
		}
		for ; next < first; next++ {
			out = append(out, Cell{Columns: 1})
		}
		out = append(out, Cell{Text: string(p.text), Columns: last - first + 1})
		next = last + 1
	}
	return out
}
