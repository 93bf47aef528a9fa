package pdftext

import (
	"cmp"
	"math"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// Where a line goes through letters, in units of their size above the baseline. Lines under letters, and those between
// the rows of a table, are outside.
const (
	strikeLow  = 0.12
	strikeHigh = 0.45
)

// strikeShare is which part of a line stands on the letters that it strikes out. What goes far beyond them is the grid
// of a chart, or the rule of a table that letters are squeezed into.
const strikeShare = 0.6

// strike marks the glyphs that a line of the page, or a mark of a reviewer, goes through.
func (s *sheet) strike(glyphs []glyph, lines []rule, marks []rect) {
	if len(lines)+len(marks) == 0 {
		return
	}
	type stretch struct {
		length float64
		glyphs []int
	}
	through := make(map[int]*stretch)
	for i := range glyphs {
		g := &glyphs[i]
		if g.turn != 0 || classOf(g.text) == space || !s.take(1) {
			continue
		}
		for _, m := range marks {
			x, y := g.x+g.w/2, g.y+0.3*g.size
			g.struck = g.struck || m[0] <= x && x <= m[2] && m[1] <= y && y <= m[3]
		}
		low := g.y + strikeLow*g.size
		k, _ := slices.BinarySearchFunc(lines, low, func(r rule, y float64) int { return cmp.Compare(r.at, y) })
		for n := 0; k < len(lines) && lines[k].at <= g.y+strikeHigh*g.size && n < mostSpaces; k, n = k+1, n+1 {
			if r := &lines[k]; r.from <= g.x+0.3*g.w && r.to >= g.x+0.7*g.w {
				if through[k] == nil {
					through[k] = &stretch{}
				}
				through[k].length += g.w
				through[k].glyphs = append(through[k].glyphs, i)
			}
		}
	}
	for k, t := range through {
		if !hasWordIn(glyphs, t.glyphs) || parts(glyphs, t.glyphs) || t.length < strikeShare*(lines[k].to-lines[k].from) {
			continue
		}
		for _, i := range t.glyphs {
			glyphs[i].struck = true
		}
	}
}

// parts reports whether a list of glyphs begins or ends within a word: whoever strikes out does not.
func parts(glyphs []glyph, list []int) bool {
	first, last := slices.Min(list), slices.Max(list)
	return first > 0 && inWord(&glyphs[first-1], &glyphs[first]) ||
		last+1 < len(glyphs) && inWord(&glyphs[last], &glyphs[last+1])
}

// inWord reports whether two glyphs that are drawn one after the other stand in one word.
func inWord(a, b *glyph) bool {
	gap := max(b.x-a.x-a.w, a.x-b.x-b.w)
	return a.turn == b.turn && math.Abs(a.y-b.y) < 0.1*a.size && math.Abs(gap) < wordGap*a.size && hasWord(a.text) &&
		hasWord(b.text)
}

func hasWordIn(glyphs []glyph, list []int) bool {
	return slices.ContainsFunc(list, func(i int) bool { return hasWord(glyphs[i].text) })
}

// quads returns the places of the words that an annotation marks.
func (o objects) quads(a types.Dict) (out []rect) {
	corners := o.array(a["QuadPoints"])
	for len(corners) >= 8 && o.take(entrySteps) {
		r := nowhere
		for i := 0; i < 8; i += 2 {
			x, _ := o.number(corners[i])
			y, _ := o.number(corners[i+1])
			r = r.point(x, y)
		}
		out, corners = append(out, r), corners[8:]
	}
	return out
}
