package typeset

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// All text enters the engine through this file, which leaves only what the fonts can draw. Anything else is shown as
// its code point in brackets, "[U+1F600]", which can be read aloud, searched and looked up; the attached JSON has the
// original text.

// maxMarks is how many combining marks a letter may have; further ones are shown as placeholders.
const maxMarks = 6

// dottedCircle is the base of a mark that has no letter.
const dottedCircle = '\u25cc'

// substitutes maps characters that the fonts lack to close relatives.
var substitutes = map[rune]rune{
	'●': '•', '▪': '•', '◦': '•', '‣': '•', '⁃': '•', '■': '•', '✔': '✓', '─': '—', '━': '—', '│': '|', '′': '\'',
	'″': '"', '\u2011': '\u2010', '\t': ' ', '\u2000': ' ', '\u2001': ' ', '\u2028': '\n', '\u2029': '\n', '\v': '\n',
	'\f': '\n', '\r': '\n', '\u0085': '\n', '\u3000': ' ', '\u1680': ' ',
}

// sanitiser converts any bytes to drawable characters.
type sanitiser struct {
	has   func(rune) bool
	out   []rune
	marks int  // on the current letter so far
	base  bool // the last character can carry marks
}

// sanitise appends the drawable form of s. Line breaks come out as line feeds. All other characters are drawn or, like
// the joiners, only affect shaping and breaking.
func (z *sanitiser) sanitise(s string) {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			z.placeholder(fmt.Sprintf("[byte %02X]", s[i]))
			i++
			continue
		}
		if r == '\r' && i+1 < len(s) && s[i+1] == '\n' {
			size++
		}
		i += size
		z.rune(r)
	}
}

// rune appends the drawable form of one character.
func (z *sanitiser) rune(r rune) {
	if r >= ' ' && r < 0x7F { // every font has these
		z.put(r, r != ' ')
		return
	}
	if to, ok := substitutes[r]; ok && (r < ' ' || !z.has(r)) {
		r = to
	}
	switch {
	case r == '\n':
		z.put(r, false)
	case isSilent(r):
	case isSteering(r):
		z.out = append(z.out, r)
	case r > 0xFFFF || unicode.Is(unicode.Co, r) || unicode.Is(unicode.Cc, r) || isBidiControl(r):
		z.placeholder(fmt.Sprintf("[U+%04X]", r))
	case r >= 0xFB50 && r <= 0xFEFC && z.decomposed(norm.NFKC, r):
	case unicode.Is(unicode.M, r):
		z.mark(r)
	case z.has(r) || z.covered(r):
		z.put(r, r != ' ')
	case unicode.Is(unicode.Zs, r):
		z.put(' ', false)
	default:
		z.placeholder(fmt.Sprintf("[U+%04X]", r))
	}
}

func (z *sanitiser) put(r rune, base bool) {
	z.out = append(z.out, r)
	z.base, z.marks = base, 0
}

// mark appends a combining mark, on a dotted circle if it has no letter.
func (z *sanitiser) mark(r rune) {
	if !z.has(r) || z.marks >= maxMarks {
		z.placeholder(fmt.Sprintf("[U+%04X]", r))
		return
	}
	if !z.base {
		z.put(dottedCircle, true)
	}
	z.out = append(z.out, r)
	z.marks++
}

// placeholder appends the readable name of something that can't be drawn.
func (z *sanitiser) placeholder(s string) {
	z.out = append(z.out, []rune(s)...)
	z.base, z.marks = false, 0
}

// decomposed appends a character's normal form if the fonts have all of it, and reports whether it did. Old
// presentation forms thereby become the letters they stand for, so that searching finds them.
func (z *sanitiser) decomposed(form norm.Form, r rune) bool {
	letters := []rune(form.String(string(r)))
	if len(letters) == 1 && letters[0] == r {
		return false
	}
	for _, l := range letters {
		if !z.has(l) {
			return false
		}
	}
	for _, l := range letters {
		if unicode.Is(unicode.M, l) {
			z.mark(l)
			continue
		}
		z.put(l, l != ' ')
	}
	return true
}

// covered reports whether HarfBuzz can compose a character from its canonical parts.
func (z *sanitiser) covered(r rune) bool {
	parts := []rune(norm.NFD.String(string(r)))
	if len(parts) == 1 && parts[0] == r {
		return false
	}
	for _, p := range parts {
		if !z.has(p) {
			return false
		}
	}
	return true
}

// isSilent reports whether a character has no appearance and no use here: soft hyphen, byte order
// mark, variation selectors.
func isSilent(r rune) bool {
	return r == 0xAD || r == 0xFEFF || r >= 0xFE00 && r <= 0xFE0F || r == 0x34F || r >= 0x2061 && r <= 0x2064
}

// isSteering reports whether an invisible character is kept because it affects joining, breaking or the direction of
// its neighbours: ZWSP, joiners, LRM, RLM, ALM, WJ.
func isSteering(r rune) bool { return r >= 0x200B && r <= 0x200F || r == 0x2060 || r == 0x61C }

// isBidiControl reports whether a character is a control that reorders distant text. Such controls are shown, not
// obeyed: the order on the page must be the order of the characters ("Trojan source"). The engine inserts its own
// isolates after this step.
func isBidiControl(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x206F }

// isFormat reports whether a character is dropped after shaping, because it has no code on the page.
func isFormat(r rune) bool {
	return isSteering(r) || r >= lri && r <= pdi || r == '\n'
}
