package pdftext

import (
	"cmp"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"
)

// line is the text on one baseline, in reading order.
type line struct {
	text  []rune
	y     float64    // of the baseline
	tall  float64    // how far below that of its last line is, in a row of a table
	ends  [2]float64 // start and end in reading order, growing in that direction: for Arabic, x is negated
	first float64    // width of the first word
	size  float64    // font size of most of its characters
	bold  bool       // all of it
	turn  int        // quarter turns of the text
	cells int        // stretches of text separated by wide gaps or rules
	parts []part     // these and those that a lesser gap separates, which may be cells too; none if it is one stretch
	right bool       // it is read from the right
	words []extents  // where its words are, as ends; none if there are more than mostWords
	row   []Cell     // of a table between rules
	// the number of that table on its page, from 1
	lattice int
}

// extents are where a word begins and ends.
type extents [2]float32

// mostWords is the maximum number of words of a line that may be a row whose cells stand close.
const mostWords = 40

// part is a stretch of a line: its words, and where they are as in line.ends.
type part struct {
	text []rune
	ends [2]float64
	wide bool // a wide gap or a rule follows it
}

// visual is a line whose glyphs are in the order of drawing at first, and then sorted from left to right.
type visual struct {
	glyphs []glyph
	turn   int
}

// edges returns the leftmost and rightmost glyph. The glyphs must be sorted; spaces stand between others only.
func (v *visual) edges() (first, last *glyph) { return &v.glyphs[0], &v.glyphs[len(v.glyphs)-1] }

// Distances between glyphs, in units of their font size.
const (
	sameLine   = 0.35 // baselines this close belong to one line
	wordGap    = 0.1  // a gap this much wider than those within words is a space, even if none was drawn
	wideSpaced = 0.25 // the widest gap within spaced words
	drawnGap   = 0.05 // a gap this wide is a space if one was drawn there
	cellGap    = 1.6  // a gap this wide separates the cells of a table
	partGap    = 0.65 // a gap this wide may
	samePlace  = 0.08 // equal glyphs this close are one, drawn twice to look bold
)

// lines groups the glyphs of a page into lines, with the rows of its tables between rules. It keeps the order of
// drawing, which is that of columns and cells.
func lines(glyphs []glyph, drawn *rules, tables []lattice) []line {
	var rows []visual
	for turn := range quarterTurns + mostSlants {
		for i := range glyphs {
			if g := &glyphs[i]; g.turn == turn {
				rows = place(rows, glyphs, i)
			}
		}
	}
	rows = acrossColumns(rows)
	arabic, latin := 0, 0
	for i := range rows {
		rows[i].glyphs = spaced(rows[i].glyphs, drawn)
	}
	rows = slices.DeleteFunc(rows, func(r visual) bool { return len(r.glyphs) == 0 })
	for i := range rows {
		for _, g := range rows[i].glyphs {
			switch classOf(g.text) {
			case right:
				arabic++
			case left:
				latin++
			}
		}
	}
	var out []line
	var ordered [][]glyph
	read := directions(rows, arabic > latin)
	for i, r := range rows {
		g := inOrder(r.glyphs, read[i])
		if arabic > latin && read[i] == neutral { // figures alone, as in the cell of a table
			g = rising(g)
		}
		ordered = append(ordered, g)
	}
	mirror(ordered, read)
	for i, r := range rows {
		if k := r.glyphs[0].table; k > 0 {
			out = append(out, tables[k-1].lines(k)...)
			continue
		}
		if l := newLine(ordered[i], r, read[i]); len(l.text) > 0 {
			out = append(out, l)
		}
	}
	return out
}

