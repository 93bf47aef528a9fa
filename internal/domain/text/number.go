package text

import (
	"strings"
	"unicode/utf8"
)

// numberEnd reads the number at s[i]. It returns the byte after the token, the byte after its digits, and Word instead
// of Number if it is a code ("7f2d").
func numberEnd(s string, i int) (end, digits int, kind Kind) {
	digits = digitsEnd(s, i)
	simple := true
	for groups := true; ; simple = false {
		next, grouping := groupEnd(s, i, digits, groups)
		if next == digits {
			break
		}
		groups = groups && grouping // no grouping after the decimal point
		digits = next
	}
	end = digits
	if r, w := decodeAt(s, end); r == '%' || r == '٪' || r == '％' {
		return end + w, digits, Number
	}
	tail := lettersEnd(s, end)
	if isOrdinal(s[end:tail]) {
		return tail, digits, Number
	}
	if simple {
		if n := decadeEnd(s, i, end); n > end {
			return n, digits, Number
		}
	}
	if r, _ := decodeAt(s, tail); simple && tail > end && isDigit(r) {
		return wordEnd(s, i), 0, Word
	}
	return end, digits, Number
}

// groupEnd reads a separator and the digits after it at s[i]; it returns i if the number ends here. A comma groups only
// if exactly three digits follow it and at most three precede the first one.
func groupEnd(s string, start, i int, groups bool) (end int, grouping bool) {
	sep, w := decodeAt(s, i)
	switch sep {
	case '.', '٫':
		return afterSeparator(s, i, w, 0), false
	case ',', '،', '٬', '\u00a0', '\u202f':
		if !groups || utf8.RuneCountInString(s[start:i]) > 3 && !strings.ContainsAny(s[start:i], ",،٬\u00a0\u202f") {
			return i, true
		}
		return afterSeparator(s, i, w, 3), true
	}
	return i, false
}

// afterSeparator returns the end of the digits after the separator at s[i]; i if none or, with want set, not
// exactly that many.
func afterSeparator(s string, i, w, want int) int {
	end := digitsEnd(s, i+w)
	n := utf8.RuneCountInString(s[i+w : end])
	if n == 0 || want > 0 && n != want {
		return i
	}
	return end
}

func digitsEnd(s string, i int) int {
	for i < len(s) {
		r, w := decode(s, i)
		if !isDigit(r) {
			break
		}
		i += w
	}
	return i
}

func lettersEnd(s string, i int) int {
	for i < len(s) {
		r, w := decode(s, i)
		if !isWordRune(r) {
			break
		}
		i += w
	}
	return i
}

// decodeAt is decode that returns 0 at the end of s.
func decodeAt(s string, i int) (rune, int) {
	if i >= len(s) {
		return 0, 0
	}
	return decode(s, i)
}

// decadeEnd returns the byte after the "s" of a decade with the digits s[i:end) ("1940s", "1940's", "the 90s"), or end
// if it is none.
func decadeEnd(s string, i, end int) int {
	if n := utf8.RuneCountInString(s[i:end]); n != 2 && n != 4 {
		return end
	}
	if last, _ := utf8.DecodeLastRuneInString(s[:end]); digitValue(last) != 0 {
		return end
	}
	at := end
	if r, w := decodeAt(s, at); isApostrophe(r) {
		at += w
	}
	if at < len(s) && s[at] == 's' && lettersEnd(s, at) == at+1 {
		return at + 1
	}
	return end
}

func isOrdinal(s string) bool {
	if len(s) != 2 {
		return false
	}
	switch strings.ToLower(s) {
	case "st", "nd", "rd", "th":
		return true
	}
	return false
}

// normNumber returns the digits in ASCII with "." for the decimal point, without grouping, and the percent sign.
func (p piece) normNumber(s string) string {
	var b strings.Builder
	for _, r := range s[p.start:p.digits] {
		switch {
		case isDigit(r):
			b.WriteByte(byte('0' + digitValue(r)))
		case r == '.' || r == '٫':
			b.WriteByte('.')
		}
	}
	if r, _ := decodeAt(s, p.digits); p.end > p.digits && (r == '%' || r == '٪' || r == '％') {
		b.WriteByte('%')
	}
	return b.String()
}

// digitValue is the value of an isDigit code point: each of the four rows begins at a multiple of 16.
func digitValue(r rune) int { return int(r & 0xf) }
