package typeset

import "golang.org/x/text/unicode/bidi"

// weakMarks sets marks to the class of the character they combine with (W1).
func (s *sequence) weakMarks() {
	prev := s.sos
	for i, c := range s.types {
		if c == bidi.NSM {
			s.types[i] = prev
			if isInitiator(prev) || prev == bidi.PDI {
				s.types[i] = bidi.ON
			}
		}
		prev = s.types[i]
	}
}

// weakNumbers turns European digits after an Arabic letter into Arabic digits, and Arabic letters into R (W2, W3).
func (s *sequence) weakNumbers() {
	strong := s.sos
	for i, c := range s.types {
		switch c {
		case bidi.L, bidi.R:
			strong = c
		case bidi.AL:
			strong = c
			s.types[i] = bidi.R
		case bidi.EN:
			if strong == bidi.AL {
				s.types[i] = bidi.AN
			}
		}
	}
}

// weakSeparators turns a single separator between two numbers into a number (W4).
func (s *sequence) weakSeparators() {
	t := s.types
	for i := 1; i+1 < len(t); i++ {
		before, after := t[i-1], t[i+1]
		switch {
		case before != after:
		case before == bidi.EN && (t[i] == bidi.ES || t[i] == bidi.CS), before == bidi.AN && t[i] == bidi.CS:
			t[i] = before
		}
	}
}

// weakTerminators turns terminators beside European numbers into numbers and the others into neutrals, and European
// numbers after a Latin letter into L (W5 to W7).
func (s *sequence) weakTerminators() {
	t := s.types
	for i := 0; i < len(t); i++ {
		if t[i] != bidi.ET {
			continue
		}
		end := i
		for end < len(t) && t[end] == bidi.ET {
			end++
		}
		if i > 0 && t[i-1] == bidi.EN || end < len(t) && t[end] == bidi.EN {
			fill(t[i:end], bidi.EN)
		}
		i = end - 1
	}
	strong := s.sos
	for i, c := range t {
		switch c {
		case bidi.ET, bidi.ES, bidi.CS:
			t[i] = bidi.ON
		case bidi.L, bidi.R:
			strong = c
		case bidi.EN:
			if strong == bidi.L {
				t[i] = bidi.L
			}
		}
	}
}

// neutrals sets neutral characters to the direction of both sides if they agree, else to the embedding's (N1, N2).
func (s *sequence) neutrals() {
	t := s.types
	before := s.sos
	for i := 0; i < len(t); i++ {
		if !isNeutral(t[i]) {
			before = asStrong(t[i])
			continue
		}
		end := i
		for end < len(t) && isNeutral(t[end]) {
			end++
		}
		after := s.eos
		if end < len(t) {
			after = asStrong(t[end])
		}
		to := direction(s.level)
		if before == after {
			to = before
		}
		fill(t[i:end], to)
		i = end - 1
	}
}

func isNeutral(c bidi.Class) bool {
	switch c {
	case bidi.B, bidi.S, bidi.WS, bidi.ON, bidi.PDI:
		return true
	}
	return isInitiator(c)
}

// asStrong returns the class as the neutral rules see it: numbers count as R.
func asStrong(c bidi.Class) bidi.Class {
	if c == bidi.EN || c == bidi.AN {
		return bidi.R
	}
	return c
}

func fill(t []bidi.Class, c bidi.Class) {
	for i := range t {
		t[i] = c
	}
}
