package pdftext

import (
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// glyphNames are the names from Adobe's glyph list that occur in Latin documents and follow none of the rules below.
var glyphNames = parseNames(`exclam ! quotedbl " numbersign # dollar $ percent % ampersand & quotesingle '
parenleft ( parenright ) asterisk * plus + comma , hyphen - period . slash / zero 0 one 1 two 2 three 3 four 4 five 5
six 6 seven 7 eight 8 nine 9 colon : semicolon ; less < equal = greater > question ? at @ bracketleft [ backslash \
bracketright ] asciicircum ^ underscore _ braceleft { bar | braceright } asciitilde ~ quoteleft ‘ quoteright ’
quotedblleft “ quotedblright ” quotesinglbase ‚ quotedblbase „ endash – emdash — bullet • ellipsis … dagger †
daggerdbl ‡ perthousand ‰ guilsinglleft ‹ guilsinglright › guillemotleft « guillemotright » florin ƒ trademark ™
fraction ⁄ fi fi fl fl ff ff ffi ffi ffl ffl germandbls ß ae æ AE Æ oe œ OE Œ oslash ø Oslash Ø lslash ł Lslash Ł
eth ð Eth Ð thorn þ Thorn Þ dotlessi ı exclamdown ¡ questiondown ¿ cent ¢ sterling £ currency ¤ yen ¥ Euro €
brokenbar ¦ section § copyright © registered ® ordfeminine ª ordmasculine º logicalnot ¬ degree ° plusminus ± mu µ
paragraph ¶ periodcentered · multiply × divide ÷ onequarter ¼ onehalf ½ threequarters ¾ onesuperior ¹ twosuperior ²
threesuperior ³ minus − lessequal ≤ greaterequal ≥ notequal ≠ infinity ∞ summation ∑ product ∏ radical √ integral ∫
partialdiff ∂ Delta ∆ Omega Ω pi π approxequal ≈ lozenge ◊ acute ´ dieresis ¨ circumflex ˆ tilde ˜ macron ¯ breve ˘
dotaccent ˙ ring ˚ cedilla ¸ hungarumlaut ˝ ogonek ˛ caron ˇ arrowright → arrowleft ←`)

func parseNames(s string) map[string]string {
	out := map[string]string{}
	f := strings.Fields(s)
	for i := 0; i+1 < len(f); i += 2 {
		out[f[i]] = f[i+1]
	}
	out["space"], out["nbspace"], out["sfthyphen"], out["grave"] = " ", " ", "-", "`"
	return out
}

// accents are the combining marks that names of accented letters end in: "eacute".
var accents = map[string]string{
	"grave": "\u0300", "acute": "\u0301", "circumflex": "\u0302", "tilde": "\u0303", "macron": "\u0304",
	"breve":     "\u0306",
	"dotaccent": "\u0307", "dieresis": "\u0308", "ring": "\u030a", "hungarumlaut": "\u030b", "caron": "\u030c",
	"cedilla": "\u0327", "ogonek": "\u0328",
}

// arabicNames are ranges of Adobe's numbered Arabic letters, such as afii57409: the first number, the last, and the
// code point of the first.
var arabicNames = [][3]int{{57392, 57401, 0x660}, {57409, 57434, 0x621}, {57440, 57450, 0x640}, {57451, 57458, 0x64b},
	{57388, 57388, 0x60c}, {57403, 57403, 0x61b}, {57407, 57407, 0x61f}}

// fromName returns the characters that a glyph's name stands for, or "" if unknown.
func fromName(n string) string {
	if i := strings.IndexByte(n, '.'); i > 0 { // "a.alt" is a variant of "a"
		n = n[:i]
	}
	if s, ok := glyphNames[n]; ok {
		return s
	}
	if len(n) == 1 {
		return n
	}
	if s := numbered(n); s != "" {
		return s
	}
	if mark, ok := accents[n[min(1, len(n)):]]; ok {
		return norm.NFC.String(n[:1] + mark)
	}
	return ""
}

// numbered reads names that contain a code: uni0627, u1F600, afii57415.
func numbered(n string) string {
	if rest, ok := strings.CutPrefix(n, "uni"); ok && len(rest) >= 4 && len(rest)%4 == 0 {
		var b strings.Builder
		for i := 0; i < len(rest); i += 4 {
			v, err := strconv.ParseUint(rest[i:i+4], 16, 32)
			if err != nil {
				return ""
			}
			b.WriteRune(rune(v))
		}
		return b.String()
	}
	if rest, ok := strings.CutPrefix(n, "u"); ok && len(rest) >= 4 && len(rest) <= 6 {
		if v, err := strconv.ParseUint(rest, 16, 32); err == nil && v <= 0x10ffff {
			return string(rune(v))
		}
	}
	if rest, ok := strings.CutPrefix(n, "afii"); ok {
		if v, err := strconv.Atoi(rest); err == nil {
			for _, r := range arabicNames {
				if v >= r[0] && v <= r[1] {
					return string(rune(r[2] + v - r[0]))
				}
			}
		}
	}
	return ""
}
