package pdftext

import (
	"math"
	"slices"
	"unicode"
)

// Reason is why a reader of a page does not see words that its file draws.
type Reason string

// The reasons. documents.hiddenHows maps them to those that are stored.
const (
	Invisible  Reason = "invisible"   // drawn neither filled nor stroked, without a picture that it could be the text of
	SameColour Reason = "same_colour" // in the colour of what is below, or transparent
	OffPage    Reason = "off_page"    // outside of the page as it is shown
	Clipped    Reason = "clipped"     // outside of what may be drawn on
	Covered    Reason = "covered"     // below a later fill or picture
	Tiny       Reason = "tiny"        // smaller than anybody reads
	Layer      Reason = "layer"       // on a layer that is switched off
)

// tinySize is the greatest size, in points, of words that nobody sees on a page of usual size, and tinyShare that as a
// share of the page's height, for figures that are pages of their own.
const (
	tinySize  = 1.6
	tinyShare = 0.002
)

// seen is how a glyph is painted.
type seen struct {
	core         rect // a part of the page that its ink does not leave much, or less
	fill, stroke colour
	after        int // how many paints were before
	mode         uint8
	alpha        float32
	blends       bool
	wide         float64 // the size of the glyph along its line, where size is that across it
	drawn        bool    // the glyph is a drawing, whose size is not known
	reason       Reason  // known when it was drawn
}

// seenAs returns how the glyph with this width and this matrix, of a glyph of size one, is painted.
func (d *drawing) seenAs(m matrix, width float64) *seen {
	if len(d.looks) == cap(d.looks) {
		d.looks = make([]seen, 0, 256)
	}
	d.looks = append(d.looks, seen{fill: d.fill, stroke: d.stroke, after: len(d.paints),
		mode:  uint8(min(7, max(0, d.mode))),
		alpha: float32(d.fillAlpha * d.group), blends: d.blends()})
	s := &d.looks[len(d.looks)-1]
	if s.mode == 1 || s.mode == 5 {
		s.alpha = float32(d.strokeAlpha * d.group)
	}
	if s.drawn = d.font.drawn; s.drawn { // the mode means nothing to it
		s.mode = 0
	}
	s.wide = math.Hypot(m[0], m[1])
	s.core = m.box(rect{0.1 * width, 0.05, 0.9 * width, 0.45})
	switch {
	case d.off > 0:
		s.reason = Layer
	case !s.core.touches(d.clip) || d.clip.empty():
		s.reason = Clipped
	}
	return s
}

// sheet is what a page has beside its glyphs.
type sheet struct {
	crop   rect
	unit   float64 // how many points its unit has
	paints []paint
	grid   grid
	take   func(int) bool

	scanned bool // pictures cover it
}

// gridSide is into how many rows and columns a page is divided to find what was painted at a place.
const gridSide = 32

// grid has the paints of each part of a page, in order, and those of large parts of it.
type grid struct {
	cells [gridSide * gridSide][]int32
	large []int32
}

// wide is how many parts a paint covers that is listed only once.
const wide = 64

func (s *sheet) cell(x, y float64) (int, int) {
	at := func(v, from, to float64) int {
		return min(gridSide-1, max(0, int((v-from)/max(to-from, 1e-6)*gridSide)))
	}
	return at(x, s.crop[0], s.crop[2]), at(y, s.crop[1], s.crop[3])
}

func (s *sheet) index() {
	for i := range s.paints {
		b := s.paints[i].box
		x0, y0 := s.cell(b[0], b[1])
		x1, y1 := s.cell(b[2], b[3])
		if (x1-x0+1)*(y1-y0+1) > wide {
			s.grid.large = append(s.grid.large, int32(i))
			continue
		}
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				c := y*gridSide + x
				s.grid.cells[c] = append(s.grid.cells[c], int32(i))
			}
		}
	}
}

// at calls do for the paints that touch r, from the last to the first, until it returns false.
func (s *sheet) at(r rect, do func(i int, p *paint) bool) {
	x, y := s.cell((r[0]+r[2])/2, (r[1]+r[3])/2)
	here, large := s.grid.cells[y*gridSide+x], s.grid.large
	for len(here)+len(large) > 0 && s.take(1) {
		var i int32
		if n, m := len(here), len(large); m == 0 || n > 0 && here[n-1] > large[m-1] {
			i, here = here[n-1], here[:n-1]
		} else {
			i, large = large[m-1], large[:m-1]
		}
		if p := &s.paints[i]; p.box.touches(r) && !do(int(i), p) {
			return
		}
	}
}

