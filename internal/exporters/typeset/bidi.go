package typeset

import "golang.org/x/text/unicode/bidi"

// This file implements UAX #9, the Unicode Bidirectional Algorithm, from characters to embedding levels. x/text
// provides only the character classes: its own ordering merges runs and exposes no levels (rule PDF-3). The functions
// name the annex's rules.

// maxDepth is the deepest explicit level (BD2).
const maxDepth = 125

// removed is the level of a character that rule X9 takes out.
const removed = int8(-1)

// paragraph is the state of one paragraph while its levels are computed.
type paragraph struct {
	text    []rune
	classes []bidi.Class // bidirectional classes as Unicode assigns them
	types   []bidi.Class // types as the rules change them
	levels  []int8
	match   []int32 // index of an isolate initiator's matching PDI and the reverse; -1 if none (BD9)
	base    int8
}

// bidiLevels returns the embedding level of each character of a paragraph, or removed for characters that rule X9
// removes. base is the paragraph's own level, 0 or 1; Sanad takes it from the language, never from the first letter.
func bidiLevels(text []rune, base int8) []int8 {
	if base == 0 && plainLTR(text) {
		return make([]int8, len(text))
	}
	p := newParagraph(text, base)
	p.explicit()
	for _, s := range p.sequences() {
		s.resolve()
	}
	return p.levels
}

// plainLTR reports whether no rule can raise a level in the text, because it has only ASCII, Latin letters
// and Latin marks.
func plainLTR(text []rune) bool {
	for _, r := range text {
		if r >= ' ' && r < 0x7F || r >= 0xA0 && r < 0x250 && r != 0xAD || r >= 0x2010 && r <= 0x2027 {
			continue
		}
		return false
	}
	return true
}

func newParagraph(text []rune, base int8) *paragraph {
	n := len(text)
	p := &paragraph{
		text: text, base: base,
		classes: make([]bidi.Class, n), types: make([]bidi.Class, n), levels: make([]int8, n), match: make([]int32, n),
	}
	for i, r := range text {
		props, _ := bidi.LookupRune(r)
		p.classes[i] = props.Class()
	}
	copy(p.types, p.classes)
	p.matchIsolates()
	return p
}

// matchIsolates finds the matching PDI of each isolate initiator (BD9).
func (p *paragraph) matchIsolates() {
	var open []int32
	for i, c := range p.classes {
		p.match[i] = -1
		switch c {
		case bidi.LRI, bidi.RLI, bidi.FSI:
			open = append(open, int32(i))
		case bidi.PDI:
			if n := len(open); n > 0 {
				p.match[i], p.match[open[n-1]] = open[n-1], int32(i)
				open = open[:n-1]
			}
		}
	}
}

// firstStrong returns the level of the first strong character between two positions, skipping isolates (P2, P3).
func (p *paragraph) firstStrong(from, to int) int8 {
	for i := from; i < to; i++ {
		switch p.classes[i] {
		case bidi.L:
			return 0
		case bidi.R, bidi.AL:
			return 1
		case bidi.LRI, bidi.RLI, bidi.FSI:
			if p.match[i] < 0 {
				return 0
			}
			i = int(p.match[i])
		}
	}
	return 0
}

// directional is an entry of the directional status stack (X1).
type directional struct {
	level    int8
	override bidi.Class // L, R, or ON if none
	isolate  bool
}

// explicitState is the state that rules X1 to X8 carry from one character to the next.
type explicitState struct {
	stack             []directional
	overflowIsolate   int
	overflowEmbedding int
	validIsolate      int
}

func (s *explicitState) top() directional { return s.stack[len(s.stack)-1] }

// explicit computes the explicit levels (X1 to X9).
func (p *paragraph) explicit() {
	s := &explicitState{stack: make([]directional, 1, 4)}
	s.stack[0] = directional{p.base, bidi.ON, false}
	for i, c := range p.classes {
		switch c {
		case bidi.RLE, bidi.LRE, bidi.RLO, bidi.LRO:
			p.levels[i] = removed
			s.embed(c)
		case bidi.RLI, bidi.LRI, bidi.FSI:
			p.place(i, s)
			s.isolate(p.isRTLIsolate(i))
		case bidi.PDI:
			s.popIsolate()
			p.place(i, s)
		case bidi.PDF:
			p.levels[i] = removed
			s.popEmbedding()
		case bidi.B:
			p.levels[i] = p.base
		case bidi.BN:
			p.levels[i] = removed
		default:
			p.place(i, s)
		}
	}
}

// place sets a character's level and applies the override in force (X5a, X6).
func (p *paragraph) place(i int, s *explicitState) {
	p.levels[i] = s.top().level
	if o := s.top().override; o != bidi.ON {
		p.types[i] = o
	}
}

// isRTLIsolate reports whether an isolate is right-to-left. An FSI takes its direction from its content (X5c).
func (p *paragraph) isRTLIsolate(i int) bool {
	if p.classes[i] != bidi.FSI {
		return p.classes[i] == bidi.RLI
	}
	end := len(p.text)
	if p.match[i] >= 0 {
		end = int(p.match[i])
	}
	return p.firstStrong(i+1, end) == 1
}

// next returns the next odd level if rtl, else the next even one.
func (s *explicitState) next(rtl bool) int8 {
	if rtl {
		return (s.top().level + 1) | 1
	}
	return (s.top().level + 2) &^ 1
}

// embed opens an embedding or override (X2 to X5).
func (s *explicitState) embed(c bidi.Class) {
	level := s.next(c == bidi.RLE || c == bidi.RLO)
	if level > maxDepth || s.overflowIsolate > 0 || s.overflowEmbedding > 0 {
		if s.overflowIsolate == 0 {
			s.overflowEmbedding++
		}
		return
	}
	override := bidi.ON
	switch c {
	case bidi.RLO:
		override = bidi.R
	case bidi.LRO:
		override = bidi.L
	}
	s.stack = append(s.stack, directional{level, override, false})
}

// isolate opens an isolate (X5a to X5c).
func (s *explicitState) isolate(rtl bool) {
	level := s.next(rtl)
	if level > maxDepth || s.overflowIsolate > 0 || s.overflowEmbedding > 0 {
		s.overflowIsolate++
		return
	}
	s.validIsolate++
	s.stack = append(s.stack, directional{level, bidi.ON, true})
}

// popIsolate closes the last isolate and the embeddings inside it (X6a).
func (s *explicitState) popIsolate() {
	switch {
	case s.overflowIsolate > 0:
		s.overflowIsolate--
	case s.validIsolate > 0:
		s.overflowEmbedding = 0
		for !s.top().isolate {
			s.stack = s.stack[:len(s.stack)-1]
		}
		s.stack = s.stack[:len(s.stack)-1]
		s.validIsolate--
	}
}

// popEmbedding closes the last embedding (X7).
func (s *explicitState) popEmbedding() {
	switch {
	case s.overflowIsolate > 0:
	case s.overflowEmbedding > 0:
		s.overflowEmbedding--
	case !s.top().isolate && len(s.stack) > 1:
		s.stack = s.stack[:len(s.stack)-1]
	}
}
