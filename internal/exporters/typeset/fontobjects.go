package typeset

import (
	"crypto/sha256"
	"fmt"
)

// fonts writes the objects of each derived font.
func (p *finisher) fonts() {
	for w, z := range p.flow.set.slicers {
		if len(z.list) > 0 {
			p.fontRefs[w] = p.font(weight(w), z.list)
		}
	}
}

// font writes a composite font: its CMap, its widths and its file. It returns the font's object number.
func (p *finisher) font(w weight, list []slice) int {
	face := &p.flow.set.faces[w]
	name := subsetTag(list) + "+" + face.name
	data := derive(face, list)
	file := p.add(stream(fmt.Sprintf("/Length1 %d", len(data)), data))
	const system = "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
	unicode := p.add(stream("", toUnicode(list)))
	descriptor := p.add(append(fmt.Appendf(nil, "<</Type/FontDescriptor/FontName/%s", name),
		face.descriptor(w, file)...))
	widths := fmt.Appendf(nil, "<</Type/Font/Subtype/CIDFontType2/BaseFont/%s%s/FontDescriptor %d 0 R/CIDToGIDMap/Identity/DW 1000/W[1[", name, system, descriptor)
	for i, s := range list {
		if i > 0 {
			widths = append(widths, ' ')
		}
		widths = fmt.Appendf(widths, "%d", s.advance)
	}
	below := p.add(append(widths, "]]>>"...))
	return p.add(fmt.Appendf(nil, "<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H/DescendantFonts[%d 0 R]/ToUnicode %d 0 R>>", name, below, unicode))
}

// descriptor returns the rest of a font descriptor, in thousandths of the em, which are the fonts' units.
func (t *typeface) descriptor(w weight, file int) []byte {
	const symbolic, fixed = 4, 1
	flags, stem := symbolic, 80
	switch w {
	case bold:
		stem = 140
	case mono:
		flags |= fixed
	}
	head, hhea, os2 := t.table["head"], t.table["hhea"], t.table["OS/2"]
	return fmt.Appendf(nil, "/Flags %d/FontBBox[%d %d %d %d]/ItalicAngle 0/Ascent %d/Descent %d/CapHeight %d/StemV %d/FontFile2 %d 0 R>>",
		flags, int16At(head, 36), int16At(head, 38), int16At(head, 40), int16At(head, 42), int16At(hhea, 4),
		int16At(hhea, 6), int16At(os2, 88), stem, file)
}

// subsetTag returns the six-letter prefix of a subset font's name, derived from its slices.
func subsetTag(list []slice) string {
	h := sha256.New()
	for _, s := range list {
		_, _ = fmt.Fprintf(h, "%d %d %v;", s.char, s.advance, s.ink)
	}
	tag := h.Sum(nil)[:6]
	for i := range tag {
		tag[i] = 'A' + tag[i]%26
	}
	return string(tag)
}
