package typeset

import (
	"slices"
	"unicode"

	"github.com/go-text/typesetting/segmenter"

	written "sanad/internal/domain/text"
)

// line is one line in visual order; widths are in font units.
type line struct {
	frags []frag
	width int32
	lead  int32 // white space that hangs over the left edge
	rtl   bool  // the direction of its paragraph
}

// frag is a stretch of a line that is drawn at once: one bidi run in one style.
type frag struct {
	codes  string // of the derived font, from left to right
	width  int32
	weight weight
	span   int32
}

// setter lays out paragraphs for one document.
type setter struct {
	*shaper
	slicers   [weights]*slicer
	segmenter segmenter.Segmenter
	clusters  []cluster // of the current paragraph
	runOf     []int32
	codes     []rune // the buffer for a fragment's codes
}

func newSetter() (*setter, error) {
	s, err := newShaper()
	if err != nil {
		return nil, err
	}
	t := &setter{shaper: s}
	for i := range t.slicers {
		t.slicers[i] = newSlicer()
	}
	return t, nil
}

// shaped is a paragraph after shaping: clusters in logical order, and the run of each.
type shaped struct {
	*source
	runs     []run
	clusters []cluster
	runOf    []int32
	mayBreak []bool // before each character, UAX #14
}

// set breaks a paragraph into lines of at most width font units (rule PDF-5). A paragraph without text is
// one empty line.
func (t *setter) set(src *source, spans []Span, width int32) []line {
	p := t.shapeAll(src, spans)
	var out []line
	for start := 0; start < len(p.clusters); {
		end := p.lineEnd(start, width)
		l := t.line(p, start, end)
		l.rtl = src.rtl
		out = append(out, l)
		start = end
	}
	if len(out) == 0 {
		out = []line{{}}
	}
	return out
}

func (t *setter) shapeAll(src *source, spans []Span) *shaped {
	levels := bidiLevels(src.text, src.base())
	fillRemoved(levels, src.base())
	weightOf := func(span int, r rune) weight { return spans[span].weight(r) }
	p := &shaped{source: src, runs: itemise(src.text, levels, src.spans, weightOf), mayBreak: t.breaks(src.text)}
	p.clusters, p.runOf, t.ink = t.clusters[:0], t.runOf[:0], t.ink[:0]
	for i, r := range p.runs {
		p.clusters = append(p.clusters, t.shape(src.text, r)...)
		for len(p.runOf) < len(p.clusters) {
			p.runOf = append(p.runOf, int32(i))
		}
	}
	t.clusters, t.runOf = p.clusters, p.runOf
	return p
}

// breaks returns, for each character, whether a line may break before it (UAX #14).
func (t *setter) breaks(text []rune) []bool {
	out := make([]bool, len(text)+1)
	t.segmenter.Init(text)
	for it := t.segmenter.LineIterator(); it.Next(); {
		l := it.Line()
		out[l.Offset+len(l.Text)] = true
	}
	for i, r := range text { // a format character has no cluster, so the break moves before the next character
		if out[i] && isFormat(r) {
			out[i+1] = true
		}
	}
	return out
}

// isSpace reports whether a cluster is only white space, which may extend past the end of the line.
func (p *shaped) isSpace(c cluster) bool {
	for _, r := range p.text[c.start:c.end] {
		if r != ' ' && !isFormat(r) {
			return false
		}
	}
	return true
}

// weight returns the font in which a character of the span is set.
func (s *Span) weight(r rune) weight {
	switch {
	case s.Code && (r > ' ' && r < 0x7F || r == '…'):
		return mono
	case s.Bold:
		return bold
	}
	return regular
}

// lineEnd returns where the line that starts at a cluster ends. A word wider than the line is broken between clusters.
// Only one line's clusters are examined, so wrapping is linear even without spaces.
func (p *shaped) lineEnd(start int, width int32) int {
	used, last := int32(0), start
	for i := start; i < len(p.clusters); i++ {
		c := p.clusters[i]
		if i > start && p.mayBreak[c.start] {
			last = i
		}
		used += c.advance
		if used <= width || p.isSpace(c) {
			continue
		}
		if last > start && p.isSpace(p.clusters[last-1]) {
			return last
		}
		if nice := p.nameBreak(last, i); nice > last {
			return nice
		}
		if last > start {
			return last
		}
		return p.emergency(start, i)
	}
	return len(p.clusters)
}

