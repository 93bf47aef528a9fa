package typeset

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// Codes: what stands for a slice in a page's strings. The slices a document uses most have one byte, the rest have two,
// the first of which no short code has, as in the encodings of Chinese and Japanese. Pages are laid out before it is
// known which those are, so they hold slicer's codes until all of them are counted.

// codebook is the encoding of one derived font. A code's number is its CID and its glyph too: readers that keep the map
// to Unicode by CID look it up in the space of codes.
type codebook struct {
	list  []slice  // list[i] has the code i+1; gaps are empty
	short int      // codes from here on, and below oneByte, have one byte
	of    []uint16 // the code of each of the slicer's
}

// oneByte is the first code of two bytes: their first bytes are those below short.
const oneByte = 256

// newCodebook encodes a font's slices by how often each was used.
func newCodebook(z *slicer) *codebook {
	leads := 0
	for oneByte-1-leads+oneByte*leads < len(z.list) {
		leads++
	}
	b := &codebook{short: leads + 1, of: make([]uint16, 1<<16)}
	list := slices.SortedStableFunc(slices.Values(z.list), func(a, c slice) int { return cmp.Compare(z.used[c.code], z.used[a.code]) })
	plain, rare := b.shortCodes()
	n := min(len(list), len(plain))
	b.assign(list[:n], plain)
	list = list[n:]
	n = min(len(list), len(rare))
	b.assign(list[:n], rare)
	list = list[n:]
	long := make([]int, len(list))
	for i := range long {
		long[i] = oneByte + i
	}
	b.assign(list, long)
	return b
}

// assign gives slices codes, by their characters.
func (b *codebook) assign(list []slice, codes []int) {
	slices.SortFunc(list, func(a, c slice) int { return cmp.Or(cmp.Compare(a.char, c.char), cmp.Compare(a.code, c.code)) })
	for i, s := range list {
		for len(b.list) < codes[i] {
			b.list = append(b.list, slice{})
		}
		b.list[codes[i]-1] = s
		b.of[s.code] = uint16(codes[i])
	}
}

// shortCodes are the codes of one byte; rare ones need an escape in a string.
func (b *codebook) shortCodes() (plain, rare []int) {
	for c := b.short; c < oneByte; c++ {
		if escaped(byte(c)) {
			rare = append(rare, c)
		} else {
			plain = append(plain, c)
		}
	}
	return plain, rare
}

// escaped tells a byte that needs an escape in a string. Brackets would do without in pairs.
func escaped(c byte) bool { return c == '(' || c == ')' || c == '\\' || c == '\r' }

// append writes a slicer's code into a string.
func (b *codebook) append(out []byte, code rune) []byte {
	c := b.of[code]
	if c >= oneByte {
		out = appendByte(out, byte(c>>8))
	}
	return appendByte(out, byte(c))
}

// appendByte writes a byte of a string.
func appendByte(out []byte, c byte) []byte {
	switch {
	case c == '\r':
		return append(out, '\\', 'r')
	case escaped(c):
		return append(out, '\\', c)
	}
	return append(out, c)
}

// codeHex is how a code is written in a CMap.
func codeHex(code int) string {
	if code >= oneByte {
		return fmt.Sprintf("<%04X>", code)
	}
	return fmt.Sprintf("<%02X>", code)
}

// runs cuts the codes in use to stretches that follow one another in one row: the first and the one after the last.
func (b *codebook) runs() [][2]int {
	var out [][2]int
	for i := range b.list {
		code := i + 1
		if b.list[i].code == 0 {
			continue
		}
		if n := len(out); n > 0 && out[n-1][1] == code && code%oneByte != 0 {
			out[n-1][1]++
			continue
		}
		out = append(out, [2]int{code, code + 1})
	}
	return out
}

// cmap writes a CMap: its head, the code space, and sections of at most 100 lines.
func (b *codebook) cmap(name, ordering, kind, section string, lines []string) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"+
		"/CIDSystemInfo <</Registry (Adobe) /Ordering (%s) /Supplement 0>> def\n/CMapName /%s def\n%s", ordering, name, kind)
	if b.short == 1 {
		out.WriteString("1 begincodespacerange\n<00> <FF>\n")
	} else {
		fmt.Fprintf(&out, "2 begincodespacerange\n<%02X> <FF>\n<0100> <%02XFF>\n", b.short, b.short-1)
	}
	out.WriteString("endcodespacerange\n")
	for part := range slices.Chunk(lines, 100) {
		fmt.Fprintf(&out, "%d begin%s\n", len(part), section)
		for _, l := range part {
			out.WriteString(l + "\n")
		}
		fmt.Fprintf(&out, "end%s\n", section)
	}
	out.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return out.Bytes()
}

// encoding is the map from codes to CIDs.
func (b *codebook) encoding() []byte {
	var lines []string
	for _, r := range b.runs() {
		lines = append(lines, fmt.Sprintf("%s %s %d", codeHex(r[0]), codeHex(r[1]-1), r[0]))
	}
	return b.cmap(encodingName, "Identity", "/CMapVersion 1 def\n/CMapType 1 def\n/WMode 0 def\n", "cidrange", lines)
}

// encodingName is the embedded encoding's name.
const encodingName = "Sanad-Identity-H"

// toUnicode is the map from codes to the characters they stand for: one each.
func (b *codebook) toUnicode() []byte {
	var lines []string
	for _, r := range b.runs() {
		line := []byte(codeHex(r[0]) + " " + codeHex(r[1]-1) + " [")
		for _, s := range b.list[r[0]-1 : r[1]-1] {
			line = fmt.Appendf(line, "<%04X>", s.char)
		}
		lines = append(lines, string(append(line, ']')))
	}
	return b.cmap("Adobe-Identity-UCS", "UCS", "/CMapType 2 def\n", "bfrange", lines)
}
