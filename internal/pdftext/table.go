package pdftext

import (
	"cmp"
	"slices"
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
		for to < len(lines) && lines[to].cells > 1 && (to == from || follows(&lines[to-1], &lines[to])) {
			to++
		}
		if to-from < 2 {
			from = max(to, from+1)
			continue
		}
		if columns := tableColumns(lines[from:to]); len(columns) > 1 {
			*tables++
			for i := from; i < to; i++ {
				out[i] = tableRow{*tables, cellsIn(columns, &lines[i])}
			}
		}
		from = to
	}
	return out
}

// follows reports whether line b may be the next row after a.
func follows(a, b *line) bool {
	d := a.y - b.y
	return a.turn == b.turn && d > 0.5*b.size && d < tallRow*b.size
}

// tableColumns returns where the columns are: what the words of the lines with most cells cover together. None are, if
// the words of two cells of one line are in the same column.
func tableColumns(lines []line) [][2]float64 {
	most := 0
	for i := range lines {
		most = max(most, lines[i].cells)
	}
	var all [][2]float64
	for i := range lines {
		if lines[i].cells == most {
			for _, p := range lines[i].parts {
				all = append(all, p.ends)
			}
		}
	}
	slices.SortFunc(all, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	var out [][2]float64
	for _, e := range all {
		if n := len(out); n > 0 && e[0] <= out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], e[1])
			continue
		}
		out = append(out, e)
	}
	if len(out) != most {
		return numberedColumns(lines, most)
	}
	return out
}

// numberedColumns returns where the columns are if every line has all of them: what cells of the same number cover, as
// with heads at the one side of a column and figures at the other.
func numberedColumns(lines []line, most int) [][2]float64 {
	out := make([][2]float64, most)
	for i := range lines {
		if lines[i].cells != most {
			return nil
		}
		for k, p := range lines[i].parts {
			if i == 0 {
				out[k] = p.ends
			}
			out[k] = [2]float64{min(out[k][0], p.ends[0]), max(out[k][1], p.ends[1])}
		}
	}
	for k := 1; k < most; k++ {
		if out[k][0] <= out[k-1][1] {
			return nil
		}
	}
	return out
}

// cellsIn puts the parts of a line into columns. A part without a column of its own is in the nearest.
func cellsIn(columns [][2]float64, l *line) []Cell {
	var out []Cell
	next := 0
	for _, p := range l.parts {
		first, last := -1, -1
		for k := next; k < len(columns); k++ {
			if p.ends[0] <= columns[k][1] && columns[k][0] <= p.ends[1] {
				if first < 0 {
					first = k
				}
				last = k
			}
		}
		if first < 0 {
			for first = next; first+1 < len(columns) && columns[first+1][0] <= p.ends[0]; first++ {
			}
			last = first
		}
		if first >= len(columns) { // more words than columns
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
