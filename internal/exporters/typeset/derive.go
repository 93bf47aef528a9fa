package typeset

import (
	"encoding/binary"
	"slices"
)

// The derived font: one glyph for each slice of one document, with its ink baked in (rule PDF-6).

// Flags of a composite glyph's components.
const (
	argsAreWords    = 1 << 0
	argsAreXY       = 1 << 1
	haveScale       = 1 << 3
	moreComponents  = 1 << 5
	haveXYScale     = 1 << 6
	haveTwoByTwo    = 1 << 7
	haveInstruction = 1 << 8
)

// derivedGlyph is a glyph of the derived font.
type derivedGlyph struct {
	data    []byte
	advance int
}

// deriver builds one derived font.
type deriver struct {
	face   *typeface
	glyphs []derivedGlyph
	base   map[uint16]int // source glyph → derived glyph with the same outline
}

// derive returns the font file of all slices, with the slice at i as glyph i+1; nil if none.
func derive(face *typeface, list []slice) []byte {
	if len(list) == 0 {
		return nil
	}
	d := &deriver{face: face, base: map[uint16]int{}, glyphs: make([]derivedGlyph, len(list)+1)}
	d.glyphs[0] = derivedGlyph{advance: 500}
	for i, s := range list { // a slice that is a single glyph in place becomes that glyph
		if _, used := d.base[plain(s)]; !used && plain(s) != 0 && len(face.outline(plain(s))) > 0 {
			d.base[plain(s)] = i + 1
		}
	}
	for i, s := range list {
		d.glyphs[i+1].advance = int(s.advance)
		if g := plain(s); g != 0 && d.base[g] == i+1 {
			d.glyphs[i+1].data = d.outline(g)
			continue
		}
		data := d.composite(s.ink)
		d.glyphs[i+1].data = data
	}
	return d.file()
}

// plain returns the glyph of a slice that consists of exactly one glyph in its place, else 0.
func plain(s slice) uint16 {
	if len(s.ink) == 1 && s.ink[0].x == 0 && s.ink[0].y == 0 {
		return s.ink[0].glyph
	}
	return 0
}

// baseGlyph returns the derived glyph with a source glyph's outline, adding it if needed.
func (d *deriver) baseGlyph(glyph uint16) int {
	if at, ok := d.base[glyph]; ok {
		return at
	}
	at := len(d.glyphs)
	d.base[glyph] = at
	d.glyphs = append(d.glyphs, derivedGlyph{advance: d.face.advance(glyph)})
	data := d.outline(glyph)
	d.glyphs[at].data = data
	return at
}

// outline returns a source outline without its hinting; its components refer to derived glyphs.
func (d *deriver) outline(glyph uint16) []byte {
	src := d.face.outline(glyph)
	if len(src) < 12 {
		return nil
	}
	if n := int16At(src, 0); n >= 0 {
		head := 10 + 2*n
		skip := head + 2 + int(be16(src, head))
		return append(append(slices.Clone(src[:head]), 0, 0), src[skip:]...)
	}
	out := slices.Clone(src)
	at, flags := 10, moreComponents
	for flags&moreComponents != 0 {
		flags = int(be16(out, at)) &^ haveInstruction
		binary.BigEndian.PutUint16(out[at:], uint16(flags))
		binary.BigEndian.PutUint16(out[at+2:], uint16(d.baseGlyph(be16(src, at+2))))
		at += componentSize(flags)
	}
	return out[:at]
}

// componentSize returns the length of a component with these flags.
func componentSize(flags int) int {
	size := 6
	if flags&argsAreWords != 0 {
		size += 2
	}
	switch {
	case flags&haveScale != 0:
		size += 2
	case flags&haveXYScale != 0:
		size += 4
	case flags&haveTwoByTwo != 0:
		size += 8
	}
	return size
}

// composite returns a composite glyph made of pieces of ink; nil if none of them has an outline.
func (d *deriver) composite(ink []drawn) []byte {
	visible := slices.DeleteFunc(slices.Clone(ink), func(p drawn) bool { return len(d.face.outline(p.glyph)) < 12 })
	if len(visible) == 0 {
		return nil
	}
	box := [4]int{32767, 32767, -32768, -32768}
	var parts []byte
	for i, p := range visible {
		src := d.face.outline(p.glyph)
		x, y := int(p.x), int(p.y)
		box[0], box[1] = min(box[0], int16At(src, 2)+x), min(box[1], int16At(src, 4)+y)
		box[2], box[3] = max(box[2], int16At(src, 6)+x), max(box[3], int16At(src, 8)+y)
		flags := argsAreWords | argsAreXY
		if i+1 < len(visible) {
			flags |= moreComponents
		}
		parts = append16(parts, flags, d.baseGlyph(p.glyph), x, y)
	}
	return append(append16(nil, -1, box[0], box[1], box[2], box[3]), parts...)
}

// append16 appends 16-bit numbers, signed or not.
func append16(b []byte, values ...int) []byte {
	for _, v := range values {
		b = binary.BigEndian.AppendUint16(b, uint16(v))
	}
	return b
}