// nameBreak returns the last cluster in (start, at] before which a long name breaks best, namely after a separator of
// file names, addresses and digests; start if none.
func (p *shaped) nameBreak(start, at int) int {
	for i := at; i > start; i-- {
		c := p.clusters[i].start
		if c == 0 || int(c) >= len(p.text) {
			continue
		}
		before, after := p.text[c-1], p.text[c]
		if isNameSeparator(before) && (written.IsAlnum(after) || written.IsArabicBlock(after)) && !(before == '.' && after >= '0' && after <= '9') {
			return i
		}
	}
	return start
}

func isNameSeparator(r rune) bool {
	switch r {
	case '_', '-', '/', '.', ':', '?', '&', '=', '#', '@', '\\':
		return true
	}
	return false
}

// emergency moves a break inside a word back to a letter, never before a mark; a line has at least one cluster.
func (p *shaped) emergency(start, at int) int {
	for i := at; i > start && i > at-2*maxMarks; i-- {
		if !unicode.Is(unicode.M, p.text[p.clusters[i].start]) {
			return i
		}
	}
	return max(at, start+1)
}

// line sets the clusters from start to end: trimmed, reshaped where the break isn't safe, reordered and sliced.
func (t *setter) line(p *shaped, start, end int) line {
	trimmed := end
	for trimmed > start && p.isSpace(p.clusters[trimmed-1]) {
		trimmed--
	}
	var pieces [][]cluster
	var runs []run
	var levels []int8
	for i := start; i < trimmed; {
		r := p.runs[p.runOf[i]]
		next := i + 1
		for next < trimmed && p.runOf[next] == p.runOf[i] {
			next++
		}
		pieces = append(pieces, t.piece(p, r, i, next))
		runs, levels = append(runs, r), append(levels, r.level)
		i = next
	}
	var out line
	for _, i := range visualOrder(levels) {
		out.add(t.frag(p.text, pieces[i], runs[i]))
	}
	if trimmed < end && end < len(p.clusters) {
		t.addSpace(&out, p)
	}
	return out
}

// piece returns the part of a run on one line, reshaped if a cut lies where shaping would differ.
func (t *setter) piece(p *shaped, r run, from, to int) []cluster {
	cut := func(i int) bool {
		return i > 0 && i < len(p.clusters) && p.runOf[i-1] == p.runOf[i] && p.clusters[i].unsafe
	}
	if !cut(from) && !cut(to) {
		return p.clusters[from:to]
	}
	r.start, r.end = int(p.clusters[from].start), int(p.clusters[to-1].end)
	return slices.Clone(t.shape(p.text, r))
}

// add appends a fragment at the right end of a line.
func (l *line) add(f frag) {
	if f.codes == "" {
		return
	}
	l.frags = append(l.frags, f)
	l.width += f.width
}

// addSpace adds the space at which a line was broken after its text, outside the measure. Without it, readers of the
// tags would join a line's last word to the first word of the next line.
func (t *setter) addSpace(l *line, p *shaped) {
	if len(l.frags) == 0 {
		return
	}
	at := len(l.frags) - 1
	if p.rtl {
		at = 0
	}
	f := &l.frags[at]
	width := int32(t.faces[f.weight].spaceAdvance())
	code := string(t.slicers[f.weight].code(' ', width, nil))
	width = int32(f.weight.scale(float64(width)))
	if p.rtl {
		f.codes = code + f.codes
		f.width += width
		l.lead = width
		return
	}
	f.codes += code
}

// frag slices a piece into codes, from left to right.
func (t *setter) frag(text []rune, clusters []cluster, r run) frag {
	out := frag{weight: r.weight, span: int32(r.span)}
	codes := t.codes[:0]
	for i := range clusters {
		c := &clusters[i]
		if r.rtl() {
			c = &clusters[len(clusters)-1-i]
		}
		out.width += c.advance
		if r.weight == mono { // in the font, whose letters are larger
			whole := *c
			whole.advance = c.advance * monoWhole / monoShare
			c = &whole
		}
		codes = t.slicers[r.weight].slice(codes, text[c.start:c.end], c, r.rtl())
	}
	out.codes, t.codes = string(codes), codes
	return out
}
