package pdftext

import (
	"cmp"
	"math"
	"slices"
)

// A page of several columns may be drawn line by line across them. Where a white gutter runs beside many lines of
// prose, the text on its one side is read before that on the other.

// What makes a gutter, in units of the font size or in lines.
const (
	pieceGap     = 0.9  // a gap this wide parts two pieces of a line
	gutterWidth  = 0.9  // least width of a gutter
	columnLines  = 5    // least lines on each side of it
	steadyLines  = 4    // of them, lines that follow each other closely
	columnWords  = 3    // least words of most lines
	fullWidth    = 0.7  // share of the column's width that makes a line full
	fullLines    = 0.55 // least share of full lines
	sectionGap   = 2.6  // white this high across both columns parts them into sections
	steadyPitch  = 1.75 // greatest distance of baselines that follow each other closely
	mostGutters  = 24   // places tried for a gutter
	mostDeep     = 3    // gutters within columns
	columnSteps  = 2    // of drawing, for each piece and place tried
	fewestPieces = 2 * columnLines
)

// piece is a run of glyphs on one baseline without a wide gap.
type piece struct {
	glyphs  []int // in the order of drawing
	left    float64
	right   float64
	y, size float64
	words   int
}

// columns returns a page's glyphs with those of columns one column after the other; all others keep their order. take
// counts what it costs, and reports whether that much was left.
func columns(glyphs []glyph, take func(int) bool) []glyph {
	pieces := piecesOf(glyphs)
	if len(pieces) < fewestPieces {
		return glyphs
	}
	arabic, latin := 0, 0
	for i := range glyphs {
		switch classOf(glyphs[i].text) {
		case right:
			arabic++
		case left:
			latin++
		}
	}
	all := make([]int, len(pieces))
	for i := range all {
		all[i] = i
	}
	c := cutter{pieces: pieces, take: take, rtl: arabic > latin}
	if !c.cut(all, 0) {
		return glyphs
	}
	out := make([]glyph, 0, len(glyphs))
	taken := make([]bool, len(glyphs))
	for _, i := range c.out {
		for _, g := range pieces[i].glyphs {
			out, taken[g] = append(out, glyphs[g]), true
		}
	}
	for i := range glyphs { // turned text
		if !taken[i] {
			out = append(out, glyphs[i])
		}
	}
	return out
}

// piecesOf groups the glyphs that are not turned. Spaces belong to the piece before them.
func piecesOf(glyphs []glyph) []piece {
	var out []piece
	pending := -1 // first of the spaces and marks that no piece has yet
	for i := range glyphs {
		g := &glyphs[i]
		if g.turn != 0 {
			continue
		}
		n := len(out)
		blank := classOf(g.text) == space
		if n > 0 {
			p := &out[n-1]
			near := math.Abs(g.y-p.y) <= 0.6*max(g.size, p.size)
			gap := max(g.x-p.right, p.left-(g.x+g.w))
			if blank || near && gap <= pieceGap*max(g.size, p.size) {
				p.glyphs = append(p.glyphs, i)
				if blank {
					continue
				}
				if gap > wordGap*g.size || len(p.glyphs) > 1 && classOf(glyphs[p.glyphs[len(p.glyphs)-2]].text) == space {
					p.words++
				}
				p.left, p.right = min(p.left, g.x), max(p.right, g.x+g.w)
				continue
			}
		}
		if blank {
			if pending < 0 {
				pending = i
			}
			continue
		}
		out = append(out, piece{glyphs: []int{i}, left: g.x, right: g.x + g.w, y: g.y, size: g.size, words: 1})
		if pending >= 0 && n == 0 {
			for k := pending; k < i; k++ {
				if glyphs[k].turn == 0 {
					out[0].glyphs = append(out[0].glyphs, k)
				}
			}
			slices.Sort(out[0].glyphs)
		}
		pending = -1
	}
	return out
}

// cutter puts pieces into reading order.
type cutter struct {
	pieces []piece
	take   func(int) bool
	rtl    bool
	out    []int
}