// place adds glyph i to the current row, or begins a new one. A mark without a width is joined to its letter.
func place(rows []visual, glyphs []glyph, i int) []visual {
	g := glyphs[i]
	if isMark(&g) {
		if owner := markOwner(glyphs, i); owner > i {
			glyphs[owner].text += g.text // the letter is placed later, with its mark
			return rows
		} else if owner >= 0 && len(rows) > 0 {
			row := &rows[len(rows)-1]
			for k := len(row.glyphs) - 1; k >= 0; k-- {
				if row.glyphs[k].x == glyphs[owner].x && row.glyphs[k].y == glyphs[owner].y {
					row.glyphs[k].text += g.text
					return rows
				}
			}
		}
	}
	if n := len(rows); n > 0 && rows[n-1].turn == g.turn && g.table == 0 && rows[n-1].glyphs[0].table == 0 {
		last := rows[n-1].glyphs[len(rows[n-1].glyphs)-1]
		first := rows[n-1].glyphs[0]
		if math.Abs(g.y-first.y) <= sameLine*min(g.size, first.size) || raised(&g, &last, &last) ||
			raised(&g, rows[n-1].full(), &last) {
			rows[n-1].glyphs = append(rows[n-1].glyphs, g)
			return rows
		}
	}
	return append(rows, visual{glyphs: []glyph{g}, turn: g.turn})
}

// raised reports whether a glyph is a small superscript or subscript beside a letter, or the letter behind one,
// directly after the last glyph.
func raised(g, letter, last *glyph) bool {
	small, big := min(g.size, letter.size), max(g.size, letter.size)
	gap := max(g.x-(last.x+last.w), last.x-(g.x+g.w))
	return small < smallShare*big && math.Abs(g.y-letter.y) < mostRaised*big && gap < 0.3*big
}

// full returns the last glyph of the row's own size, behind which raised and lowered ones may stand.
func (v *visual) full() *glyph {
	for i := len(v.glyphs) - 1; i > max(0, len(v.glyphs)-8); i-- {
		if v.glyphs[i].size >= v.glyphs[0].size {
			return &v.glyphs[i]
		}
	}
	return &v.glyphs[0]
}

func isMark(g *glyph) bool {
	for _, r := range g.text {
		if !unicode.Is(unicode.Mn, r) {
			return false
		}
	}
	return g.text != "" && g.w < 0.05*g.size
}

// markOwner returns the letter that a mark belongs to, or -1 if none. The order of drawing decides, because the start
// of a mark may lie over the next letter: the mark follows its letter if a line is drawn in reading order, and precedes
// it if Arabic is drawn from left to right.
func markOwner(glyphs []glyph, i int) int {
	before, behind := neighbour(glyphs, i, -1), neighbour(glyphs, i, 1)
	switch {
	case before < 0 || behind < 0:
		return max(before, behind)
	case classOf(glyphs[behind].text) == right && glyphs[behind].x > glyphs[before].x:
		return behind
	}
	return before
}

// neighbour returns the next letter of the line that is not a mark, or -1 if none.
func neighbour(glyphs []glyph, i, step int) int {
	for k := i + step; k >= 0 && k < len(glyphs); k += step {
		o := &glyphs[k]
		if o.turn != glyphs[i].turn || math.Abs(o.y-glyphs[i].y) > o.size {
			return -1
		}
		if !isMark(o) {
			return k
		}
	}
	return -1
}

// spaced drops glyphs that are drawn twice, and puts one space, as wide as the gap, where words part: where the gap
// shows it, or where a space was drawn between the two letters, and not below those of others, as at the end of a cell.
func spaced(row []glyph, drawn *rules) []glyph {
	n := 0
	for i := range row {
		if classOf(row[i].text) != space {
			n++
		}
		row[i].n = n
	}
	slices.SortStableFunc(row, func(a, b glyph) int { return cmp.Compare(a.x, b.x) })
	var letters, spaces []glyph
	for _, g := range row {
		if classOf(g.text) == space {
			spaces = append(spaces, g)
			continue
		}
		if n := len(letters); n > 0 {
			last := &letters[n-1]
			if last.text == g.text && math.Abs(last.x-g.x) < samePlace*g.size && last.w > samePlace*g.size {
				continue
			}
		}
		letters = append(letters, g)
	}
	least := wordGap + usualGap(letters)
	var out []glyph
	for i, g := range letters {
		if i > 0 {
			last := &letters[i-1]
			gap, size := g.x-(last.x+last.w), max(g.size, last.size)
			ruled := g.turn == 0 && between(drawn.upright, last.x+0.8*last.w, g.x+0.2*g.w, g.y+0.3*size)
			least := least
			if classOf(g.text) == digit && classOf(last.text) == digit {
				least = min(least, wordGap*2) // figures of several columns are no number
			}
			if ruled || gap > least*size || drawnBetween(&spaces, last, &g) {
				out = append(out, glyph{text: " ", x: last.x + last.w, y: g.y, w: gap, size: size, bold: g.bold, turn: g.turn,
					cell: ruled || gap > cellGap*size})
			}
		}
		out = append(out, g)
	}
	return out
}

