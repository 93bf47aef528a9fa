package pdftext

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// A font for Chinese, Japanese or Korean may name one of the character maps that every reader of PDF knows (ISO
// 32000-1, 9.7.5.2). Its codes are then those of an encoding, or of Unicode.

// eastern are the encodings of these maps, by a part of their names. The first that is in a name counts.
var eastern = []struct {
	part  string
	bytes encoding.Encoding
}{{"RKSJ", japanese.ShiftJIS}, {"GBK2K", simplifiedchinese.GB18030}, {"GB", simplifiedchinese.GBK},
	{"B5", traditionalchinese.Big5}, {"KSC", korean.EUCKR}}

// easternOf returns the encoding of the codes of a map; nil if it is none of these. In one of two bytes their high bits
// are left out.
func easternOf(name string) (e encoding.Encoding, two bool) {
	switch strings.TrimSuffix(strings.TrimSuffix(name, "-H"), "-V") {
	case "H", "V", "Ext", "Add":
		return japanese.EUCJP, true
	case "EUC":
		return japanese.EUCJP, false
	}
	if strings.HasPrefix(name, "Uni") || strings.HasPrefix(name, "Identity") {
		return nil, false
	}
	for _, x := range eastern {
		if strings.Contains(name, x.part) {
			return x.bytes, false
		}
	}
	return nil, false
}

// easternLength is how many bytes the first code of a string has.
func (f *font) easternLength(s []byte) int {
	c := s[0]
	n := 1
	switch {
	case f.bytes == nil:
		if n = 2; f.plain && c >= 0xd8 && c < 0xdc && len(s) > 3 && s[2] >= 0xdc && s[2] < 0xe0 { // UTF-16
			n = 4
		}
	case f.highBits || c >= 0x81 && (f.bytes != japanese.ShiftJIS || c < 0xa0 || c > 0xdf) && c != 0xff:
		n = 2
	}
	if f.bytes == japanese.EUCJP && c == 0x8f && !f.highBits {
		n = 3
	}
	if f.bytes == simplifiedchinese.GB18030 && n == 2 && len(s) > 3 && s[1] >= '0' && s[1] <= '9' {
		n = 4
	}
	return min(n, len(s))
}

// easternText returns what the bytes of a code mean, "" if nothing.
func (f *font) easternText(b []byte) string {
	if f.highBits {
		b = []byte{b[0] | 0x80, b[len(b)-1] | 0x80}
	}
	out, err := f.bytes.NewDecoder().Bytes(b)
	if err != nil || strings.ContainsRune(string(out), utf8.RuneError) {
		return ""
	}
	return string(out)
}