// cut appends pieces, given in the order of drawing, in reading order, and reports whether that is another than by
// drawing, or may be.
func (c *cutter) cut(list []int, depth int) bool {
	best, gutter := c.bestBand(list, depth)
	if best == nil {
		c.out = append(c.out, list...)
		return false
	}
	in := map[int]bool{}
	top, bottom := math.Inf(-1), math.Inf(1)
	for _, i := range best {
		in[i] = true
		top, bottom = max(top, c.pieces[i].y), min(bottom, c.pieces[i].y)
	}
	var above, below, first, second []int
	for _, i := range list {
		p := &c.pieces[i]
		switch {
		case in[i] && (p.right <= gutter) != c.rtl:
			first = append(first, i)
		case in[i]:
			second = append(second, i)
		case p.y > (top+bottom)/2:
			above = append(above, i)
		default:
			below = append(below, i)
		}
	}
	c.cut(above, depth+1)
	c.cut(first, depth+1)
	c.cut(second, depth+1)
	c.cut(below, depth+1)
	return true
}

// bestBand returns the pieces beside the gutter that has most lines of prose beside it; nil if none.
func (c *cutter) bestBand(list []int, depth int) (best []int, gutter float64) {
	if depth > 2*mostDeep || len(list) < fewestPieces {
		return nil, 0
	}
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(c.pieces[b].y, c.pieces[a].y) })
	for _, x := range c.places(list) {
		if !c.take(columnSteps * len(list)) {
			return nil, 0
		}
		for _, band := range c.bands(sorted, x) {
			if len(band) > len(best) && c.isColumns(band, x) {
				best, gutter = band, x
			}
		}
	}
	return best, gutter
}

// places returns where gutters may be: beside edges that many pieces have in common.
func (c *cutter) places(list []int) []float64 {
	counts := map[int]int{}
	for _, i := range list {
		p := &c.pieces[i]
		counts[int(math.Round((p.left-0.4*p.size)/2))]++
		counts[int(math.Round((p.right+0.4*p.size)/2))]++
	}
	keys := make([]int, 0, len(counts))
	for k, n := range counts {
		if n >= steadyLines {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b int) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	out := make([]float64, 0, mostGutters)
	for _, k := range keys[:min(len(keys), mostGutters)] {
		out = append(out, float64(k)*2)
	}
	return out
}

// bands divides pieces, from top to bottom, where one crosses x and where both sides are white.
func (c *cutter) bands(sorted []int, x float64) (out [][]int) {
	var band []int
	bottom := math.Inf(1)
	for _, i := range sorted {
		p := &c.pieces[i]
		crosses := p.left < x && p.right > x
		if len(band) > 0 && (crosses || bottom-p.y > sectionGap*p.size) {
			out, band = append(out, band), nil
		}
		if bottom = p.y; !crosses {
			band = append(band, i)
		}
	}
	if len(band) > 0 {
		out = append(out, band)
	}
	return out
}

// isColumns reports whether both sides of x are columns of prose that stand beside each other.
func (c *cutter) isColumns(band []int, x float64) bool {
	var sides [2][]int
	edges := [2]float64{math.Inf(-1), math.Inf(1)}
	size := 0.0
	for _, i := range band {
		p := &c.pieces[i]
		size = max(size, p.size)
		if p.right <= x {
			sides[0], edges[0] = append(sides[0], i), max(edges[0], p.right)
		} else {
			sides[1], edges[1] = append(sides[1], i), min(edges[1], p.left)
		}
	}
	if edges[1]-edges[0] < gutterWidth*size {
		return false
	}
	var top, bottom [2]float64
	for s, list := range sides {
		if !c.isProse(list) {
			return false
		}
		top[s], bottom[s] = c.pieces[list[0]].y, c.pieces[list[len(list)-1]].y
	}
	both := min(top[0], top[1]) - max(bottom[0], bottom[1])
	return both >= 0.4*min(top[0]-bottom[0], top[1]-bottom[1])
}

// isProse reports whether pieces, from top to bottom, are lines of running text. Beside each other they may be columns
// too: then each of them has to be.
func (c *cutter) isProse(list []int) bool {
	if len(list) < columnLines {
		return false
	}
	words, steady, longest := 0, 1, 1
	widths := make([]float64, len(list))
	for k, i := range list {
		p := &c.pieces[i]
		if widths[k] = p.right - p.left; p.words >= columnWords {
			words++
		}
		if k == 0 {
			continue
		}
		if d := c.pieces[list[k-1]].y - p.y; d > steadyPitch*p.size {
			steady = 1
		} else if d > 0.5*p.size {
			steady++
		}
		longest = max(longest, steady)
	}
	sorted := slices.Clone(widths)
	slices.Sort(sorted)
	widest, full := sorted[len(sorted)*9/10], 0
	for _, w := range widths {
		if w >= fullWidth*widest {
			full++
		}
	}
	return 2*words > len(list) && longest >= steadyLines && float64(full) >= fullLines*float64(len(list))
}
