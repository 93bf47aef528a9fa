package text

import "unicode/utf8"

// Span is a half-open range of Unicode code points.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Len returns the number of code points of the span; 0 if it ends before it starts.
func (sp Span) Len() int { return max(0, sp.End-sp.Start) }

// Len returns the number of code points of s.
func Len(s string) int { return utf8.RuneCountInString(s) }

// Slice returns the code points of s in sp. Ends outside s are clamped; a span that ends before it starts gives "". It
// walks s from its start: for many slices of one string use a Ruler.
func Slice(s string, sp Span) string {
	start, end := max(0, sp.Start), sp.End
	if end <= start {
		return ""
	}
	from := byteAt(s, start)
	return s[from : from+byteAt(s[from:], end-start)]
}

// byteAt returns the byte index of the n-th code point of s, or len(s) if s is shorter.
func byteAt(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	i := 0
	for ; n > 0 && i < len(s); n-- {
		i += width(s, i)
	}
	return i
}

// width returns the number of bytes of the code point at s[i]; 1 for an invalid byte.
func width(s string, i int) int {
	if s[i] < utf8.RuneSelf {
		return 1
	}
	_, w := utf8.DecodeRuneInString(s[i:])
	return w
}