// usualGap returns the gap between the letters of spaced words, as a share of their size: the median of all gaps, if it
// is one.
func usualGap(letters []glyph) float64 {
	if len(letters) < 6 {
		return 0
	}
	gaps := make([]float64, 0, len(letters))
	for i := 1; i < len(letters); i++ {
		gaps = append(gaps, (letters[i].x-letters[i-1].x-letters[i-1].w)/max(letters[i].size, letters[i-1].size))
	}
	slices.Sort(gaps)
	if usual := gaps[len(gaps)/2]; usual > 0 && usual < wideSpaced {
		return usual
	}
	return 0 // words of single letters, if it is wider
}

// mostSpaces limits how many spaces are looked at between two letters.
const mostSpaces = 64

// drawnBetween reports whether one of the spaces, which are sorted as the letters are, parts two neighbours. It drops
// those before them.
func drawnBetween(spaces *[]glyph, a, b *glyph) bool {
	size := max(a.size, b.size)
	for len(*spaces) > 0 && (*spaces)[0].x+(*spaces)[0].w < a.x {
		*spaces = (*spaces)[1:]
	}
	for i := range min(len(*spaces), mostSpaces) {
		s := &(*spaces)[i]
		if s.x > b.x+b.w {
			return false
		}
		if s.n == min(a.n, b.n) && s.n+1 == max(a.n, b.n) {
			return true
		}
		middle := s.x + s.w/2
		if b.x-a.x-a.w >= drawnGap*size && middle > a.x+a.w && middle < b.x {
			return true
		}
	}
	return false
}

// newLine returns the line of glyphs in the reading order of direction d.
func newLine(g []glyph, r visual, d class) line {
	l := line{y: r.glyphs[0].y, bold: true, turn: r.turn, cells: 1, right: d == right}
	l.ends, l.first = extent(g, r.glyphs, d)
	sizes := map[float64]int{}
	near := nearGap(g)
	l.words = wordsOf(g, d)
	var b []rune
	var p part
	from := 0
	base := baseOf(r.glyphs)
	now := OnLine
	struck, whole := false, allStruck(g)
	strike := func(yes bool) {
		if yes != struck {
			struck = yes
			b = append(b, map[bool]rune{true: Struck, false: Standing}[yes])
		}
	}
	for i, x := range g {
		if classOf(x.text) != space {
			strike(x.struck || whole)
		} else if i+1 < len(g) {
			strike(struck && (g[i+1].struck || whole))
		}
		if sign := levelOn(&x, base); sign != now {
			if now != OnLine {
				b = append(b, OnLine)
			}
			if now = sign; now != OnLine {
				b = append(b, now)
			}
		}
		b = append(b, []rune(x.text)...)
		if classOf(x.text) == space {
			if x.cell {
				l.cells++
			}
			if x.cell || x.w > near*x.size {
				strike(false)
				p.text, p.wide, from = tidy(b[from:]), x.cell, len(b)
				l.parts, p = append(l.parts, p), part{}
			}
			continue
		}
		ends := [2]float64{x.x, x.x + x.w}
		if d == right {
			ends = [2]float64{-ends[1], -ends[0]}
		}
		if p.ends == [2]float64{} {
			p.ends = ends
		}
		p.ends = [2]float64{min(p.ends[0], ends[0]), max(p.ends[1], ends[1])}
		s := math.Round(x.size*4) / 4
		if sizes[s]++; sizes[s] > sizes[l.size] || sizes[s] == sizes[l.size] && s > l.size {
			l.size = s
		}
		l.bold = l.bold && x.bold
	}
	if now != OnLine {
		b = append(b, OnLine)
	}
	strike(false)
	l.text = tidy(b)
	if len(l.parts) > 0 {
		p.text = tidy(b[from:])
		l.parts = append(l.parts, p)
	}
	return l
}

