package wordfile

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// codePages are the encodings of texts in RTF by their number.
var codePages = map[int]encoding.Encoding{437: charmap.CodePage437, 708: charmap.ISO8859_6, 850: charmap.CodePage850,
	852: charmap.CodePage852, 855: charmap.CodePage855, 858: charmap.CodePage858, 860: charmap.CodePage860,
	862: charmap.CodePage862, 863: charmap.CodePage863, 865: charmap.CodePage865, 866: charmap.CodePage866,
	874: charmap.Windows874, 932: japanese.ShiftJIS, 936: simplifiedchinese.GBK, 949: korean.EUCKR,
	950: traditionalchinese.Big5, 1250: charmap.Windows1250, 1251: charmap.Windows1251, 1252: charmap.Windows1252,
	1253: charmap.Windows1253, 1254: charmap.Windows1254, 1255: charmap.Windows1255, 1256: charmap.Windows1256,
	1257: charmap.Windows1257, 1258: charmap.Windows1258, 10000: charmap.Macintosh, 10001: japanese.ShiftJIS,
	10007: charmap.MacintoshCyrillic, 65001: unicode.UTF8}

// charsets are the code pages of fonts by the number of their character set.
var charsets = map[int]int{0: 1252, 77: 10000, 78: 932, 79: 949, 80: 936, 81: 950, 128: 932, 129: 949, 134: 936,
	136: 950, 161: 1253, 162: 1254, 163: 1258,
	177: 1255, 178: 1256, 179: 1256, 180: 1256, 181: 1255, 186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850}

// rtfFont is a font of the file.
type rtfFont struct {
	name  string
	bytes encoding.Encoding // of its texts, nil for that of the file
}

// fontWord takes a control word of the table of fonts.
func (r *rtf) fontWord(word string, n int) {
	f := r.fonts[r.entry]
	switch word {
	case "f":
		if r.entry = n; r.fonts[n] == nil && len(r.fonts) < mostEntries {
			r.fonts[n] = &rtfFont{}
		}
	case "fcharset":
		if f != nil && f.bytes == nil {
			f.bytes = codePages[charsets[n]]
		}
	case "cpg":
		if f != nil && codePages[n] != nil {
			f.bytes = codePages[n]
		}
	}
}

// font is that of the text which follows, by its direction and script; nil if the file has none.
func (r *rtf) font() *rtfFont {
	p := &r.now.run
	n := p.font
	switch {
	case p.script != rtfAny && p.scripts[p.script-1] != 0:
		n = p.scripts[p.script-1] - 1
	case p.sideways && p.complex != 0:
		n = p.complex - 1
	}
	return r.fonts[n]
}

func (r *rtf) fontName() string {
	if f := r.font(); f != nil {
		return f.name
	}
	return ""
}

// decoded returns bytes of text as it is seen in its font.
func (r *rtf) decoded(b []byte) string {
	high := strings.IndexFunc(string(b), func(c rune) bool { return c >= 0x80 }) >= 0
	if !high && signFonts[strings.ToLower(r.fontName())] == nil {
		return string(b)
	}
	if name := r.fontName(); signFonts[strings.ToLower(name)] != nil && r.now.to != rtfFonts {
		var s strings.Builder
		for _, c := range b {
			s.WriteRune(signArea + rune(c))
		}
		return inFont(s.String(), name)
	}
	e := r.codePage
	if f := r.font(); f != nil && f.bytes != nil {
		e = f.bytes
	}
	out, err := e.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\uFFFD")
	}
	return string(out)
}
