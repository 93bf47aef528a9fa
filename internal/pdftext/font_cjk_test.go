package pdftext_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/simplifiedchinese"

	"sanad/internal/pdftext"
)

// inFont reads a page whose font F is a composite one without a map of its own.
func inFont(t *testing.T, encoding, kid, content string, more ...string) pdftext.Page {
	t.Helper()
	got, err := pdftext.Read(fileInFont(encoding, kid, content, more...), pdftext.Limits{})
	require.NoError(t, err)
	return got.Pages[0]
}

func fileInFont(encoding, kid, content string, more ...string) []byte {
	return []byte(strings.Replace(string(onPage(content, "", more...)),
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
		"<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/"+encoding+
			"/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/X/DW 1000"+
			"/CIDSystemInfo<</Registry(Adobe)/Ordering(X)/Supplement 0>>"+kid+">>]>>", 1))
}

// TestEasternMaps: the codes of maps that every reader knows are Unicode, or an encoding's.
func TestEasternMaps(t *testing.T) {
	rare, err := simplifiedchinese.GB18030.NewEncoder().String("𠮷")
	require.NoError(t, err)
	for encoding, c := range map[string]struct{ codes, want string }{
		"UniGB-UCS2-H":   {"\x4f\x60\x59\x7d\x00A", "你好A"},
		"UniJIS-UTF16-H": {"\xd8\x42\xdf\xb7\x65\xe5", "𠮷日"},
		"90ms-RKSJ-H":    {"\x93\xfa\x96\x7b\xb1A", "日本ｱA"},
		"GBK-EUC-H":      {"\xc4\xe3\xba\xc3 5", "你好 5"},
		"GBK2K-H":        {rare + "\xc4\xe3", "𠮷你"},
		"ETen-B5-H":      {"\xa7\xda\xa4@", "我一"},
		"KSCms-UHC-H":    {"\xc7\xd1\xb1\xb9", "한국"},
		"H":              {"\x46\x7c\x4b\x5c", "日本"},
		"EUC-H":          {"\xc6\xfc\xcb\xdcA", "日本A"},
		"CNS-EUC-H":      {"\xa4\xa1\xa4\xa2", "\ufffd\ufffd"}, // not known
		"Identity-H":     {"\x00\x41", "\ufffd"},
		"UniKS-UTF16-V":  {"\xd5\x5c", "한"},
		"90msp-RKSJ-H":   {"\x93", "\ufffd"},     // cut
		"UniCNS-UTF16-H": {"\xd8\x42", "\ufffd"}, // half of a sign
	} {
		t.Run(encoding, func(t *testing.T) {
			got := inFont(t, encoding, "", fmt.Sprintf("BT /F 12 Tf 20 300 Td <%x> Tj ET", c.codes))
			require.Equal(t, c.want, strings.Join(texts(got), ""))
		})
	}
	// Latin letters are half as wide, so that words stay together
	got := inFont(t, "GBK-EUC-H", "", "BT /F 12 Tf 20 300 Td (Leave) Tj 30 0 Td (is) Tj ET")
	require.Equal(t, []string{"Leaveis"}, texts(got))
}

// trueType is a font with nothing but its map, of formats 4 and 12.
func trueType() string {
	var four, twelve []byte
	put := func(b *[]byte, list ...int) {
		for _, v := range list {
			*b = binary.BigEndian.AppendUint16(*b, uint16(v))
		}
	}
	// two segments: a to c are the glyphs 5 to 7, x and y those that a list names
	put(&four, 4, 0, 0, 6, 0, 0, 0, 'c', 'y', 0xffff, 0, 'a', 'x', 0xffff, 5-'a', 0, 1, 0, 4, 0, 9, 11)
	put(&twelve, 12, 0, 0, 28, 0, 0, 0, 1, 0x2, 0x0bb7, 0x2, 0x0bb8, 0, 20)
	table := []byte{}
	put(&table, 0, 2, 0, 3, 0, 20, 3, 10, 0, 20+len(four))
	table = append(append(table, four...), twelve...)
	font := []byte("\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00cmap\x00\x00\x00\x00\x00\x00\x00\x1c")
	font = binary.BigEndian.AppendUint32(font, uint32(len(table)))
	return string(append(font, table...))
}

