package text

import (
	"unicode"
	"unicode/utf8"
)

const tatweel = 'ـ'

// foldRune folds one decomposed code point; it returns ' ' for white space and -1 for what is dropped.
func foldRune(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return foldASCII(r)
	case r >= 0x0600 && r <= 0x06ff:
		return foldArabic(r)
	case isSpace(r):
		return ' '
	case r >= 0x2010 && r <= 0x2044, r == 0x2212, r == 0xab, r == 0xbb, r == 0x2bc:
		return foldPunctuation(r)
	case isInvisible(r) || isTashkeel(r):
		return -1
	}
	return unicode.ToLower(r)
}

func foldASCII(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case isSpace(r):
		return ' '
	}
	return r
}

func foldPunctuation(r rune) rune {
	switch r {
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return '-'
	case '‘', '’', '‚', '‛', '′', 'ʼ', '‹', '›':
		return '\''
	case '“', '”', '„', '‟', '«', '»':
		return '"'
	case '⁄':
		return '/'
	}
	if isInvisible(r) {
		return -1
	}
	return r
}

// foldArabic folds the Arabic block. Persian kaf and yeh are the same letters typed on another keyboard.
func foldArabic(r rune) rune {
	switch {
	case isTashkeel(r) || isInvisible(r) || r == tatweel:
		return -1
	case r >= '٠' && r <= '٩':
		return '0' + r - '٠'
	case r >= '۰' && r <= '۹':
		return '0' + r - '۰'
	}
	switch r {
	case 'آ', 'أ', 'إ', 'ٱ', 'ٲ', 'ٳ', 'ٵ':
		return 'ا'
	case 'ى', 'ئ', 'ی':
		return 'ي'
	case 'ؤ':
		return 'و'
	case 'ة':
		return 'ه'
	case 'ک':
		return 'ك'
	case '،', '٬':
		return ','
	case '؛':
		return ';'
	case '؟':
		return '?'
	case '٪':
		return '%'
	case '٫':
		return '.'
	case '۔':
		return '.'
	}
	return r
}

// isTashkeel reports whether r is an Arabic vowel sign, a Quranic mark, or a combining hamza or madda left by
// decomposition.
func isTashkeel(r rune) bool {
	switch {
	case r >= 0x0610 && r <= 0x061a, r >= 0x064b && r <= 0x065f, r == 0x0670:
		return true
	case r >= 0x06d6 && r <= 0x06dc, r >= 0x06df && r <= 0x06e4, r == 0x06e7, r == 0x06e8, r >= 0x06ea && r <= 0x06ed:
		return true
	}
	return r >= 0x08d3 && r <= 0x08ff && r != 0x08e2
}

// isInvisible reports whether r is a format character without a glyph: joiner, bidi control, soft hyphen, byte order
// mark.
func isInvisible(r rune) bool {
	switch {
	case r == 0xad, r == 0xfeff, r == 0x061c, r == 0x180e, r >= 0x200b && r <= 0x200f:
		return true
	}
	return r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x2064 || r >= 0x2066 && r <= 0x206f
}

// isSpace is unicode.IsSpace plus the four information separators, which other languages count as white space.
func isSpace(r rune) bool {
	return r == ' ' || r >= 0x1c && r <= 0x1f || unicode.IsSpace(r)
}
