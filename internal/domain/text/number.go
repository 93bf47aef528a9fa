package text

import (
	"strings"
	"unicode/utf8"
)

// numberEnd reads the number at s[i]. It returns the byte after the token, the byte after its digits, and Word instead
// of Number if it is a code ("7f2d").
func numberEnd(s string, i int) (end, digits int, kind Kind) {
	digits = digitsEnd(s, i)
	if part := dottedDate(s, i); part > 0 {
		return part, part, Number
	}
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

// dottedDate returns the end of the day or month at s[i], if it is one of 25.03.2024, which is three numbers as
// 25/03/2024 is; 0 if not.
func dottedDate(s string, i int) int {
	start := i
	for start > 0 && i-start <= 2*len("25.") {
		r, w := utf8.DecodeLastRuneInString(s[:start])
		if !isDigit(r) && r != '.' {
			break
		}
		start -= w
	}
	day := digitsEnd(s, start)
	month := digitsEnd(s, min(day+1, len(s)))
	year := digitsEnd(s, min(month+1, len(s)))
	after, w := decodeAt(s, year)
	next, _ := decodeAt(s, year+w)
	if !isShort(s, start, day) || !isShort(s, day+1, month) || year <= month+1 ||
		utf8.RuneCountInString(s[month+1:year]) != 4 ||
		after == '%' || after == '.' && isDigit(next) {
		return 0
	}
	switch i {
	case start:
		return day
	case day + 1:
		return month
	}
	return 0
}

// isShort reports whether s[from:to) is one or two digits with a point behind them.
func isShort(s string, from, to int) bool {
	if to >= len(s) || from >= to || s[to] != '.' {
		return false
	}
	return utf8.RuneCountInString(s[from:to]) <= 2
}

// isLeadingPoint reports whether a decimal point at s[i] begins a number that has no digit before it: ".5", "٫٥".
func isLeadingPoint(s string, i int) bool {
	sep, w := decode(s, i)
	if sep != '.' && sep != '٫' {
		return false
	}
	if r, _ := decodeAt(s, i+w); !isDigit(r) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	return i == 0 || !isWordRune(before) && !isDigit(before) && !strings.ContainsRune(".,،٬٫)]", before)
}

// groupEnd reads a separator and the digits after it at s[i]; it returns i if the number ends here. A comma groups if
// exactly three digits follow it and at most three precede the first one; see decimalComma for any other.
func groupEnd(s string, start, i int, groups bool) (end int, grouping bool) {
	sep, w := decodeAt(s, i)
	if isComma(sep) {
		if end = decimalComma(s, start, i); end > i {
			return end, false
		}
	}
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

func isComma(r rune) bool { return r == ',' || r == '،' }

// decimalComma returns the end of the digits after a comma at s[i] that stands for a decimal point in the number that
// begins at s[start]; i if it does not. In a list of numbers ("1,2,3", "[1,2]", "1,2 and 3") it stands for none.
func decimalComma(s string, start, i int) int {
	_, w := decode(s, i)
	end := digitsEnd(s, i+w)
	if !partsDecimals(s[start:i], s[i+w:end]) {
		return i
	}
	before, _ := utf8.DecodeLastRuneInString(s[:start])
	after, w := decodeAt(s, end)
	next, _ := decodeAt(s, end+w)
	list := isComma(before) || before == '[' || isComma(after) && isDigit(next) || joinsNumber(s[end:])
	if list && !strings.Contains(s[start:i], ".") {
		return i
	}
	return end
}

// partsDecimals reports whether a comma between digits is a decimal point: one or two digits follow it, and points
// before it group thousands ("2,5", "1.234,56"), or it follows a lone zero ("0,125").
func partsDecimals(head, tail string) bool {
	n := utf8.RuneCountInString(tail)
	if digit, w := decodeAt(head, 0); w == len(head) && isDigit(digit) && digitValue(digit) == 0 {
		return n > 0
	}
	if n == 0 || n > 2 || strings.ContainsAny(head, ",،٬٫\u00a0\u202f") {
		return false
	}
	parts := strings.Split(head, ".")
	for _, part := range parts[1:] {
		if utf8.RuneCountInString(part) != 3 {
			return false
		}
	}
	return len(parts) == 1 || utf8.RuneCountInString(parts[0]) <= 3
}

// joinsNumber reports whether a text goes on with "and" and a number, as a list does.
func joinsNumber(rest string) bool {
	trimmed := strings.TrimLeft(rest, " ")
	for _, and := range []string{"and ", "or ", "& ", "و ", "و", "أو "} {
		if tail, ok := strings.CutPrefix(trimmed, and); ok && len(trimmed) < len(rest) {
			r, _ := decodeAt(tail, 0)
			return isDigit(r)
		}
	}
	return false
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

// normNumber returns the digits in ASCII with "." for the decimal point, a digit before it, without grouping, and the
// percent sign.
func (p piece) normNumber(s string) string {
	var b strings.Builder
	digits := s[p.start:p.digits]
	comma := decimalCommaAt(digits)
	for i, r := range digits {
		switch {
		case isDigit(r):
			b.WriteByte(byte('0' + digitValue(r)))
		case i == comma, comma < 0 && (r == '.' || r == '٫'):
			if i == 0 {
				b.WriteByte('0')
			}
			b.WriteByte('.')
		}
	}
	if r, _ := decodeAt(s, p.digits); p.end > p.digits && (r == '%' || r == '٪' || r == '％') {
		b.WriteByte('%')
	}
	return b.String()
}

// decimalCommaAt returns where the digits of a number, which numberEnd has read, have a decimal comma, -1 if nowhere.
func decimalCommaAt(digits string) int {
	at := strings.LastIndexAny(digits, ",،")
	if at < 0 {
		return -1
	}
	_, w := decode(digits, at)
	tail := digits[at+w:]
	if digitsEnd(tail, 0) < len(tail) || !partsDecimals(digits[:at], tail) {
		return -1
	}
	return at
}

// digitValue is the value of an isDigit code point: each of the four rows begins at a multiple of 16.
func digitValue(r rune) int { return int(r & 0xf) }
