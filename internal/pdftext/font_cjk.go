package pdftext

import (
	"strings"

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
