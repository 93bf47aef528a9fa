package pdftext

import (
	"cmp"
	"slices"
	"strings"
)

// A table between rules has its cells there: the words of a cell stay together, however many lines they have, and in
// whatever order the cells are drawn.

// What makes a table between rules.
const (
	ruleTouch   = 2.5       // points between rules that meet
	mostLattice = 4_000_000 // pairs of rules of a page that are looked at
	mostInTable = 20_000    // cells of a table
	// longRepeated are the bytes of a cell over several rows that is said in each of them
	longRepeated = 200
	plainShare   = 0.5 // of its places are cells of their own; a form has many over several
	longCell     = 300 // code points of a cell, on average; with more it is a page's frame
)

// lattice is a table between rules.
type lattice struct {
	xs, ys []float64 // where the columns part, from left to right, and the rows, from top to bottom
	owner  []int     // of each cell, the first cell of those that are one; negative where there is none
	first  int       // its first row, with those before it left out
	last   int       // the row behind its last one
	cells  [][]glyph
}

// at returns the cell at a place, -1 if it is outside.
func (l *lattice) at(x, y float64) int {
	j, _ := slices.BinarySearch(l.xs, x)
	i, _ := slices.BinarySearchFunc(l.ys, y, func(a, b float64) int { return cmp.Compare(b, a) })
	if i <= l.first || i > l.last || j == 0 || j == len(l.xs) {
		return -1
	}
	return l.owner[(i-1)*(len(l.xs)-1)+j-1]
}

// lattices takes the glyphs of tables between rules out of a page's. For each a glyph stays in their place that names
// it.
func lattices(glyphs []glyph, drawn *rules, take func(int) bool) ([]glyph, []lattice) {
	var tables []lattice
	for _, group := range meeting(drawn, take) {
		if l, ok := newLattice(&group, take); ok {
			tables = append(tables, l)
		}
	}
	if len(tables) == 0 {
		return glyphs, nil
	}
	in := make([][2]int, len(glyphs)) // the table, from 1, and the cell of each glyph
	for i := range glyphs {
		g := &glyphs[i]
		if g.turn != 0 || !take(1+len(tables)/8) {
			continue
		}
		for k := range tables {
			if c := tables[k].at(g.x+g.w/2, g.y+0.3*g.size); c >= 0 {
				tables[k].cells[c] = append(tables[k].cells[c], *g)
				in[i] = [2]int{k + 1, c}
				break
			}
		}
	}
	keep := make([]bool, len(tables))
	for k := range tables {
		keep[k] = tables[k].isTable()
	}
	var out []glyph
	placed := make([]bool, len(tables))
	for i := range glyphs {
		k := in[i][0] - 1
		if k < 0 || !keep[k] {
			out = append(out, glyphs[i])
			continue
		}
		if l := &tables[k]; !placed[k] {
			placed[k] = true
			out = append(out, glyph{text: "\ufffc", x: l.xs[0], y: l.ys[0], w: l.xs[len(l.xs)-1] - l.xs[0], size: glyphs[i].size,
				table: k + 1})
		}
	}
	return out, tables
}

// meeting groups the rules that meet.
func meeting(r *rules, take func(int) bool) []rules {
	n, m := len(r.upright), len(r.level)
	if n < 3 || m < 3 || n*m > mostLattice || !take(n*m/16) {
		return nil
	}
	group := make([]int, n+m)
	for i := range group {
		group[i] = i
	}
	root := func(i int) int {
		for group[i] != i {
			group[i] = group[group[i]]
			i = group[i]
		}
		return i
	}
	for i, u := range r.upright {
		from, _ := slices.BinarySearchFunc(r.level, u.from-ruleTouch,
			func(a rule, v float64) int { return cmp.Compare(a.at, v) })
		for k := from; k < m && r.level[k].at <= u.to+ruleTouch; k++ {
			if l := &r.level[k]; l.from-ruleTouch <= u.at && u.at <= l.to+ruleTouch {
				group[root(i)] = root(n + k)
			}
		}
	}
	byRoot := map[int]int{}
	var out []rules
	for i := range group {
		at, ok := byRoot[root(i)]
		if !ok {
			at = len(out)
			byRoot[root(i)], out = at, append(out, rules{})
		}
		if i < n {
			out[at].upright = append(out[at].upright, r.upright[i])
		} else {
			out[at].level = append(out[at].level, r.level[i-n])
		}
	}
	return out
}

// placesOf returns where sorted rules stand, those that stand together as one.
func placesOf(list []rule) (out []float64) {
	for _, r := range list {
		if n := len(out); n == 0 || r.at > out[n-1]+ruleTouch {
			out = append(out, r.at)
		}
	}
	return out
}

// newLattice makes a table of rules that meet, if they are at least two rows and two columns. Where nothing is ruled at
// a side of it, its rules end there.
func newLattice(r *rules, take func(int) bool) (lattice, bool) {
	if len(r.upright) == 0 || len(r.level) == 0 {
		return lattice{}, false
	}
	left, right, bottom, top := reach(r)
	l := lattice{xs: withEnds(placesOf(r.upright), left, right), ys: withEnds(placesOf(r.level), bottom, top)}
	slices.Reverse(l.ys)
	columns, rows := len(l.xs)-1, len(l.ys)-1
	if columns < 2 || rows < 2 || columns*rows > mostInTable || !take(columns*rows*entrySteps) {
		return l, false
	}
	l.owner, l.cells = make([]int, columns*rows), make([][]glyph, columns*rows)
	for i := range l.owner {
		l.owner[i] = -1
	}
	g := frame{lattice: &l, rules: r}
	g.sides = [4]bool{g.upright(0, -1), g.upright(columns, -1), g.level(0, -1), g.level(rows, -1)}
	for i := range rows {
		for j := range columns {
			if l.owner[i*columns+j] == -1 {
				g.cell(i, j, columns, rows)
			}
		}
	}
	whole := func(i int) bool { return slices.Min(l.owner[i*columns:(i+1)*columns]) >= 0 }
	for l.last = rows; l.first < l.last && !whole(l.first); l.first++ {
	}
	for l.first < l.last && !whole(l.last-1) {
		l.last--
	}
	own, all := 0, (l.last-l.first)*columns
	for i := l.first * columns; i < l.last*columns; i++ {
		if l.owner[i] == i {
			own++
		}
	}
	return l, l.last-l.first > 1 && float64(own) >= plainShare*float64(all)
}

