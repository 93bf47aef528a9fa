package sources

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// ellipsis marks the end of a text that was cut.
const ellipsis = "…"

// valid replaces invalid UTF-8, which JSON cannot hold.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func trimmed(s string) string { return strings.TrimSpace(valid(s)) }

// longer reports whether s has more than limit code points, without reading further.
func longer(s string, limit int) bool { return len(text.Slice(s, text.Span{End: limit})) < len(s) }

// cut shortens a trimmed text to limit code points, including the ellipsis, at the end of a word. If the first word is
// longer it is cut itself (rule S-5), but never between a letter and its marks.
func cut(s string, limit int) string {
	if !longer(s, limit) {
		return s
	}
	end := len(text.Slice(s, text.Span{End: limit - 1}))
	next, _ := utf8.DecodeRuneInString(s[end:])
	if !unicode.IsSpace(next) {
		if space := strings.LastIndexFunc(s[:end], unicode.IsSpace); space > 0 {
			end = space
		} else {
			end = wholeLetters(s, end)
		}
	}
	return strings.TrimRightFunc(s[:end], unicode.IsSpace) + ellipsis
}

// wholeLetters moves end back to before a letter whose marks would be cut off; a text of marks only is cut at end.
func wholeLetters(s string, end int) int {
	for at := end; at > 0; {
		next, _ := utf8.DecodeRuneInString(s[at:])
		before, size := utf8.DecodeLastRuneInString(s[:at])
		if !joins(next) && before != zeroWidthJoiner {
			return at
		}
		at -= size
	}
	return end
}

const zeroWidthJoiner = '\u200d'

// joins reports whether r belongs to the letter before it.
func joins(r rune) bool { return unicode.Is(unicode.M, r) || r == zeroWidthJoiner }
