package typeset

import (
	"bytes"
	"fmt"
	"slices"
)

// The codes of slices in a page's strings. A code has two bytes and is also the number of the slice's glyph in the
// derived font (Identity-H), an encoding that every reader knows. A custom encoding with one byte for frequent slices
// would make files 5% smaller, but readers that know only the named encodings would lose the text.

// lastCode is the greatest code. The next ones are surrogates, which an op's string can't hold.
const lastCode = 0xD7FF

// appendCode appends a code to a string.
func appendCode(out []byte, code rune) []byte {
	return appendEscaped(out, byte(code>>8), byte(code))
}

// appendEscaped appends bytes as they stand in a string of a PDF.
func appendEscaped(out []byte, raw ...byte) []byte {
	for _, b := range raw {
		switch b {
		case '(', ')', '\\':
			out = append(out, '\\', b)
		case '\r':
			out = append(out, '\\', 'r')
		default:
			out = append(out, b)
		}
	}
	return out
}

// perRow is how many codes share their first byte; a range of a CMap must not cross its end.
const perRow = 256

// toUnicode returns the CMap from codes to the characters they stand for, one each.
func toUnicode(list []slice) []byte {
	var lines []string
	for first := 1; first <= len(list); {
		last := min(len(list), first|(perRow-1))
		line := fmt.Appendf(nil, "<%04X> <%04X> [", first, last)
		for _, s := range list[first-1 : last] {
			line = fmt.Appendf(line, "<%04X>", s.char)
		}
		lines = append(lines, string(append(line, ']')))
		first = last + 1
	}
	const most = 100 // maximum entries of a section
	var out bytes.Buffer
	out.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n" +
		"/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n/CMapName /Adobe-Identity-UCS def\n" +
		"/CMapType 2 def\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n")
	for part := range slices.Chunk(lines, most) {
		fmt.Fprintf(&out, "%d beginbfrange\n", len(part))
		for _, l := range part {
			out.WriteString(l + "\n")
		}
		out.WriteString("endbfrange\n")
	}
	out.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return out.Bytes()
}