// A scan is a picture of the page, or several below each other.
const (
	scanShare = 0.5 // of the page, at least
	scanWidth = 0.6 // of its width, each
)

// isScan reports whether a picture has the width of a scan.
func (s *sheet) isScan(p *paint) bool {
	return p.kind == picture && p.box[2]-p.box[0] >= scanWidth*(s.crop[2]-s.crop[0])
}

// hide parts the glyphs of a page that a reader sees from those that he does not, which get their reason.
func (s *sheet) hide(glyphs []glyph) (shown, hidden []glyph) {
	s.index()
	area := 0.0
	for i := range s.paints {
		if p := &s.paints[i]; s.isScan(p) {
			area += p.box.intersect(s.crop).area()
		}
	}
	s.scanned = area >= scanShare*s.crop.area()
	grounds := s.grounds(glyphs)
	pictures := s.textOf(glyphs)
	anySeen := false
	for i := range glyphs {
		g := &glyphs[i]
		if classOf(g.text) == space {
			continue
		}
		g.reason = s.reasonOf(g, grounds, pictures)
		anySeen = anySeen || g.reason == ""
	}
	last := Reason("")
	for i := range glyphs {
		g := &glyphs[i]
		if classOf(g.text) == space {
			g.reason = last
		} else if g.reason == Invisible && !anySeen && s.drawnAt(g.core) {
			g.reason = "" // a page of outlines with its text
		}
		if last = g.reason; last == "" {
			shown = append(shown, *g)
		} else {
			hidden = append(hidden, *g)
		}
	}
	return shown, s.withoutTwins(shown, hidden)
}

// grounds returns the colours that words may be hidden on; nil means any.
func (s *sheet) grounds(glyphs []glyph) []colour {
	out := []colour{white}
	for i := range s.paints {
		if p := &s.paints[i]; p.exact && p.opaque && p.colour.known && !near(out, p.colour) {
			if out = append(out, p.colour); len(out) > 32 {
				return nil
			}
		}
	}
	return out
}

func near(list []colour, c colour) bool {
	for _, o := range list {
		if o.alike(c) {
			return true
		}
	}
	return false
}

// textOf returns which pictures, by their place in the list of paints, the words over them may be the text of. Over a
// background more words are seen than not.
func (s *sheet) textOf(glyphs []glyph) map[int]bool {
	if !slices.ContainsFunc(s.paints, func(p paint) bool { return p.kind == picture }) {
		return nil
	}
	seen := map[int]int{}
	for i := range glyphs {
		g := &glyphs[i]
		if classOf(g.text) == space || g.reason != "" {
			continue
		}
		s.at(g.core.grown(g.size/2), func(i int, p *paint) bool {
			if p.kind == picture {
				if g.mode == 3 {
					seen[i]--
				} else if i < g.after {
					seen[i]++
				}
			}
			return true
		})
	}
	out := map[int]bool{}
	for i := range s.paints {
		if s.paints[i].kind == picture && seen[i] <= 0 {
			out[i] = true
		}
	}
	return out
}

// reasonOf returns why a glyph is not seen, "" if it is.
func (s *sheet) reasonOf(g *glyph, grounds []colour, pictures map[int]bool) Reason {
	switch {
	case g.reason != "":
		return g.reason
	case !g.core.touches(s.crop):
		return OffPage
	case s.tiny(g):
		return Tiny
	case g.mode == 3:
		if s.pictured(g, pictures) {
			return ""
		}
		return Invisible
	case g.mode == 7 && !s.paintedLater(g):
		return Invisible
	case g.mode != 7 && s.sameColour(g, grounds):
		return SameColour
	case s.covered(g):
		return Covered
	}
	return ""
}

// tiny reports whether a glyph is too small, or too narrow, for anybody to read.
func (s *sheet) tiny(g *glyph) bool {
	size := min(g.size, g.wide)
	return !g.drawn && size*s.unit < tinySize && size < tinyShare*max(s.crop[3]-s.crop[1], s.crop[2]-s.crop[0])
}

// pictured reports whether a picture lies under or over a glyph that it may have the text of.
func (s *sheet) pictured(g *glyph, pictures map[int]bool) (yes bool) {
	s.at(g.core.grown(g.size/2), func(i int, p *paint) bool {
		yes = pictures[i]
		return !yes
	})
	return yes
}

