package typeset

import (
	"slices"
	"unicode"
)

// Slices provide one code per Unicode character (rule PDF-6). A reader that copies text out of a PDF sees codes, not
// glyphs, and a ligature with one code comes out in the wrong order. So a cluster of k characters becomes k codes that
// share its advance, and the code drawn first has all its ink.

// slice is one glyph of the derived font.
type slice struct {
	char    rune // the character it stands for
	advance int32
	ink     []drawn
}

// sliceKey identifies a slice. Nearly all slices have one piece of ink; more are packed into a string.
type sliceKey struct {
	char    rune
	advance int32
	first   drawn
	rest    string
}

// slicer assigns codes for one weight in one document.
type slicer struct {
	codes map[sliceKey]rune
	list  []slice // the slice at i has code i+1
}

func newSlicer() *slicer { return &slicer{codes: map[sliceKey]rune{}} }

// slice appends a cluster's codes from left to right. Format characters get none. The marks of a cluster get no advance
// if it has letters to share it.
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

// code returns the code of a slice, a new one if the slice is new. Only malicious documents have more slices than there
// are codes; the excess slices then share the last code.
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
	if len(z.list) == lastCode {
		return lastCode
	}
	z.list = append(z.list, slice{char, advance, slices.Clone(ink)})
	code := rune(len(z.list))
	z.codes[key] = code
	return code
}

// pack returns pieces of ink as a map key.
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
