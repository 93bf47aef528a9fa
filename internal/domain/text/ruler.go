package text

import (
	"sort"
	"unicode/utf8"
)

// stride is how many code points lie between two marks of a Ruler: the most a look-up walks.
const stride = 64

// Ruler converts between bytes and code points of one string, for repeated use. Building it is linear; a look-up by
// code point is O(1), one by byte O(log n).
type Ruler struct {
	s     string
	n     int   // code points
	marks []int // byte index of each stride-th code point; nil when all is ASCII and both counts agree
}

// NewRuler measures s once.
func NewRuler(s string) Ruler {
	r := Ruler{s: s, n: utf8.RuneCountInString(s)}
	if r.n == len(s) {
		// Invalid bytes are one code point each too, so equal counts mean one byte per code point.
		return r
	}
	r.marks = make([]int, 0, r.n/stride+1)
	cp := 0
	for i := range s {
		if cp%stride == 0 {
			r.marks = append(r.marks, i)
		}
		cp++
	}
	return r
}

// Len counts the code points.
func (r Ruler) Len() int { return r.n }

// Byte returns the byte index where a code point begins, clamped to the string.
func (r Ruler) Byte(codePoint int) int {
	switch {
	case codePoint <= 0:
		return 0
	case codePoint >= r.n:
		return len(r.s)
	case r.marks == nil:
		return codePoint
	}
	mark := r.marks[codePoint/stride]
	return mark + byteAt(r.s[mark:], codePoint%stride)
}

// Offset returns the code point that holds a byte, clamped: Offset(len(s)) is Len.
func (r Ruler) Offset(byteIndex int) int {
	switch {
	case byteIndex <= 0:
		return 0
	case byteIndex >= len(r.s):
		return r.n
	case r.marks == nil:
		return byteIndex
	}
	k := sort.SearchInts(r.marks, byteIndex+1) - 1
	cp, i := k*stride, r.marks[k]
	for i+width(r.s, i) <= byteIndex {
		i += width(r.s, i)
		cp++
	}
	return cp
}

// Slice returns the code points inside sp, clamped; a span turned round gives "".
func (r Ruler) Slice(sp Span) string {
	if sp.End <= sp.Start {
		return ""
	}
	return r.s[r.Byte(sp.Start):r.Byte(sp.End)]
}
