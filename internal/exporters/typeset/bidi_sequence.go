package typeset

import "golang.org/x/text/unicode/bidi"

// sequence is an isolating run sequence (BD13), the unit that the weak and neutral rules work on.
type sequence struct {
	p        *paragraph
	at       []int32      // positions in the paragraph, ascending
	types    []bidi.Class // types of those positions, as the rules change them
	level    int8
	sos, eos bidi.Class
}

// sequences splits the paragraph into isolating run sequences (X10).
func (p *paragraph) sequences() []*sequence {
	runs, runOf := p.levelRuns()
	var out []*sequence
	for _, run := range runs {
		first := run[0]
		if p.classes[first] == bidi.PDI && p.match[first] >= 0 {
			continue // continues a sequence
		}
		at := run
		for {
			last := at[len(at)-1]
			if !isInitiator(p.classes[last]) || p.match[last] < 0 {
				break
			}
			at = append(at, runs[runOf[p.match[last]]]...) // runs have no spare capacity, so the first append copies
		}
		out = append(out, p.sequence(at))
	}
	return out
}

// levelRuns returns the positions of each level run and each position's run (BD7), without the removed characters.
func (p *paragraph) levelRuns() (runs [][]int32, runOf []int32) {
	runOf = make([]int32, len(p.text))
	kept := make([]int32, 0, len(p.text))
	start := 0
	for i, level := range p.levels {
		if level == removed {
			continue
		}
		if n := len(kept); n > start && p.levels[kept[n-1]] != level {
			runs = append(runs, kept[start:n:n])
			start = n
		}
		kept = append(kept, int32(i))
		runOf[i] = int32(len(runs))
	}
	if len(kept) > start {
		runs = append(runs, kept[start:len(kept):len(kept)])
	}
	return runs, runOf
}

func (p *paragraph) sequence(at []int32) *sequence {
	s := &sequence{p: p, at: at, level: p.levels[at[0]], types: make([]bidi.Class, len(at))}
	for i, pos := range at {
		s.types[i] = p.types[pos]
	}
	before, after := p.base, p.base
	for i := int(at[0]) - 1; i >= 0; i-- {
		if p.levels[i] != removed {
			before = p.levels[i]
			break
		}
	}
	last := int(at[len(at)-1])
	if !isInitiator(p.classes[last]) || p.match[last] >= 0 {
		for i := last + 1; i < len(p.levels); i++ {
			if p.levels[i] != removed {
				after = p.levels[i]
				break
			}
		}
	}
	s.sos, s.eos = direction(max(s.level, before)), direction(max(s.level, after))
	return s
}

func isInitiator(c bidi.Class) bool { return c == bidi.LRI || c == bidi.RLI || c == bidi.FSI }

// direction returns the strong class of a level.
func direction(level int8) bidi.Class {
	if level&1 == 1 {
		return bidi.R
	}
	return bidi.L
}

// resolve applies the weak, neutral and implicit rules and stores the levels.
func (s *sequence) resolve() {
	s.weakMarks()
	s.weakNumbers()
	s.weakSeparators()
	s.weakTerminators()
	s.brackets()
	s.neutrals()
	for i, pos := range s.at {
		s.p.levels[pos] = implicit(s.level, s.types[i])
	}
}

// implicit returns the level raised by the character's class (I1, I2).
func implicit(level int8, c bidi.Class) int8 {
	switch {
	case level&1 == 0 && c == bidi.R, level&1 == 1 && (c == bidi.L || c == bidi.EN || c == bidi.AN):
		return level + 1
	case level&1 == 0 && (c == bidi.AN || c == bidi.EN):
		return level + 2
	}
	return level
}
