package typeset

import (
	"encoding/binary"
	"errors"
)

// Readers for the source fonts' TrueType tables.

var errFont = errors.New("not a TrueType font")

// readTables returns a font file's tables by name.
func readTables(raw []byte) (map[string][]byte, error) {
	if len(raw) < 12 {
		return nil, errFont
	}
	out := map[string][]byte{}
	for i := range int(be16(raw, 4)) {
		entry := 12 + 16*i
		if entry+16 > len(raw) {
			return nil, errFont
		}
		start, size := int(be32(raw, entry+8)), int(be32(raw, entry+12))
		if start+size > len(raw) {
			return nil, errFont
		}
		out[string(raw[entry:entry+4])] = raw[start : start+size : start+size]
	}
	for _, need := range []string{"glyf", "loca", "hmtx", "head", "hhea", "maxp", "OS/2"} {
		if out[need] == nil {
			return nil, errFont
		}
	}
	return out, nil
}

func be16(b []byte, at int) uint16 { return binary.BigEndian.Uint16(b[at:]) }
func be32(b []byte, at int) uint32 { return binary.BigEndian.Uint32(b[at:]) }
func int16At(b []byte, at int) int { return int(int16(be16(b, at))) }

// outline returns a glyph's description in the source font; empty for a glyph without ink.
func (f *typeface) outline(glyph uint16) []byte {
	loca, glyf := f.table["loca"], f.table["glyf"]
	if be16(f.table["head"], 50) == 0 {
		return glyf[2*int(be16(loca, 2*int(glyph))) : 2*int(be16(loca, 2*int(glyph)+2))]
	}
	return glyf[be32(loca, 4*int(glyph)):be32(loca, 4*int(glyph)+4)]
}

// advance returns a glyph's advance in the source font.
func (f *typeface) advance(glyph uint16) int {
	last := be16(f.table["hhea"], 34) - 1
	return int(be16(f.table["hmtx"], 4*int(min(glyph, last))))
}

// spaceAdvance returns the width of the space between words.
func (f *typeface) spaceAdvance() int {
	gid, _ := f.font.NominalGlyph(' ')
	return f.advance(uint16(gid))
}