// TestGlyphsOfAnEmbeddedFont: without another map, the font's own says what its glyphs are.
func TestGlyphsOfAnEmbeddedFont(t *testing.T) {
	font := trueType()
	file := fmt.Sprintf("<</Length %d/Length1 %d/Filter/ASCIIHexDecode>>stream\n%x>\nendstream", 2*len(font)+1, len(font), font)
	const descriptor = "/FontDescriptor<</Type/FontDescriptor/FontName/X/Flags 4/FontFile2 9 0 R>>"
	const content = "BT /F 12 Tf 20 300 Td <000500060007000900150016000B> Tj ET"
	require.Equal(t, []string{"abcx𠮸\ufffdy"}, texts(inFont(t, "Identity-H", descriptor, content, file)))
	require.Equal(t, []string{strings.Repeat("\ufffd", 7)}, texts(inFont(t, "Identity-H", descriptor+"/CIDToGIDMap 9 0 R", content, file)),
		"another map stands between")
	for n := range font { // cut anywhere
		file := fmt.Sprintf("<</Length %d/Filter/ASCIIHexDecode>>stream\n%x>\nendstream", 2*n+1, font[:n])
		inFont(t, "Identity-H", descriptor, content, file)
	}
}

// TestEmptyMapsAreBounded reads a font that names one map many times, all of whose segments are of glyphs that it
// lacks. Without bounds the test does not end: that is 10^14 steps.
func TestEmptyMapsAreBounded(t *testing.T) {
	const maps, segments = 60_000, 30_000
	put := binary.BigEndian.AppendUint16
	table := put(put(nil, 0), maps)
	for range maps {
		table = binary.BigEndian.AppendUint32(put(put(table, 0), 3), 4+8*maps)
	}
	for _, v := range []uint16{4, 0, 0, 2 * segments, 0, 0, 0} {
		table = put(table, v)
	}
	for part, v := range []uint16{0xfffe, 0, 0, 2 * segments} { // ends, starts, deltas, offsets
		for range segments {
			table = put(table, v)
		}
		if part == 0 {
			table = put(table, 0)
		}
	}
	font := []byte("\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00cmap\x00\x00\x00\x00\x00\x00\x00\x1c")
	font = append(binary.BigEndian.AppendUint32(font, uint32(len(table))), table...)
	file := fmt.Sprintf("<</Length %d/Filter/ASCIIHexDecode>>stream\n%x>\nendstream", 2*len(font)+1, font)
	data := fileInFont("Identity-H", "/FontDescriptor<</Type/FontDescriptor/FontName/X/Flags 4/FontFile2 9 0 R>>",
		"BT /F 12 Tf 20 300 Td <0005> Tj ET", file)
	_, err := pdftext.Read(data, pdftext.Limits{})
	require.ErrorIs(t, err, pdftext.ErrTooLarge)
}

// TestActualText: it stands for glyphs that the font does not map, and never for others.
func TestActualText(t *testing.T) {
	const first, last = "BT /F 12 Tf 20 300 Td ", " Tj ET EMC"
	for content, want := range map[string]string{
		"/Span <</Lang(en)/ActualText<feff0041006200630064>>> BDC " + first + "<00050006>" + last: "Abcd",
		"/Span <</ActualText (Fee: 5\\) )>> BDC " + first + "<00050006>" + last:                   "Fee: 5)",
		"/Span <</ActualText (x)>> BDC EMC " + first + "<00050006>" + last:                        "\ufffd\ufffd",
		"/Span <</ActualText <feff>>> BDC " + first + "<00050006>" + last:                         "\ufffd\ufffd",
		"/Span /Off BDC " + first + "<0005>" + last:                                               "\ufffd",
	} {
		require.Equal(t, []string{want}, texts(inFont(t, "Identity-H", "", content)), content)
	}
	got := readPage(t, "/Span <</ActualText (700)>> BDC "+show(12, 20, 300, "The fee is 500.")+"EMC")
	require.Equal(t, []string{"The fee is 500."}, texts(got), "what is seen counts")
	got = readPage(t, show(12, 20, 300, "Guests pay the full pr")+"/Span <</ActualText <feff00ad>>> BDC "+show(12, 134, 300, "-")+"EMC "+
		show(12, 20, 286, "ice on the first day."))
	require.Equal(t, []string{"Guests pay the full price on the first day."}, texts(got))
}
