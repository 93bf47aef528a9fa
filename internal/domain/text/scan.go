package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is a token found by scan, with its place in bytes and in code points.
type piece struct {
	start, end     int
	startCP, endCP int
	digits         int // for a number, the byte after its digits; "%" or an ordinal ending may follow
	kind           Kind
}

// scan finds the words and numbers of s in order. It is linear: each byte is visited a bounded number of times.
func scan(s string, yield func(piece)) {
	cp := 0
	for i := 0; i < len(s); {
		r, w := decode(s, i)
		end, p := i+w, piece{start: i, startCP: cp}
		switch {
		case r == '[':
			end = i + max(w, anchorLen(s[i:]))
		case isDigit(r) || isLeadingPoint(s, i):
			end, p.digits, p.kind = numberEnd(s, i)
		case isWordRune(r):
			end = wordEnd(s, i)
		default:
			i, cp = end, cp+1
			continue
		}
		cp += utf8.RuneCountInString(s[i:end])
		i = end
		if r != '[' {
			p.end, p.endCP = end, cp
			yield(p)
		}
	}
}

// maxAnchor bounds the length of a citation anchor, so that an unclosed one costs little.
const maxAnchor = 200

// anchorLen returns the length in bytes of the citation anchor at the start of s ("[cite:a1b2c3d4]"), 0 if none.
func anchorLen(s string) int {
	if len(s) < 7 || !strings.EqualFold(s[:6], "[cite:") {
		return 0
	}
	end := strings.IndexAny(s[:min(len(s), maxAnchor)], "]\n")
	if end < 0 || s[end] != ']' {
		return 0
	}
	return end + 1
}

// wordEnd returns the byte after the word at s[i].
func wordEnd(s string, i int) int {
	start := i
	first, w := decode(s, i)
	arabic := isArabicLetter(first)
	for i += w; i < len(s); i += w {
		var r rune
		r, w = decode(s, i)
		switch {
		case isDigit(r):
			if arabic || isCurrencyCode(s[start:i]) {
				return i
			}
		case isApostrophe(r):
			if !startsWord(s[i+w:]) {
				return i
			}
		case isRaised(r):
			if (r == '²' || r == '³') && utf8.RuneCountInString(s[start:i]) <= raisedUnit {
				return i + w
			}
			return i
		case r >= utf8.RuneSelf && isInvisible(r) && r != 0x200b:
		case !isWordRune(r) || unicode.IsLetter(r) && r != tatweel && isArabicLetter(r) != arabic:
			return i
		}
	}
	return i
}

func startsWord(s string) bool {
	if s == "" {
		return false
	}
	r, _ := decode(s, 0)
	return unicode.IsLetter(r)
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

// isRaised reports whether r is a raised digit: the mark of a note or a power, no part of the word or number before it.
func isRaised(r rune) bool {
	return r == '¹' || r == '²' || r == '³' || r == '⁰' || r >= '⁴' && r <= '⁹'
}

// raisedUnit is how many letters a unit has at most that a raised digit belongs to: "m²", "km²".
const raisedUnit = 2

// isWordRune reports whether r can be part of a word: letters, marks, and numbers that are not plain digits ( ½,
// digits of scripts that Fold does not change).
func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isASCIILetter(byte(r))
	}
	if isRaised(r) {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) && !isDigit(r)
}

// isDigit reports whether Fold turns r into an ASCII digit: ASCII, Arabic-Indic, Persian, full width.
func isDigit(r rune) bool {
	if r < utf8.RuneSelf {
		return '0' <= r && r <= '9'
	}
	return r >= '٠' && r <= '٩' || r >= '۰' && r <= '۹' || r >= '０' && r <= '９'
}

// currencyCodes are the codes that may touch their number ("SAR5,000"), lower case.
var currencyCodes = foldSet("sar sr usd eur gbp aed egp kwd jod iqd qar bhd omr jpy chf dh dhs inr rs aud cad")

func isCurrencyCode(s string) bool { return len(s) <= 3 && currencyCodes[strings.ToLower(s)] }
