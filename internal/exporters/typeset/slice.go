package typeset

import (
	"slices"
	"unicode"
)

// Slices: one code per Unicode character (spec page 8, step 4). A reader that copies text out of a PDF sees codes, not
// glyphs; a ligature that is one code comes out in the wrong order. So a cluster of k characters becomes k codes that
// share its advance, and its ink lies in the one drawn first.

// slice is one glyph of the derived font.
type slice struct {
	code    rune // in the derived font
	char    rune // what it stands for
	advance int32
	ink     []drawn
}

// sliceKey tells slices apart; nearly all have one piece of ink, the rest is packed to a string.
type sliceKey struct {
	char    rune
	advance int32
	first   drawn
	rest    string
}

// slicer hands out codes for one weight in one document.
type slicer struct {
	codes map[sliceKey]rune
	taken map[rune]bool
	list  []slice
	used  []uint32 // how often each code was drawn
	next  rune     // candidate for a code that isn't its character's own
}

const (
	firstPrivate = 0xE000
	lastPrivate  = 0xF8FF
	firstSpare   = 0x3400 // Han, which the fonts don't have: for a document with more than 6,400 slices
	lastSpare    = 0x9FFF
)

func newSlicer() *slicer {
	return &slicer{codes: map[sliceKey]rune{}, taken: map[rune]bool{}, used: make([]uint32, 1<<16), next: firstPrivate}
}

// slice appends a cluster's codes from left to right. Format characters get none; a cluster's marks get no advance
// when there are letters to share it.
func (z *slicer) slice(codes []rune, text []rune, c *cluster, rtl bool) []rune {
	if len(text) == 1 && !isFormat(text[0]) {
		return append(codes, z.code(text[0], c.advance, c.ink))
	}
	chars := slices.DeleteFunc(slices.Clone(text), isFormat)
	if rtl {
		slices.Reverse(chars)
	}
	letters := int32(0)
	for _, r := range chars {
		if !unicode.Is(unicode.M, r) {
			letters++
		}
	}
	ink, left := c.ink, c.advance
	for i, r := range chars {
		share := int32(0)
		switch {
		case i == len(chars)-1:
			share = left
		case letters > 0 && !unicode.Is(unicode.M, r):
			share = c.advance / letters
		}
		codes = append(codes, z.code(r, share, ink))
		ink, left = nil, left-share
	}
	return codes
}

// code is the code of a slice, a new one if need be.
func (z *slicer) code(char rune, advance int32, ink []drawn) rune {
	key := sliceKey{char: char, advance: advance}
	if len(ink) > 0 {
		key.first = ink[0]
		key.rest = pack(ink[1:])
	} else {
		key.rest = "-"
	}
	if code, ok := z.codes[key]; ok {
		return code
	}
	code := char
	if z.taken[code] || code >= firstPrivate && code <= lastPrivate {
		code = z.free()
	}
	z.taken[code] = true
	z.codes[key] = code
	z.list = append(z.list, slice{code, char, advance, slices.Clone(ink)})
	return code
}

// free is the next code nobody has. A document can't have more slices than there are codes but by malice; then
// slices share the last one.
func (z *slicer) free() rune {
	for z.taken[z.next] && z.next != lastSpare {
		switch z.next++; z.next {
		case lastPrivate + 1:
			z.next = firstSpare
		}
	}
	return z.next
}

// pack makes a map key of pieces of ink.
func pack(ink []drawn) string {
	if len(ink) == 0 {
		return ""
	}
	b := make([]byte, 0, 6*len(ink))
	for _, d := range ink {
		b = append(b, byte(d.glyph>>8), byte(d.glyph), byte(d.x>>8), byte(d.x), byte(d.y>>8), byte(d.y))
	}
	return string(b)
}
