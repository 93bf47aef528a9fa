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
	// bytes of a cell over several rows that is said in each of them
	longRepeated = 200
	longCell     = 300 // code points of a cell, on average; with more it is a page's frame
)

// lattice is a table between rules.
type lattice struct {
	xs, ys []float64 // where the columns part, from left to right, and the rows, from top to bottom
	owner  []int     // of each cell, the first cell of those that are one
	cells  [][]glyph
}

// at returns the cell at a place, -1 if it is outside.
func (l *lattice) at(x, y float64) int {
	j, _ := slices.BinarySearch(l.xs, x)
	i, _ := slices.BinarySearchFunc(l.ys, y, func(a, b float64) int { return cmp.Compare(b, a) })
	if i == 0 || j == 0 || i == len(l.ys) || j == len(l.xs) {
		return -1
	}
	return l.owner[(i-1)*(len(l.xs)-1)+j-1]
}

// lattices takes the glyphs of tables between rules out of a page's. For each a glyph stays in their place that names it.
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
		from, _ := slices.BinarySearchFunc(r.level, u.from-ruleTouch, func(a rule, v float64) int { return cmp.Compare(a.at, v) })
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

// newLattice makes a table of rules that meet, if they are at least two rows and two columns.
func newLattice(r *rules, take func(int) bool) (lattice, bool) {
	l := lattice{xs: placesOf(r.upright), ys: placesOf(r.level)}
	slices.Reverse(l.ys)
	columns, rows := len(l.xs)-1, len(l.ys)-1
	if columns < 2 || rows < 2 || columns*rows > mostInTable || !take(columns*rows*entrySteps) {
		return l, false
	}
	n := columns * rows
	l.owner, l.cells = make([]int, n), make([][]glyph, n)
	for i := range l.owner {
		l.owner[i] = -1
	}
	middle := func(list []float64, i int) float64 { return (list[i] + list[i+1]) / 2 }
	for i := range rows {
		for j := range columns {
			if l.owner[i*columns+j] >= 0 {
				continue
			}
			right, down := j+1, i+1
			for right < columns && !between(r.upright, l.xs[right]-ruleTouch, l.xs[right]+ruleTouch, middle(l.ys, i)) {
				right++
			}
			for down < rows && !between(r.level, l.ys[down]-ruleTouch, l.ys[down]+ruleTouch, middle(l.xs, j)) {
				down++
			}
			for y := i; y < down; y++ {
				for x := j; x < right; x++ {
					l.owner[y*columns+x] = i*columns + j
				}
			}
		}
	}
	return l, true
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
	for i := range len(l.ys) - 1 {
		x := line{y: (l.ys[i] + l.ys[i+1]) / 2, ends: [2]float64{l.xs[0], l.xs[columns]}, size: size, cells: columns, lattice: number}
		var said []string
		for j := 0; j < columns; {
			at := l.owner[i*columns+j]
			wide := 1
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
