package text

import (
	"strings"
	"unicode"
)

// Slicer cuts a text by code points, for people to read: a Ruler returns the text as it is, Unmarked without the marks
// of Markdown.
type Slicer interface {
	Len() int
	Slice(sp Span) string
}

// Unmarked shows a Markdown text as a reader sees it: without the marks of headings and bold words, and without the
// backslash before a sign. Marks of list items stay. Spans are those of the text as it is.
type Unmarked struct {
	Ruler
	marks []Span // what is left out, in order
}

// NewUnmarked reads a Markdown text, or a quotation of one.
func NewUnmarked(markdown string) Unmarked {
	u := Unmarked{Ruler: NewRuler(markdown)}
	at := 0
	for line := range strings.Lines(markdown) {
		r := []rune(line)
		u.line(r, at)
		at += len(r)
	}
	return u
}

// Unmark returns a Markdown text as a reader sees it.
func Unmark(markdown string) string {
	u := NewUnmarked(markdown)
	return u.Slice(Span{End: u.Len()})
}

// Slice returns the code points in sp without marks.
func (u Unmarked) Slice(sp Span) string {
	var b strings.Builder
	at := sp.Start
	for _, m := range u.marks {
		if m.End <= at {
			continue
		}
		if m.Start >= sp.End {
			break
		}
		b.WriteString(u.Ruler.Slice(Span{Start: at, End: m.Start}))
		at = m.End
	}
	b.WriteString(u.Ruler.Slice(Span{Start: at, End: sp.End}))
	return b.String()
}

// headingMarks is the most marks that a heading may begin with.
const headingMarks = 6

// line notes the marks of a line that begins at code point at. What stands in a code span is left as it is.
func (u *Unmarked) line(r []rune, at int) {
	hide := func(from, to int) { u.marks = append(u.marks, Span{Start: at + from, End: at + to}) }
	i, code := 0, false
	if n := headingMark(r); n > 0 {
		hide(0, n)
		i = n
	}
	for ; i < len(r); i++ {
		switch {
		case r[i] == '`':
			code = !code
		case code, i+1 == len(r):
		case r[i] == '\\' && isEscapable(r[i+1]):
			hide(i, i+1)
			i++
		case r[i] == '*' && r[i+1] == '*':
			if bolds(r, i) {
				hide(i, i+2)
			}
			i++
		}
	}
}

// headingMark returns the length of a heading's mark with the spaces around it, or 0 if the line is no heading.
func headingMark(r []rune) int {
	i := 0
	for i < len(r) && i < 3 && r[i] == ' ' {
		i++
	}
	from := i
	for i < len(r) && r[i] == '#' {
		i++
	}
	if n := i - from; n == 0 || n > headingMarks || i < len(r) && !unicode.IsSpace(r[i]) {
		return 0
	}
	for i < len(r) && (r[i] == ' ' || r[i] == '\t') {
		i++
	}
	return i
}

// bolds reports whether two asterisks at i begin or end bold words: "2 ** 3" and "2**3" are no mark.
func bolds(r []rune, i int) bool {
	before, after := ' ', ' '
	if i > 0 {
		before = r[i-1]
	}
	if i+2 < len(r) {
		after = r[i+2]
	}
	return !(unicode.IsSpace(before) && unicode.IsSpace(after)) && !(unicode.IsDigit(before) && unicode.IsDigit(after))
}

// isEscapable reports whether a backslash before a character takes its meaning in Markdown.
func isEscapable(r rune) bool {
	return r < unicode.MaxASCII && (unicode.IsPunct(r) || unicode.IsSymbol(r))
}
