package typeset

import (
	"encoding/binary"
	"slices"
	"sort"
)

// file writes the derived font. list is in the order of codes; its glyphs come first, from 1.
func (d *deriver) file(list []slice) []byte {
	glyf, loca, hmtx := d.outlines()
	n := len(d.glyphs)
	head := slices.Clone(d.face.table["head"])
	binary.BigEndian.PutUint32(head[8:], 0)
	binary.BigEndian.PutUint16(head[50:], 1) // long offsets
	hhea := slices.Clone(d.face.table["hhea"])
	binary.BigEndian.PutUint16(hhea[34:], uint16(n))
	maxp := slices.Clone(d.face.table["maxp"])
	binary.BigEndian.PutUint16(maxp[4:], uint16(n))
	d.raiseLimits(maxp)
	post := make([]byte, 32)
	copy(post[4:16], d.face.table["post"][4:16])
	binary.BigEndian.PutUint32(post, 0x00030000) // no names
	return assemble(map[string][]byte{
		"OS/2": d.face.table["OS/2"], "cmap": cmap4(list), "glyf": glyf, "head": head, "hhea": hhea, "hmtx": hmtx,
		"loca": loca, "maxp": maxp, "name": append16(nil, 0, 0, 6), "post": post,
	})
}

// outlines writes the three tables that have an entry for each glyph. The left side bearing is the outline's own, so
// that no reader shifts it.
func (d *deriver) outlines() (glyf, loca, hmtx []byte) {
	for _, g := range d.glyphs {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		bearing := 0
		if len(g.data) >= 10 {
			bearing = int16At(g.data, 2)
		}
		hmtx = append16(hmtx, g.advance, bearing)
		glyf = append(glyf, g.data...)
		for len(glyf)%4 != 0 {
			glyf = append(glyf, 0)
		}
	}
	return glyf, binary.BigEndian.AppendUint32(loca, uint32(len(glyf))), hmtx
}

// raiseLimits sets what the composites need in maxp: rough upper bounds are allowed.
func (d *deriver) raiseLimits(maxp []byte) {
	const points, contours, elements, depth = 6, 8, 28, 30
	for _, at := range []int{points, contours} { // the composite's figure stands two numbers on
		binary.BigEndian.PutUint16(maxp[at+4:], max(be16(maxp, at+4), 4*be16(maxp, at)))
	}
	binary.BigEndian.PutUint16(maxp[elements:], max(be16(maxp, elements), 16))
	binary.BigEndian.PutUint16(maxp[depth:], be16(maxp, depth)+2)
}

// cmap4 maps codes to glyphs, glyph i+1 to list[i], in one format 4 table.
func cmap4(list []slice) []byte {
	type segment struct{ first, last, delta int }
	var segments []segment
	for i, s := range list {
		code := int(s.code)
		if n := len(segments); n > 0 && segments[n-1].last == code-1 {
			segments[n-1].last = code
			continue
		}
		segments = append(segments, segment{code, code, i + 1 - code})
	}
	segments = append(segments, segment{0xFFFF, 0xFFFF, 1})
	var ends, starts, deltas, offsets []byte
	for _, s := range segments {
		ends, starts = append16(ends, s.last), append16(starts, s.first)
		deltas, offsets = append16(deltas, s.delta), append16(offsets, 0)
	}
	n := len(segments)
	search, selector := searchRange(n)
	out := append16(nil, 0, 1, 3, 1, 0, 12) // one table, Windows BMP, at 12
	out = append16(out, 4, 16+8*n, 0, 2*n, 2*search, selector, 2*(n-search))
	out = append(append(out, ends...), 0, 0)
	return append(append(append(out, starts...), deltas...), offsets...)
}

// searchRange is the greatest power of two up to n and its logarithm.
func searchRange(n int) (power, log int) {
	power = 1
	for 2*power <= n {
		power, log = 2*power, log+1
	}
	return power, log
}

// assemble writes a font file of its tables.
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

// checksum sums a table's 32-bit words.
func checksum(data []byte) uint32 {
	var sum uint32
	for len(data) >= 4 {
		sum, data = sum+binary.BigEndian.Uint32(data), data[4:]
	}
	var last [4]byte
	copy(last[:], data)
	return sum + binary.BigEndian.Uint32(last[:])
}
