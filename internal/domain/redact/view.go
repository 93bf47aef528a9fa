package redact

import (
	"unicode"
	"unicode/utf8"
)

// The bytes of a view that stand for code points without an ASCII form.
const (
	letter = 0x80 // a letter or mark beyond ASCII
	symbol = 0x81 // anything else
)

// view is a text as the detectors read it: one byte for each visible code point. Digits, spaces, dashes and dots of all
// supported scripts become ASCII. Invisible characters, which may occur anywhere in Arabic text, are removed.
type view struct {
	src string
	b   []byte
	at  []int // where in src each byte of b comes from; nil if they are the same
}

func newView(s string) view {
	v := view{src: s, b: make([]byte, 0, len(s))}
	i := 0
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	v.b = append(v.b, s[:i]...)
	if i == len(s) {
		return v
	}
	v.at = make([]int, i, len(s))
	for k := range v.at {
		v.at[k] = k
	}
	for i < len(s) {
		r, w := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, w = utf8.DecodeRuneInString(s[i:])
		}
		if c := plain(r); c != 0 || r == 0 {
			v.b, v.at = append(v.b, c), append(v.at, i)
		}
		i += w
	}
	return v
}

// original returns the bytes of src that v.b[i:j] stands for; i < j.
func (v *view) original(i, j int) (start, end int) {
	if v.at == nil {
		return i, j
	}
	end = v.at[j-1]
	_, w := utf8.DecodeRuneInString(v.src[end:])
	return v.at[i], end + w
}

// peek returns the byte at i, 0 if i is out of range.
func (v *view) peek(i int) byte {
	if i < 0 || i >= len(v.b) {
		return 0
	}
	return v.b[i]
}

// plain returns the byte that represents r, 0 if r is invisible.
func plain(r rune) byte {
	switch {
	case r < utf8.RuneSelf:
		return byte(r)
	case r >= '٠' && r <= '٩':
		return byte('0' + r - '٠')
	case r >= '۰' && r <= '۹':
		return byte('0' + r - '۰')
	case r >= 0xff01 && r <= 0xff5e: // the full-width forms of ! to ~
		return byte(r - 0xff01 + '!')
	case r >= 0x2010 && r <= 0x2015, r == 0x2212, r == 0xfe63:
		return '-'
	case r == '٫', r == '۔':
		return '.'
	case r == '٬', r == '،':
		return ','
	case r == 0xad, r == 0x0640, unicode.Is(unicode.Cf, r), unicode.Is(unicode.Mn,
		r): // soft hyphen, tatweel, bidi controls, tashkeel
		return 0
	case unicode.IsSpace(r):
		return ' '
	case unicode.Is(unicode.Sc, r):
		return '$'
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return letter
	}
	return symbol
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isAlnum(c byte) bool { return isDigit(c) || isAlpha(c) }

// ascii returns v.b[i:j] as a string to compare with ASCII constants.
func (v *view) ascii(i, j int) string { return string(v.b[i:j]) }

// readable returns the text with ASCII digits and without invisible characters, and the offset in src of each byte.
func (v *view) readable() (string, []int) {
	out, at := make([]byte, 0, len(v.src)), make([]int, 0, len(v.src))
	for _, i := range v.at {
		r, w := utf8.DecodeRuneInString(v.src[i:])
		if c := plain(r); isDigit(c) {
			out, at = append(out, c), append(at, i)
			continue
		}
		for k := range w {
			out, at = append(out, v.src[i+k]), append(at, i)
		}
	}
	return string(out), at
}
