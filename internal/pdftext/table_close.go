package pdftext

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

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
