package text

import (
	"unicode"
	"unicode/utf8"
)

// Script returns what s is written in, by counting letters: "ar", "latin" or "other" if at least three quarters of the
// letters are of that kind, else "mixed"; "none" if there are no letters.
func Script(s string) string {
	var arabic, latin, other int
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			if isASCIILetter(byte(r)) {
				latin++
			}
		case !unicode.IsLetter(r) || r == tatweel:
		case isArabicLetter(r):
			arabic++
		case unicode.Is(unicode.Latin, r):
			latin++
		default:
			other++
		}
	}
	return majority(arabic, latin, other)
}

func majority(arabic, latin, other int) string {
	all := arabic + latin + other
	switch {
	case all == 0:
		return "none"
	case 4*arabic >= 3*all:
		return "ar"
	case 4*latin >= 3*all:
		return "latin"
	case 4*other >= 3*all:
		return "other"
	}
	return "mixed"
}

func isASCIILetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// isArabicLetter reports whether r is a letter of the Arabic script, presentation forms included.
func isArabicLetter(r rune) bool {
	if r >= 0x0620 && r <= 0x064a {
		return r != tatweel
	}
	return r > 0x064a && unicode.Is(unicode.Arabic, r) && unicode.IsLetter(r)
}
