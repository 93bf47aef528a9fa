package pdftext

import (
	"cmp"
	"math"
	"slices"
)

// A table may be drawn column by column. Where a column of figures stands beside other words, line by line, its figures
// are read with them.

// What makes a column of figures.
const (
	fewestFigures = 4    // lines
	sameBaseline  = 0.12 // how much the baselines of a row differ, in units of the font size
	figureShare   = 0.6  // of its lines have figures
	besideShare   = 0.8  // of its lines stand beside others
	figureLength  = 24   // letters of a figure, on average
)

// stretchOf is where a row is.
type stretchOf struct {
	left, right, y, size float64
	letters              int
	figure               bool
}

func placeOf(v *visual) stretchOf {
	s := stretchOf{left: math.Inf(1), right: math.Inf(-1), y: v.glyphs[0].y, size: v.glyphs[0].size}
	for i := range v.glyphs {
		if g := &v.glyphs[i]; classOf(g.text) != space {
			s.letters++
			s.left, s.right = min(s.left, g.x), max(s.right, g.x+g.w)
			s.figure = s.figure || classOf(g.text) == digit
		}
	}
	return s
}

// acrossColumns joins the rows of columns of figures with what stands beside them. All others keep their order.
func acrossColumns(rows []visual) []visual {
	if len(rows) < 2*fewestFigures {
		return rows
	}
	at := make([]stretchOf, len(rows))
	byLine := make([]int, 0, len(rows))
	for i := range rows {
		if at[i] = placeOf(&rows[i]); rows[i].turn == 0 && rows[i].glyphs[0].table == 0 && at[i].left <= at[i].right {
			byLine = append(byLine, i)
		}
	}
	slices.SortStableFunc(byLine, func(a, b int) int { return cmp.Compare(at[a].y, at[b].y) })
	beside := func(i int) (out []int) {
		near := sameBaseline * at[i].size
		k, _ := slices.BinarySearchFunc(byLine, at[i].y-near, func(j int, y float64) int { return cmp.Compare(at[j].y, y) })
		for ; k < len(byLine) && at[byLine[k]].y <= at[i].y+near && len(out) < mostSpaces; k++ {
			if j := byLine[k]; j != i && (at[j].right < at[i].left || at[j].left > at[i].right) {
				out = append(out, j)
			}
		}
		return out
	}
	into := newJoinedRows(len(rows))
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && below(&rows[to-1], &rows[to], &at[to-1], &at[to]) {
			to++
		}
		figures, glyphs, accompanied := 0, 0, 0
		for i := from; i < to; i++ {
			glyphs += at[i].letters
			if at[i].figure {
				figures++
			}
			if len(beside(i)) > 0 {
				accompanied++
			}
		}
		if n := float64(to - from); to-from >= fewestFigures && float64(figures) >= figureShare*n &&
			float64(accompanied) >= besideShare*n && glyphs <= figureLength*(to-from) {
			for i := from; i < to; i++ {
				for _, j := range beside(i) {
					into.join(i, j)
				}
			}
		}
		from = to
	}
	return into.merge(rows)
}

// joinedRows has the row that each is read in, by index.
type joinedRows []int

func newJoinedRows(n int) joinedRows {
	into := make(joinedRows, n)
	for i := range into {
		into[i] = i
	}
	return into
}

func (into joinedRows) root(i int) int {
	for into[i] != i {
		i = into[i]
	}
	return i
}

// join has two rows read in the first of them.
func (into joinedRows) join(i, j int) {
	a, b := into.root(i), into.root(j)
	into[max(a, b)] = min(a, b)
}

// merge moves the glyphs of rows to where they are read. Rows without any go.
func (into joinedRows) merge(rows []visual) []visual {
	for i := range rows {
		if r := into.root(i); r != i {
			rows[r].glyphs = append(rows[r].glyphs, rows[i].glyphs...)
			rows[i].glyphs = nil
		}
	}
	return slices.DeleteFunc(rows, func(v visual) bool { return len(v.glyphs) == 0 })
}

// below reports whether a row continues a column directly below another.
func below(a, b *visual, at, under *stretchOf) bool {
	return a.turn == 0 && b.turn == 0 && under.y < at.y-0.5*at.size && at.y-under.y < tallRow*at.size &&
		at.left < under.right && under.left < at.right
}
