package typeset

import (
	"slices"

	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
)

// drawn is a glyph and where it is drawn, in font units from the start of its cluster (1,000 to the em).
type drawn struct {
	glyph uint16
	x, y  int16
}

// cluster is the smallest stretch of text that has glyphs of its own.
type cluster struct {
	start, end int32 // indices of characters in the paragraph
	advance    int32
	unsafe     bool // a line can't begin here without reshaping
	ink        []drawn
}

// run is a stretch of a paragraph with one level, one script and one style.
type run struct {
	start, end int
	level      int8
	script     language.Script
	weight     weight
	span       int // index of the span whose style it has
}

func (r run) rtl() bool { return r.level&1 == 1 }

// shape turns a run into clusters in logical order. text is the whole paragraph: HarfBuzz joins letters across runs by
// looking at the surrounding characters (rule PDF-4). The clusters are valid until the next call, their ink until the
// next paragraph.
func (s *shaper) shape(text []rune, r run) []cluster {
	b := s.buffer
	b.Clear()
	b.ClusterLevel = harfbuzz.MonotoneCharacters
	b.Flags = harfbuzz.RemoveDefaultIgnorables
	b.Props = harfbuzz.SegmentProperties{
		Script: r.script, Language: languageOf(r.script), Direction: harfbuzz.LeftToRight,
	}
	if r.rtl() {
		b.Props.Direction = harfbuzz.RightToLeft
	}
	b.AddRunes(text, r.start, r.end-r.start)
	b.Shape(s.fonts[r.weight], nil)
	out := s.group(b)
	if r.rtl() {
		slices.Reverse(out)
	}
	if !slices.IsSortedFunc(out, func(a, b cluster) int { return int(a.start - b.start) }) {
		out = merge(out, r.rtl())
	}
	for i := range out {
		out[i].end = int32(r.end)
		if i+1 < len(out) {
			out[i].end = out[i+1].start
		}
	}
	if len(out) > 0 {
		out[0].start = int32(r.start) // includes characters dropped in shaping
	}
	if r.weight == mono {
		for i := range out {
			out[i].advance = out[i].advance * monoShare / monoWhole
		}
	}
	return out
}

// group collects the glyphs of a shaped buffer by cluster, in visual order.
func (s *shaper) group(b *harfbuzz.Buffer) []cluster {
	at := len(s.ink)
	s.ink = append(s.ink, make([]drawn, len(b.Info))...)
	ink, out := s.ink[at:], s.groups[:0]
	for i := 0; i < len(b.Info); {
		c := cluster{start: int32(b.Info[i].Cluster)}
		first := i
		for ; i < len(b.Info) && b.Info[i].Cluster == int(c.start); i++ {
			pos := b.Pos[i]
			ink[i] = drawn{uint16(b.Info[i].Glyph), clamp(c.advance + pos.XOffset), clamp(pos.YOffset)}
			c.advance += pos.XAdvance
			c.unsafe = c.unsafe || b.Info[i].Mask&harfbuzz.GlyphUnsafeToBreak != 0
		}
		c.ink = ink[first:i:i]
		out = append(out, c)
	}
	s.groups = out
	return out
}

// merge joins clusters into one in logical order, when shaping didn't keep their order.
func merge(clusters []cluster, rtl bool) []cluster {
	if rtl {
		slices.Reverse(clusters)
	}
	var all cluster
	for _, c := range clusters {
		for _, d := range c.ink {
			all.ink = append(all.ink, drawn{d.glyph, clamp(int32(d.x) + all.advance), d.y})
		}
		all.advance += c.advance
	}
	return []cluster{all}
}

// clamp limits an offset to what a composite glyph can hold.
func clamp(v int32) int16 { return int16(max(-16000, min(16000, v))) }

// languageOf returns the language passed to HarfBuzz for a script.
func languageOf(s language.Script) language.Language {
	if s == language.Arabic {
		return "ar"
	}
	return "en"
}

// maxRun bounds a run's length, so that no buffer grows with the paragraph.
const maxRun = 4096

// itemise splits a paragraph into runs. spans has the span of each character, and weightOf returns a character's weight
// in its span.
func itemise(text []rune, levels []int8, spans []int32, weightOf func(int, rune) weight) []run {
	scripts := resolveScripts(text)
	var out []run
	for i := range text {
		next := run{
			start: i, end: i + 1, level: levels[i], script: native(scripts[i], levels[i]),
			weight: weightOf(int(spans[i]), text[i]), span: int(spans[i]),
		}
		if n := len(out); n > 0 && out[n-1].takes(next) && !(out[n-1].end-out[n-1].start >= maxRun &&
			text[i-1] == ' ') {
			out[n-1].end = i + 1
			continue
		}
		out = append(out, next)
	}
	return out
}

// native keeps scripts in runs of their own direction: in others, HarfBuzz reverses the letters one by one and clusters
// come out of order. Odd-level runs of neutral characters are set as Arabic, digits of any script as Latin.
func native(s language.Script, level int8) language.Script {
	rtl := s == language.Arabic || s == language.Hebrew || s == language.Syriac || s == language.Thaana ||
		s == language.Nko
	switch {
	case level&1 == 1 && !rtl:
		return language.Arabic
	case level&1 == 0 && rtl:
		return language.Latin
	}
	return s
}

func (r run) takes(next run) bool {
	return r.level == next.level && r.script == next.script && r.span == next.span && r.weight == next.weight
}

// resolveScripts gives common and inherited characters the script of the character before them, and leading ones that
// of what follows (UAX #24, 5.1 and 5.2).
func resolveScripts(text []rune) []language.Script {
	out := make([]language.Script, len(text))
	last := language.Script(0)
	for i, r := range text {
		s := language.LookupScript(r)
		if s == language.Common || s == language.Inherited || s == language.Unknown {
			out[i] = last
			continue
		}
		if last == 0 {
			for j := range i {
				out[j] = s
			}
		}
		out[i], last = s, s
	}
	if last == 0 {
		for i := range out {
			out[i] = language.Latin
		}
	}
	return out
}