// reach returns how far rules go.
func reach(r *rules) (left, right, bottom, top float64) {
	box := nowhere
	for _, u := range r.upright {
		box = box.union(rect{u.at, u.from, u.at, u.to})
	}
	for _, v := range r.level {
		box = box.union(rect{v.from, v.at, v.to, v.at})
	}
	return box[0], box[2], box[1], box[3]
}

// withEnds returns sorted places with the first and the last one.
func withEnds(list []float64, first, last float64) []float64 {
	if list[0] > first+ruleTouch {
		list = append([]float64{first}, list...)
	}
	if list[len(list)-1] < last-ruleTouch {
		list = append(list, last)
	}
	return list
}

// frame finds the cells of a lattice.
type frame struct {
	*lattice
	*rules
	sides [4]bool // whether anything is ruled at its left, right, top and bottom
}

func middle(list []float64, i int) float64 { return (list[i] + list[i+1]) / 2 }

// upright reports whether there is a rule at the left of column x in a row, or in any if that is negative.
func (g *frame) upright(x, row int) bool {
	from, to := g.xs[x]-ruleTouch, g.xs[x]+ruleTouch
	if row >= 0 {
		return between(g.rules.upright, from, to, middle(g.ys, row))
	}
	return slices.ContainsFunc(g.rules.upright, func(r rule) bool { return r.at >= from && r.at <= to })
}

// level reports whether there is a rule above row y in a column, or in any if that is negative.
func (g *frame) level(y, column int) bool {
	from, to := g.ys[y]-ruleTouch, g.ys[y]+ruleTouch
	if column >= 0 {
		return between(g.rules.level, from, to, middle(g.xs, column))
	}
	return slices.ContainsFunc(g.rules.level, func(r rule) bool { return r.at >= from && r.at <= to })
}

// cell finds how far the cell goes that begins in a row and a column, and whether it is one: with a rule on each side.
func (g *frame) cell(row, column, columns, rows int) {
	right, down := column+1, row+1
	for right < columns && !g.upright(right, row) {
		right++
	}
	for down < rows && !g.level(down, column) {
		down++
	}
	closed := (column > 0 || !g.sides[0] || g.upright(0, row)) &&
		(right < columns || !g.sides[1] || g.upright(columns, row)) &&
		(row > 0 || !g.sides[2] || g.level(0, column)) && (down < rows || !g.sides[3] || g.level(rows, column))
	own := row*columns + column
	if !closed {
		own = -2
	}
	for y := row; y < down; y++ {
		for x := column; x < right; x++ {
			g.owner[y*columns+x] = own
		}
	}
}

// isTable reports whether the cells have words of at least two rows and two columns, and not those of a whole page.
func (l *lattice) isTable() bool {
	columns := len(l.xs) - 1
	rows, cols, full, letters := map[int]bool{}, map[int]bool{}, 0, 0
	for i, c := range l.cells {
		n := 0
		for k := range c {
			if classOf(c[k].text) != space {
				n++
			}
		}
		if n > 0 {
			rows[i/columns], cols[i%columns] = true, true
			full, letters = full+1, letters+n
		}
	}
	return len(rows) > 1 && len(cols) > 1 && full > 3 && letters <= longCell*full
}

// lines returns the rows of a table as lines that have their cells.
func (l *lattice) lines(number int) (out []line) {
	columns := len(l.xs) - 1
	texts := make([]string, len(l.cells))
	arabic, latin := 0, 0
	size := 0.0
	for i, c := range l.cells {
		var parts []string
		for _, x := range lines(c, &rules{}, nil) {
			parts = append(parts, string(x.text))
			size = max(size, x.size)
		}
		texts[i] = strings.Join(parts, " ")
		for k := range c {
			switch classOf(c[k].text) {
			case right:
				arabic++
			case left:
				latin++
			}
		}
	}
	for i := l.first; i < l.last; i++ {
		x := line{y: middle(l.ys, i), ends: [2]float64{l.xs[0], l.xs[columns]}, size: size, cells: columns,
			lattice: number}
		var said []string
		for j := 0; j < columns; {
			at := l.owner[i*columns+j]
			wide := 1
			if at < 0 {
				x.row = append(x.row, Cell{Columns: 1})
				j++
				continue
			}
			for j+wide < columns && l.owner[i*columns+j+wide] == at {
				wide++
			}
			text := texts[at]
			if at != i*columns+j && len(text) > longRepeated {
				text = ""
			}
			x.row = append(x.row, Cell{Text: text, Columns: wide})
			j += wide
		}
		if arabic > latin {
			slices.Reverse(x.row)
		}
		for _, c := range x.row {
			if c.Text != "" {
				said = append(said, c.Text)
			}
		}
		if x.text = []rune(strings.Join(said, " ")); len(x.text) > 0 {
			out = append(out, x)
		}
	}
	return out
}