// drawnAt reports whether anything was drawn there.
func (s *sheet) drawnAt(r rect) (yes bool) {
	s.at(r, func(_ int, p *paint) bool {
		yes = !p.exact
		return !yes
	})
	return yes
}

// paintedLater reports whether something is painted through a glyph that is only a clip.
func (s *sheet) paintedLater(g *glyph) (yes bool) {
	s.at(g.core, func(i int, _ *paint) bool {
		yes = i >= g.after
		return false
	})
	return yes
}

// sameColour reports whether a glyph has the colour of what is below it.
func (s *sheet) sameColour(g *glyph, grounds []colour) bool {
	if g.blends || g.alpha > 0.04 && (!s.maybe(g.ink(), grounds)) {
		return false
	}
	if g.alpha <= 0.04 {
		return true
	}
	same := func(ground colour) bool {
		for _, c := range g.ink() {
			if !c.over(ground, float64(g.alpha)).alike(ground) {
				return false
			}
		}
		return true
	}
	hidden, whole := true, false
	s.at(g.core, func(i int, p *paint) bool {
		if i >= g.after {
			return true
		}
		hidden = p.exact && p.opaque && same(p.colour)
		whole = hidden && p.box.contains(g.core)
		return hidden && !whole
	})
	return hidden && (whole || same(white))
}

// maybe reports whether all of the colours may be like a ground.
func (s *sheet) maybe(ink []colour, grounds []colour) bool {
	for _, c := range ink {
		if !c.known || grounds != nil && !near(grounds, c) {
			return false
		}
	}
	return true
}

// ink returns the colours that a glyph is painted with.
func (s *seen) ink() []colour {
	switch s.mode {
	case 1, 5:
		return []colour{s.stroke}
	case 2, 6:
		return []colour{s.fill, s.stroke}
	}
	return []colour{s.fill}
}

// covered reports whether a glyph is below a later fill or picture. The pictures of a scan show the words that lie
// below them.
func (s *sheet) covered(g *glyph) (yes bool) {
	s.at(g.core, func(i int, p *paint) bool {
		if i < g.after {
			return false
		}
		yes = p.exact && p.opaque && p.box.contains(g.core) &&
			(!s.scanned || !s.isScan(p))
		return !yes
	})
	return yes
}

// What looking for the same glyphs at the same place takes.
const (
	twinSteps = 10 // for each hidden one
	mostTwins = 16 // at a place
)

// withoutTwins returns the hidden glyphs without those that are seen at the same place: of a shadow, or drawn again.
func (s *sheet) withoutTwins(shown, hidden []glyph) []glyph {
	if len(hidden) == 0 {
		return nil
	}
	const side = 4.0 // points
	type spot struct{ x, y int }
	at := func(r rect) spot { return spot{int(math.Floor(r[0] / side)), int(math.Floor(r[1] / side))} }
	near := map[spot][]int32{}
	for i := range hidden {
		if !s.take(twinSteps) {
			return hidden
		}
		p := at(hidden[i].core)
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				q := spot{p.x + dx, p.y + dy}
				if len(near[q]) < mostTwins {
					near[q] = append(near[q], int32(i))
				}
			}
		}
	}
	twin := make([]bool, len(hidden))
	for i := range shown {
		for _, k := range near[at(shown[i].core)] {
			twin[k] = twin[k] || hidden[k].text == shown[i].text
		}
	}
	var out []glyph
	for i := range hidden {
		if !twin[i] {
			out = append(out, hidden[i])
		}
	}
	return out
}

// Hidden are words that a page draws and that no reader of it sees.
type Hidden struct {
	Text   string
	Reason Reason
}

// hiddenWords returns the words of hidden glyphs, one text for each reason and line.
func hiddenWords(glyphs []glyph) (out []Hidden) {
	for from := 0; from < len(glyphs); {
		to := from + 1
		for to < len(glyphs) && glyphs[to].reason == glyphs[from].reason {
			to++
		}
		for _, l := range lines(glyphs[from:to], &rules{}, nil) {
			text := string(l.text)
			if !hasWord(text) {
				continue
			}
			if n := len(out); n > 0 && out[n-1].Reason == glyphs[from].reason {
				out[n-1].Text += " " + text
			} else {
				out = append(out, Hidden{Text: text, Reason: glyphs[from].reason})
			}
		}
		from = to
	}
	return out
}

func hasWord(s string) bool {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return true
		}
	}
	return false
}
