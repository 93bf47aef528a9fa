package pdftext

import (
	"cmp"
	"math"
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

// Cells of a table may stand as close as words. What tells them apart then is where the columns of its other rows are.

// Distances that tell the cells of a row apart, in units of the font size or as a share.
const (
	atEdge    = 0.35 // how far from an edge or the middle of its column a cell begins, ends or is centred
	closeGap  = 0.3  // a gap this wide may part two cells, if a column's edge is there
	widerThan = 1.05 // how much wider a gap between cells is than those between words
)

// apartIn returns lines with the parts that cover several columns taken apart: where the wider gaps are at edges of
// these columns, and figures if there is one for each column, as under heads that stand close.
func apartIn(columns [][2]float64, lines []line) []line {
	out := slices.Clone(lines)
	for i := range out {
		var parts []part
		for _, p := range out[i].parts {
			first, last := covered(columns, p.ends)
			if first < 0 || first == last {
				parts = append(parts, p)
				continue
			}
			if cells := out[i].cut(p, last-first+1); cells != nil && allIn(columns, first, cells, out[i].size) {
				parts = append(parts, cells...)
				continue
			}
			words := strings.Fields(string(p.text))
			if len(words) != last-first+1 || !allFigures(words) {
				parts = append(parts, p)
				continue
			}
			for k, w := range words {
				parts = append(parts, part{text: []rune(w), ends: columns[first+k], wide: true})
			}
		}
		out[i].parts = parts
	}
	return out
}

func allFigures(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return strings.IndexFunc(w, unicode.IsDigit) < 0 })
}

// cut returns n parts of a part, parted by its widest gaps; nil if these are not wider than the others.
func (l *line) cut(p part, n int) []part {
	var words []extents
	for _, w := range l.words {
		if float64(w[1]) > p.ends[0] && float64(w[0]) < p.ends[1] {
			words = append(words, w)
		}
	}
	texts := strings.Fields(string(p.text))
	if len(words) != len(texts) || len(words) < n || n < 2 {
		return nil
	}
	gap := func(i int) float64 { return float64(words[i+1][0] - words[i][1]) } // after word i
	order := make([]int, len(words)-1)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(gap(b), gap(a)) })
	if gap(order[n-2]) < closeGap*l.size || n-1 < len(order) && gap(order[n-2]) < widerThan*gap(order[n-1]) {
		return nil
	}
	ends := append(slices.Clone(order[:n-1]), len(words)-1)
	slices.Sort(ends)
	out := make([]part, 0, n)
	from := 0
	for _, end := range ends {
		out = append(out, part{text: []rune(strings.Join(texts[from:end+1], " ")),
			ends: [2]float64{float64(words[from][0]), float64(words[end][1])}, wide: true})
		from = end + 1
	}
	return out
}

// allIn reports whether each part is in a column of its own, from one on: it touches no other one, or it is at an edge
// or in the middle of it.
func allIn(columns [][2]float64, from int, parts []part, size float64) bool {
	for k := range parts {
		first, last := covered(columns, parts[k].ends)
		if (first != from+k || last != from+k) && !isAt(columns[from+k], parts[k].ends, size) {
			return false
		}
	}
	return true
}

func isAt(column, ends [2]float64, size float64) bool {
	far := min(math.Abs(ends[0]-column[0]), math.Abs(ends[1]-column[1]),
		math.Abs(ends[0]+ends[1]-column[0]-column[1])/2)
	return far <= atEdge*size
}

// closeHead returns the line above a table with a part for each column, if it has a word or words for each.
func closeHead(columns [][2]float64, l line) (line, bool) {
	if len(l.parts) > 0 {
		return l, false
	}
	l.parts = l.cut(part{text: l.text, ends: l.ends}, len(columns))
	return l, l.parts != nil && allIn(columns, 0, l.parts, l.size)
}

// closeRow returns a line below the rows of a table with its cells apart: each part is in a column, or it is a name
// with a figure behind it that is at an edge of a column, such as the sum of an invoice.
func closeRow(columns [][2]float64, l line) (line, bool) {
	if len(l.parts) > 1 {
		l = apartIn(columns, []line{l})[0]
		return l, inColumns(columns, &l)
	}
	whole := part{text: l.text, ends: l.ends}
	for n := len(columns); n > 2; n-- {
		if parts := l.cut(whole, n); parts != nil {
			if l.parts = parts; inColumns(columns, &l) {
				return l, true
			}
		}
	}
	parts := l.cut(whole, 2)
	if parts == nil || !isSum(string(parts[1].text)) {
		return l, false
	}
	first, last := covered(columns, parts[1].ends)
	if first < 1 || first != last || !isAt(columns[first], parts[1].ends, l.size) ||
		parts[0].ends[1] > columns[first][0] || parts[0].ends[0] < columns[0][0]-l.size {
		return l, false
	}
	if from, to := covered(columns, parts[0].ends); from < to { // a name may be wider than the column that it is in
		parts[0].ends[0] = max(parts[0].ends[0], columns[to][0])
	}
	l.parts = parts
	return l, true
}

// isSum reports whether a cell is a figure, perhaps with a unit.
func isSum(s string) bool {
	words := strings.Fields(s)
	return len(words) < 3 && strings.IndexFunc(words[0]+words[len(words)-1], unicode.IsDigit) >= 0
}

// sums reports whether two lines are sums below each other: short, with figures that end at the same place and names
// that begin at different ones.
func sums(a, b *line) bool {
	short := func(l *line) bool {
		words := strings.Fields(string(l.text))
		return len(words) > 1 && len(words) < 8 && isSum(words[len(words)-1])
	}
	return a.right == b.right && math.Abs(a.ends[1]-b.ends[1]) <= atEdge*b.size &&
		math.Abs(a.ends[0]-b.ends[0]) > atEdge*b.size && short(a) && short(b)
}
