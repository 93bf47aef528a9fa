package pdftext

import (
	"math"
	"slices"
	"unicode"
)

// In a table without rules a cell may have several lines. A page draws one cell after the other, so that the lines of a
// row do not follow each other.

// What makes lines a row, in units of the font size unless it says otherwise.
const (
	aligned     = 0.5
	rowLines    = 8   // how many lines may stand between the first cell of a row and the next one
	rowsNear    = 14  // how far off a row stands that says where the columns are, in lines
	longPiece   = 40  // letters on a line of a cell that stands behind others
	closeLines  = 2.0 // the greatest distance of lines within a cell
	withinShare = 0.85
)

// unwrapped returns lines with each row of a table on one line: the cells that were drawn later are put behind the
// first one, and the further lines of a cell to its first.
func unwrapped(lines []line) []line {
	if !slices.ContainsFunc(lines, func(l line) bool { return len(l.parts) > 1 }) {
		return lines
	}
	return continued(besideEachOther(lines))
}

// pieces returns the parts of a line, which has one if it is one stretch.
func (l *line) pieces() []part {
	if len(l.parts) > 0 {
		return l.parts
	}
	return []part{{text: l.text, ends: l.ends}}
}

// inTable reports whether a line may be of a table without rules.
func (l *line) inTable() bool { return l.turn == 0 && l.lattice == 0 }

// besideEachOther joins lines on one baseline that stand in different columns of a row above.
func besideEachOther(lines []line) (out []line) {
	for i, l := range lines {
		if n := len(out); n > 0 && out[n-1].right && !l.right && !slices.ContainsFunc(l.text, unicode.IsLetter) {
			l = l.reversed() // figures in a table that is read from the right
		}
		if at := rowOf(out, &l, lines[i+1:]); at >= 0 {
			out[at].behind(&l)
			continue
		}
		out = append(out, l)
	}
	return out
}

// rowOf returns which of the lines, by index, begins the row that l goes on with, -1 if none. after are the lines that
// follow.
func rowOf(lines []line, l *line, after []line) int {
	long := func(p part) bool { return len(p.text) > longPiece }
	if !l.inTable() || slices.ContainsFunc(l.pieces(), long) {
		return -1
	}
	for i := len(lines) - 1; i >= max(0, len(lines)-rowLines); i-- {
		a := &lines[i]
		if !a.inTable() || a.right != l.right {
			return -1
		}
		if math.Abs(a.y-l.y) <= sameBaseline*l.size && l.ends[0] > a.ends[1] {
			parts := slices.Concat(a.pieces(), l.pieces())
			near := slices.Concat(lines[max(0, i-rowsNear):i], after[:min(len(after), rowsNear)])
			isRow := func(head line) bool {
				return head.inTable() && len(head.parts) > 1 && head.right == a.right &&
					columnsFor(&head, parts) != nil
			}
			if slices.ContainsFunc(near, isRow) {
				return i
			}
			return -1
		}
		if a.y > l.y || a.ends[1] >= l.ends[0] {
			return -1
		}
	}
	return -1
}

// columnsFor returns which parts of a row parts stand under, nil if one has none of its own.
func columnsFor(row *line, parts []part) (out []int) {
	for _, p := range parts {
		at := slices.IndexFunc(row.pieces(), func(q part) bool { return p.under(&q, row.size) })
		if at < 0 || len(out) > 0 && out[len(out)-1] >= at {
			return nil
		}
		out = append(out, at)
	}
	return out
}

// under reports whether a part stands in the column of another: at its start, its end or its middle.
func (p *part) under(q *part, size float64) bool {
	near := aligned * size
	return math.Abs(p.ends[0]-q.ends[0]) <= near || math.Abs(p.ends[1]-q.ends[1]) <= near ||
		math.Abs(p.ends[0]+p.ends[1]-q.ends[0]-q.ends[1]) <= 2*near
}

// behind puts the cells of another line behind those of l.
func (l *line) behind(o *line) {
	parts := slices.Clone(l.pieces())
	parts[len(parts)-1].wide = true
	l.parts = append(parts, o.pieces()...)
	l.cells += o.cells
	l.ends[1] = o.ends[1]
	l.text = textOfParts(l.parts)
}

func textOfParts(parts []part) (out []rune) {
	for i, p := range parts {
		if i > 0 {
			out = append(out, ' ')
		}
		out = append(out, p.text...)
	}
	return out
}

// continued adds lines that go on with cells of the row above to that.
func continued(lines []line) (out []line) {
	last := 0.0           // the baseline of the last line of the row
	before := math.Inf(1) // how far below the row before it the row begins
	for i := range lines {
		l := &lines[i]
		if n := len(out); n > 0 {
			if columns := goesOnIn(&out[n-1], l, last, before, lines[i+1:]); columns != nil {
				row := &out[n-1]
				row.parts = slices.Clone(row.parts)
				for k, p := range l.pieces() {
					cell := &row.parts[columns[k]]
					cell.text = slices.Concat(cell.text, []rune{' '}, p.text)
					cell.ends = [2]float64{min(cell.ends[0], p.ends[0]), max(cell.ends[1], p.ends[1])}
				}
				row.text = textOfParts(row.parts)
				last, row.tall = l.y, row.y-l.y
				continue
			}
		}
		before = math.Inf(1)
		if n := len(out); n > 0 && len(out[n-1].parts) > 1 { // a row, and no paragraph above a table
			before = last - l.y
		}
		out, last = append(out, *l), l.y
	}
	return out
}

// goesOnIn returns the columns of a row, whose last baseline is given, that a line goes on with, nil if it is another
// row: lines within a cell stand closer than rows, of which the distance before is given. Where they don't, a line that
// begins within a sentence goes on.
func goesOnIn(row, l *line, last, before float64, next []line) []int {
	d := last - l.y
	if !row.inTable() || !l.inTable() || len(row.parts) < 2 || row.right != l.right ||
		len(l.pieces()) >= len(row.parts) || math.Abs(row.size-l.size) > 0.08*row.size || d < 0.5*l.size || d > closeLines*l.size {
		return nil
	}
	columns := columnsFor(row, l.pieces())
	if columns == nil {
		return nil
	}
	gap := 0.0
	if before < tallRow*l.size {
		gap = before
	}
	end := l.y
	for k := range next[:min(len(next), rowLines)] { // the next row
		n := &next[k]
		if !n.inTable() || columnsFor(row, n.pieces()) == nil {
			break
		}
		if after := end - n.y; len(n.pieces()) >= len(row.parts) {
			if after < tallRow*l.size {
				gap = max(gap, after)
			}
			break
		}
		end = n.y
	}
	first := l.pieces()[0].text
	within := len(l.pieces()) == 1 && len(first) > 0 && unicode.IsLower(first[0]) && row.parts[columns[0]].isWide(row)
	if d <= withinShare*gap || within {
		return columns
	}
	return nil
}

// isWide reports whether a cell has more than a word, so that it may have been too wide for its column.
func (p *part) isWide(row *line) bool {
	return slices.Contains(p.text, ' ') && p.ends[1]-p.ends[0] > 4*row.size
}
