package text

import (
	"math"
	"unicode"
)

// Sentences splits plain text, English or Arabic, into its sentences. The spans are trimmed, in order, disjoint and
// never empty.
//
// A sentence ends at . ! ? ؟ … (and 。！？۔) with the quotes, brackets and citation anchors that close it, at a blank
// line, and at a new line that begins a list item or follows a heading; the marker of a list item is outside its span.
// A line that begins with a bar is a row of a table: one sentence, whatever is in its cells.
// It does not end at ؛ or ،, at an abbreviation or initial, inside a number, URL, inline code or anchor, at an elision
// ("a … b"), or where the next word begins in lower case. In doubt the sentence stays whole: a sentence that is too
// long misleads a judge less than half a sentence.
func Sentences(s string) []Span { return sentences(s, math.MaxInt) }

// FirstSentence returns the first of the sentences of s, an empty span if it has none. It reads no further.
func FirstSentence(s string) Span {
	for _, span := range sentences(s, 1) {
		return span
	}
	return Span{}
}

// sentences returns the sentences of s, the first ones until they are as many as most.
func sentences(s string, most int) []Span {
	sp := splitter{r: []rune(s)}
	sp.start = sp.skipMarker(0)
	first := sp.skipBlanks(0)
	i := 0
	if sp.isRow(first) {
		sp.line, i = first, sp.row(first)
	}
	for i < len(sp.r) && len(sp.out) < most {
		i = sp.step(i)
	}
	if len(sp.out) < most {
		sp.cut(len(sp.r))
	}
	return sp.out
}

// splitter walks the code points once; start is where the current sentence begins, line where its line does.
type splitter struct {
	r     []rune
	start int
	line  int
	out   []Span
}

// step handles the code point at i and returns the next one to look at.
func (sp *splitter) step(i int) int {
	switch c := sp.r[i]; {
	case isNewline(c):
		return sp.newline(i)
	case c == '`':
		return sp.code(i)
	case c == '[':
		return max(i+1, sp.anchor(i))
	case (c == 'h' || c == 'H' || c == 'w' || c == 'W') && sp.isURL(i):
		return sp.url(i)
	case isTerminator(c):
		return sp.terminator(i)
	}
	return i + 1
}

// cut ends the current sentence before end.
func (sp *splitter) cut(end int) {
	from, to := sp.start, end
	for from < to && isTrim(sp.r[from]) {
		from++
	}
	for to > from && isTrim(sp.r[to-1]) {
		to--
	}
	if from < to {
		sp.out = append(sp.out, Span{from, to})
	}
	sp.start = end
}

// terminator reads a run of marks at i and what closes it, and cuts after it if the sentence ends there.
func (sp *splitter) terminator(i int) int {
	end := i
	for end < len(sp.r) && isTerminator(sp.r[end]) {
		end++
	}
	closed := sp.closers(end)
	if sp.ends(i, end, closed) {
		closed = sp.anchors(closed)
		sp.cut(closed)
	}
	return closed
}

// closers returns the place after the quotes, brackets, emphasis and footnote marks at i.
func (sp *splitter) closers(i int) int {
	for i < len(sp.r) {
		switch {
		case isCloser(sp.r[i]):
			i++
		case sp.r[i] == '[' && sp.footnote(i) > i:
			i = sp.footnote(i)
		default:
			return i
		}
	}
	return i
}

// footnote returns the place after "[12]" at i, or i.
func (sp *splitter) footnote(i int) int {
	j := i + 1
	for j < len(sp.r) && j-i < 5 && isDigit(sp.r[j]) {
		j++
	}
	if j > i+1 && j < len(sp.r) && sp.r[j] == ']' {
		return j + 1
	}
	return i
}

// anchors returns the place after the citation anchors that follow a sentence on its line: they cite what precedes
// them.
func (sp *splitter) anchors(i int) int {
	for {
		j := sp.skipBlanks(i)
		after := sp.anchor(j)
		if after == j {
			return i
		}
		i = after
		for i < len(sp.r) && sp.r[i] == '.' {
			i++
		}
	}
}

// anchor returns the place after the citation anchor at i, or i.
func (sp *splitter) anchor(i int) int {
	const open = "[cite:"
	if i+len(open) >= len(sp.r) {
		return i
	}
	for k, c := range open {
		if unicode.ToLower(sp.r[i+k]) != c {
			return i
		}
	}
	for j := i + len(open); j < len(sp.r) && j-i < maxAnchor && !isNewline(sp.r[j]); j++ {
		if sp.r[j] == ']' {
			return j + 1
		}
	}
	return i
}

func (sp *splitter) skipBlanks(i int) int {
	for i < len(sp.r) && isTrim(sp.r[i]) && !isNewline(sp.r[i]) {
		i++
	}
	return i
}
