package typeset

import (
	"slices"

	written "sanad/internal/domain/text"
)

// The isolates that the engine inserts itself (rule PDF-9).
const (
	lri = '\u2066'
	rli = '\u2067'
	fsi = '\u2068'
	pdi = '\u2069'
)

// source is one paragraph ready for layout: drawable characters, and the span from which each came.
type source struct {
	text  []rune
	spans []int32
	rtl   bool
}

func (s *source) base() int8 {
	if s.rtl {
		return 1
	}
	return 0
}

// sources returns the paragraphs of spans: sanitised, split at line breaks, with isolates inserted. An empty text
// returns one empty paragraph.
func sources(spans []Span, rtl bool, has func(rune) bool) []source {
	z := sanitiser{has: has}
	var owner []int32
	for i, span := range spans {
		z.base = false
		own := span.Code || span.Isolate || span.Lang != ""
		if own {
			z.out = append(z.out, opener(span))
		}
		z.sanitise(span.Text)
		if own {
			z.out = append(z.out, pdi)
		}
		for len(owner) < len(z.out) {
			owner = append(owner, int32(i))
		}
	}
	var out []source
	start := 0
	for i := 0; i <= len(z.out); i++ {
		if i == len(z.out) || z.out[i] == '\n' {
			s := source{z.out[start:i:i], owner[start:i:i], rtl}
			if start < i {
				s.rtl = spans[owner[start]].Dir.rtl("", rtl)
			}
			out = append(out, s)
			start = i + 1
		}
	}
	for i := range out {
		if out[i].rtl || slices.ContainsFunc(out[i].text, written.IsArabicBlock) {
			out[i].isolate()
		}
	}
	return out
}

// opener returns the control that isolates a span. Code reads from left to right, other text as its language does or,
// if it has none, by its first letter.
func opener(s Span) rune {
	switch {
	case s.Code || s.Lang != "" && !Auto.rtl(s.Lang, false):
		return lri
	case s.Lang != "":
		return rli
	}
	return fsi
}

// isolate puts LRI and PDI around stretches that must not be reordered; in left-to-right text, only around those that
// follow Arabic.
func (s *source) isolate() {
	found := written.Isolations(s.text)
	if !s.rtl {
		found = written.AfterArabic(s.text, found)
	}
	if len(found) == 0 {
		return
	}
	text := make([]rune, 0, len(s.text)+2*len(found))
	spans := make([]int32, 0, cap(text))
	copyTo := func(from, to int) {
		text, spans = append(text, s.text[from:to]...), append(spans, s.spans[from:to]...)
	}
	at := 0
	for _, f := range found {
		copyTo(at, f[0])
		text, spans = append(text, lri), append(spans, s.spans[f[0]])
		copyTo(f[0], f[1])
		text, spans = append(text, pdi), append(spans, s.spans[f[1]-1])
		at = f[1]
	}
	copyTo(at, len(s.text))
	s.text, s.spans = text, spans
}
