package typeset

import (
	"encoding/binary"
	"slices"
	"sort"
)

// file returns the derived font with the tables needed for drawing. The mapping to characters is in the PDF.
func (d *deriver) file() []byte {
	glyf, loca, hmtx := d.outlines()
	n := len(d.glyphs)
	head := slices.Clone(d.face.table["head"])
	binary.BigEndian.PutUint32(head[8:], 0)
	binary.BigEndian.PutUint16(head[50:], 1)
	if len(glyf) < shortOffsets {
		binary.BigEndian.PutUint16(head[50:], 0)
		loca = shorten(loca)
	}
	hhea := slices.Clone(d.face.table["hhea"])
	binary.BigEndian.PutUint16(hhea[34:], uint16(n))
	maxp := slices.Clone(d.face.table["maxp"])
	binary.BigEndian.PutUint16(maxp[4:], uint16(n))
	d.raiseLimits(maxp)
	return assemble(map[string][]byte{"glyf": glyf, "head": head, "hhea": hhea, "hmtx": hmtx, "loca": loca,
		"maxp": maxp})
}

// outlines returns the three tables that have an entry per glyph. The left side bearing is the outline's own, so that
// no reader shifts the glyph.
func (d *deriver) outlines() (glyf, loca, hmtx []byte) {
	for _, g := range d.glyphs {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		bearing := 0
		if len(g.data) >= 10 {
			bearing = int16At(g.data, 2)
		}
		hmtx = append16(hmtx, g.advance, bearing)
		glyf = append(glyf, g.data...)
		if len(glyf)%2 != 0 {
			glyf = append(glyf, 0)
		}
	}
	return glyf, binary.BigEndian.AppendUint32(loca, uint32(len(glyf))), hmtx
}

// shortOffsets is how far two-byte offsets, which are stored halved, can reach.
const shortOffsets = 1 << 17

// shorten returns the offsets in the short, halved form.
func shorten(loca []byte) []byte {
	var out []byte
	for ; len(loca) > 0; loca = loca[4:] {
		out = append16(out, int(binary.BigEndian.Uint32(loca)/2))
	}
	return out
}

// raiseLimits raises the limits in maxp to fit the composites; rough upper bounds are allowed.
func (d *deriver) raiseLimits(maxp []byte) {
	const points, contours, elements, depth = 6, 8, 28, 30
	for _, at := range []int{points, contours} { // the composite's limit is two numbers further on
		binary.BigEndian.PutUint16(maxp[at+4:], max(be16(maxp, at+4), 4*be16(maxp, at)))
	}
	binary.BigEndian.PutUint16(maxp[elements:], max(be16(maxp, elements), 16))
	binary.BigEndian.PutUint16(maxp[depth:], be16(maxp, depth)+2)
}

// searchRange returns the greatest power of two up to n, and its logarithm.
func searchRange(n int) (power, log int) {
	power = 1
	for 2*power <= n {
		power, log = 2*power, log+1
	}
	return power, log
}

// assemble returns the font file with these tables.
func assemble(tables map[string][]byte) []byte {
	names := make([]string, 0, len(tables))
	for name := range tables {
		names = append(names, name)
	}
	sort.Strings(names)
	search, selector := searchRange(len(names))
	out := append16(nil, 1, 0, len(names), 16*search, selector, 16*(len(names)-search))
	at := len(out) + 16*len(names)
	var body []byte
	for _, name := range names {
		data := tables[name]
		out = append(out, name...)
		for _, v := range []int{int(checksum(data)), at + len(body), len(data)} {
			out = binary.BigEndian.AppendUint32(out, uint32(v))
		}
		body = append(body, data...)
		for len(body)%4 != 0 {
			body = append(body, 0)
		}
	}
	return append(out, body...)
}

// checksum returns the sum of a table's 32-bit words.
func checksum(data []byte) uint32 {
	var sum uint32
	for len(data) >= 4 {
		sum, data = sum+binary.BigEndian.Uint32(data), data[4:]
	}
	var last [4]byte
	copy(last[:], data)
	return sum + binary.BigEndian.Uint32(last[:])
}
