package pdftext

import (
	"encoding/binary"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A TrueType font inside a file may have the map from characters to glyphs that programs print with. Where the file
// does not say what the glyphs of its text mean, that map read backwards does.

// ownMap reads the map of a font whose codes are its glyphs.
func (o objects) ownMap(f *font, kid types.Dict) {
	if to := o.name(kid["CIDToGIDMap"]); kid["CIDToGIDMap"] != nil && to != "Identity" {
		return
	}
	if data := o.stream(o.dict(kid["FontDescriptor"])["FontFile2"]); data != nil {
		readGlyphs(data, func(r rune, glyph uint32) bool {
			if !o.take(entrySteps) || len(f.unicode) >= maxMapped {
				return false
			}
			if r >= 0x20 && (r < 0xe000 || r > 0xf8ff) && glyph > 0 && f.unicode[glyph] == "" { // the first is the usual one
				f.unicode[glyph] = string(r)
			}
			return true
		})
	}
}

// sfnt is a part of a font. What lies beyond it reads as zero.
type sfnt []byte

func (s sfnt) at(i int) sfnt {
	if i < 0 || i > len(s) {
		return nil
	}
	return s[i:]
}

func (s sfnt) u16(i int) int {
	if b := s.at(i); len(b) > 1 {
		return int(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (s sfnt) u32(i int) int {
	if b := s.at(i); len(b) > 3 {
		return int(binary.BigEndian.Uint32(b))
	}
	return 0
}

// mostMaps is how many maps of a font are read. A file may name one map many times, and real fonts have a few.
const mostMaps = 16

// readGlyphs calls each for the characters of a font's Unicode maps (OpenType, cmap: formats 4 and 12), until it
// returns false. A character that the font lacks has glyph 0: it is passed on too, so that each can bound the steps.
func readGlyphs(data []byte, each func(r rune, glyph uint32) bool) {
	font := sfnt(data)
	var table sfnt
	for i := range font.u16(4) {
		if at := 12 + 16*i; len(font.at(at)) >= 16 && string(font[at:at+4]) == "cmap" {
			table = font.at(font.u32(at + 8))
		}
	}
	for i := range min(table.u16(2), mostMaps) {
		entry := 4 + 8*i
		platform, kind := table.u16(entry), table.u16(entry+2)
		if platform != 0 && (platform != 3 || kind != 1 && kind != 10) {
			continue
		}
		switch sub := table.at(table.u32(entry + 4)); sub.u16(0) {
		case 4:
			if !sub.segments(each) {
				return
			}
		case 12:
			if !sub.groups(each) {
				return
			}
		}
	}
}

// segments reads a map of format 4.
func (s sfnt) segments(each func(rune, uint32) bool) bool {
	n := s.u16(6) / 2
	for i := range n {
		end, start := s.u16(14+2*i), s.u16(16+2*n+2*i)
		delta, offset := s.u16(16+4*n+2*i), s.u16(16+6*n+2*i)
		for c := start; c <= end && c < 0xffff; c++ {
			glyph := c
			if offset != 0 {
				glyph = s.u16(16 + 6*n + 2*i + offset + 2*(c-start))
			}
			if offset == 0 || glyph != 0 {
				glyph = (glyph + delta) & 0xffff
			}
			if !each(rune(c), uint32(glyph)) {
				return false
			}
		}
	}
	return true
}

// groups reads a map of format 12.
func (s sfnt) groups(each func(rune, uint32) bool) bool {
	for i := range min(s.u32(12), len(s)/12) {
		start, end, glyph := s.u32(16+12*i), s.u32(20+12*i), s.u32(24+12*i)
		for c := start; c <= end && c <= 0x10ffff; c++ {
			if !each(rune(c), uint32(glyph+c-start)) {
				return false
			}
		}
	}
	return true
}