// wordsOf returns where the words of a line are, in the reading order of direction d.
func wordsOf(g []glyph, d class) (out []extents) {
	within := false
	for i := range g {
		if classOf(g[i].text) == space {
			within = false
			continue
		}
		ends := extents{float32(g[i].x), float32(g[i].x + g[i].w)}
		if d == right {
			ends = extents{-ends[1], -ends[0]}
		}
		if !within {
			if len(out) == mostWords {
				return nil
			}
			out, within = append(out, ends), true
			continue
		}
		last := &out[len(out)-1]
		*last = extents{min(last[0], ends[0]), max(last[1], ends[1])}
	}
	return out
}

// allStruck reports whether a line goes through all words: then it goes through the marks between them too.
func allStruck(g []glyph) bool {
	any := false
	for i := range g {
		if hasWord(g[i].text) {
			if any = true; !g[i].struck {
				return false
			}
		}
	}
	return any
}

// baseOf returns the glyph of a row that tells its size and its baseline: the first of the most common size, of the
// larger ones.
func baseOf(row []glyph) *glyph {
	best, most := &row[0], 0
	for i := range row {
		g := &row[i]
		if classOf(g.text) == space || i > 0 && most > 0 && g.size <= best.size*1.02 {
			continue
		}
		n := 0
		for k := range row {
			if math.Abs(row[k].size-g.size) < 0.02*g.size {
				n++
			}
		}
		if best, most = g, n; 2*n > len(row) {
			break
		}
	}
	return best
}

// How much smaller raised and lowered glyphs are than the others, and how far from their line, in units of their size.
const (
	smallShare = 0.85
	raisedBy   = 0.15
	loweredBy  = 0.06
	mostRaised = 0.6 // what stands beyond is of another line

	longestLevel = 4 // characters that one code stands for
)

// levelOn returns whether a glyph is raised, lowered or on the line of the base.
func levelOn(g, base *glyph) rune {
	d := (g.y - base.y) / max(base.size, 1e-6)
	switch {
	case g.level != 0 && hasWord(g.text) && utf8.RuneCountInString(g.text) <= longestLevel:
		return g.level
	case utf8.RuneCountInString(g.text) > longestLevel: // the value of a field
		return OnLine
	case g.size > smallShare*base.size || math.Abs(d) > mostRaised || !hasWord(g.text):
		return OnLine
	case d >= raisedBy:
		return Raised
	case d <= -loweredBy:
		return Lowered
	}
	return OnLine
}

// nearGap returns the least gap that may part two cells, as a share of the size: one much wider than those between
// words.
func nearGap(g []glyph) float64 {
	var gaps []float64
	for i := range g {
		if classOf(g[i].text) == space && !g[i].cell {
			gaps = append(gaps, g[i].w/max(g[i].size, 1e-6))
		}
	}
	if len(gaps) < 3 {
		return partGap
	}
	slices.Sort(gaps)
	return max(partGap, 2*gaps[len(gaps)/2])
}

// extent returns where a line begins and ends in reading order, and the width of its first word. read has its glyphs in
// reading order, sorted the same from left to right.
func extent(read, sorted []glyph, d class) (ends [2]float64, first float64) {
	last := sorted[len(sorted)-1]
	ends = [2]float64{sorted[0].x, last.x + last.w}
	for _, g := range read {
		if classOf(g.text) == space {
			break
		}
		first += g.w
	}
	if d == right {
		ends = [2]float64{-ends[1], -ends[0]}
	}
	return ends, first
}
