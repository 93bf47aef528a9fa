package judge

import (
	"strings"
	"unicode"

	"sanad/internal/domain/text"
)

// codeSpans finds ids, paths and addresses: fields with letters and digits, or digits joined by marks. "read-only",
// "1,200.50" and "90-day" are none.
func codeSpans(s string) (out []text.Span) {
	start, at := -1, 0
	runes := []rune(s)
	for at = 0; at <= len(runes); at++ {
		if at < len(runes) && !unicode.IsSpace(runes[at]) {
			if start < 0 {
				start = at
			}
			continue
		}
		if start >= 0 {
			from, to := start, at
			for from < to && !alphanumeric(runes[from]) {
				from++
			}
			for to > from && !alphanumeric(runes[to-1]) {
				to--
			}
			if isCode(runes[from:to]) {
				out = append(out, text.Span{Start: from, End: to})
			}
		}
		start = -1
	}
	return out
}

func alphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func isCode(field []rune) bool {
	digits, letters, marks, hard := 0, 0, 0, false
	for i, r := range field {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
			hard = hard || unicode.IsUpper(r) && i > 0
		case strings.ContainsRune("-_/@:#\\", r):
			marks++
			hard = hard || r != '-' && r != '/'
		case r == '.':
			hard = hard || letters > 0
			marks++
		case r != ',' && r != '٬' && r != '٫':
			return false // a currency, a percent sign, a quotation mark
		}
	}
	switch {
	case digits > 0 && letters == 0:
		return marks > 0 && !plainDecimal(field)
	case digits > 0:
		return hard || unicode.IsLetter(field[0])
	}
	return marks > 0 && hard && letters > 0
}

// plainDecimal reports whether digits are only joined as those of one number.
func plainDecimal(field []rune) bool {
	points := 0
	for _, r := range field {
		if r == '.' {
			points++
		} else if !unicode.IsDigit(r) && !strings.ContainsRune(",٬٫", r) {
			return false
		}
	}
	return points <= 1
}

// spanAt returns the span that begins at or covers a code point.
func spanAt(spans []text.Span, at int) (text.Span, bool) {
	for _, sp := range spans {
		if at >= sp.Start && at < sp.End {
			return sp, true
		}
	}
	return text.Span{}, false
}
