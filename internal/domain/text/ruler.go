package text

import (
	"sort"
	"unicode/utf8"
)

// stride is the number of code points between two marks of a Ruler: the most that a look-up walks.
const stride = 64

// Ruler converts between bytes and code points of one string. Building it is linear; a look-up by code point is O(1),
// by byte O(log n).
type Ruler struct {
	s     string
	n     int   // code points
	marks []int // byte index of each stride-th code point; nil if s is ASCII and the two counts agree
}

// NewRuler returns a Ruler for s.
func NewRuler(s string) Ruler {
	r := Ruler{s: s, n: utf8.RuneCountInString(s)}
	if r.n == len(s) {
		// An invalid byte is one code point too, so equal counts mean one byte per code point.
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

// Len returns the number of code points.
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

// Offset returns the index of the code point that contains a byte, clamped: Offset(len(s)) is Len.
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

// Slice returns the code points in sp, clamped; "" if sp ends before it starts.
func (r Ruler) Slice(sp Span) string {
	if sp.End <= sp.Start {
		return ""
	}
	return r.s[r.Byte(sp.Start):r.Byte(sp.End)]
}
