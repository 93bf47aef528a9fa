package exporters

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// inline writes s so that it stands within a line of Markdown as it reads and can be nothing but text: no table, link,
// image, code, emphasis or HTML. White space is folded; what could disguise the text shows as ⟨U+202E⟩.
func inline(s string) string {
	return escape(strings.Join(strings.FieldsFunc(s, unicode.IsSpace), " "))
}

// line is inline for text that begins a line or an item: no heading, list, quote or rule either.
func line(s string) string { return escapeStart(inline(s)) }

// escape puts a backslash before whatever Markdown would read in s; s has no line breaks.
func escape(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	var last rune = ' '
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		next, _ := utf8.DecodeRuneInString(s[i+n:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteRune(utf8.RuneError)
		case disguises(r):
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		case special(r, last, next, s[i:]):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
		last = r
		i += n
	}
	return b.String()
}

// special tells whether Markdown could give r a meaning, with the characters beside it.
func special(r, last, next rune, rest string) bool {
	switch r {
	case '\\', '`', '*', '[', ']', '<', '|', '~', '{':
		return true
	case '_': // within a word, as in HR_Policy.pdf, it means nothing
		return !word(last) || !word(next)
	case '#': // at the end it would close a heading
		return last == ' ' && strings.Trim(rest, "#") == ""
	case '&':
		return entity.MatchString(rest)
	case ':': // a bare address would become a link
		return strings.HasPrefix(rest, "://")
	case '@':
		return word(next)
	case '.':
		return (last == 'w' || last == 'W') && word(next)
	}
	return false
}

var entity = regexp.MustCompile(`^&(#[0-9]+|#[xX][0-9A-Fa-f]+|[A-Za-z][0-9A-Za-z]*);`)

func word(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// escapeStart takes from the beginning of a line what would make it a list item, quote, rule or underline.
func escapeStart(s string) string {
	if s == "" {
		return s
	}
	switch s[0] {
	case '-', '+', '=', '>', ':', '#':
		return `\` + s
	}
	digits := 0
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	marked := digits > 0 && digits < len(s) && (s[digits] == '.' || s[digits] == ')')
	if marked && (digits+1 == len(s) || s[digits+1] == ' ') {
		return s[:digits] + `\` + s[digits:]
	}
	return s
}

// disguises tells the characters that change how the rest of a line reads, or that no reader sees: control codes,
// bidi embeddings, overrides and isolates, and code points that are no characters. Joiners and direction marks, which
// Arabic and emoji need, are none of them.
func disguises(r rune) bool {
	switch {
	case r == ' ':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0, r == 0xFEFF:
		return true
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x206F:
		return true
	}
	return r&0xFFFE == 0xFFFE || r >= 0xFDD0 && r <= 0xFDEF
}

// quoted writes a text of several lines as a block quote, each line a paragraph of its own.
func quoted(s string) string {
	var b strings.Builder
	for raw := range strings.Lines(s) {
		words := line(raw)
		if words == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(">\n")
		}
		b.WriteString("> " + words + "\n")
	}
	return b.String()
}

// clipped is s cut to n code points, with … where something is left out.
func clipped(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	i := 0
	for range n {
		_, w := utf8.DecodeRuneInString(s[i:])
		i += w
	}
	return strings.TrimSpace(s[:i]) + "…"
}
