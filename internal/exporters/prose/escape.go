package prose

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// Inline escapes s for use within a line of Markdown, so that it is nothing but text: no table, link, image, code,
// emphasis or HTML. White space is folded; characters that could disguise the text are shown as ⟨U+202E⟩.
func Inline(s string) string {
	return escape(strings.Join(strings.FieldsFunc(s, unicode.IsSpace), " "))
}

// Line is Inline for text at the beginning of a line or an item: it makes no heading, list, quote or rule either.
func Line(s string) string { return EscapeStart(Inline(s)) }

// escape puts a backslash before everything in s that has a meaning in Markdown; s must have no line breaks.
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
		case Disguises(r):
			b.WriteString(CodePoint(r))
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

// special reports whether Markdown could give r a meaning between these characters.
func special(r, last, next rune, rest string) bool {
	switch r {
	case '\\', '`', '*', '[', ']', '<', '|', '~', '{':
		return true
	case '_': // has no meaning within a word, as in HR_Policy.pdf
		return !word(last) || !word(next)
	case '#': // would close a heading at its end
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

// EscapeStart escapes the beginning of a line that would make it a list item, quote, rule or underline.
func EscapeStart(s string) string {
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

// Disguises reports whether a character changes how the rest of a line reads, or is invisible: control codes,
// bidi embeddings, overrides and isolates, and noncharacters. Joiners and direction marks, which Arabic and emoji
// need, are allowed.
func Disguises(r rune) bool {
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

// CodePoint names a character that is not shown as itself.
func CodePoint(r rune) string { return fmt.Sprintf("⟨U+%04X⟩", r) }

// Quoted returns a text of several lines as a block quote, each line as its own paragraph.
func Quoted(s string) string {
	var b strings.Builder
	for raw := range strings.Lines(s) {
		words := Line(raw)
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

// Clipped returns s cut to n code points, with … at the end if anything was cut. It is cut between words, unless the
// last one takes more than an eighth of it.
func Clipped(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	i := 0
	for range n {
		_, w := utf8.DecodeRuneInString(s[i:])
		i += w
	}
	cut := s[:i]
	if next, _ := utf8.DecodeRuneInString(s[i:]); !unicode.IsSpace(next) {
		if at := strings.LastIndexFunc(cut, unicode.IsSpace); at > len(cut)-len(cut)/8 {
			cut = cut[:at]
		}
	}
	return strings.TrimSpace(cut) + "…"
}

// Led returns a quotation on one line with the sentence before it, where its first words point back to one ("Engineers
// there see …", "These are targets …"): alone it says nothing. The passage is where it is quoted from.
func Led(quotation, passage string) string {
	quotation, passage = strings.Join(strings.Fields(quotation), " "), strings.Join(strings.Fields(passage), " ")
	at := strings.Index(passage, quotation)
	if at <= 0 || quotation == "" || !pointsBack(quotation) {
		return quotation
	}
	before := text.Sentences(passage[:at])
	if len(before) == 0 {
		return quotation
	}
	last := strings.TrimSpace(text.Slice(passage[:at], before[len(before)-1]))
	if last == "" || utf8.RuneCountInString(last) > maxLead {
		return quotation
	}
	return last + " " + quotation
}

// maxLead is how long a sentence that is set before a quotation may be, in code points.
const maxLead = 240

// firstWords is among how many words at the beginning of a quotation one that points back is looked for.
const firstWords = 2

func pointsBack(quotation string) bool {
	words := strings.Fields(quotation)
	for _, w := range words[:min(len(words), firstWords)] {
		if backwards[text.Fold(strings.Trim(w, ".,;:،؛“”«»\"()"))] {
			return true
		}
	}
	return false
}

// backwards are words that point to what stands before them, folded.
var backwards = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`there these this those such it they here its their thereof
		هناك هنالك هذه هذا ذلك تلك هؤلاء أولئك وهي وهو فهي فهو هي هو هم وهم وهذه وهذا وذلك وتلك وهناك`) {
		set[text.Fold(w)] = true
	}
	return set
}()

// ClippedTo is Clipped for an excerpt that is to show words: where they stand behind the cut, it begins later, with … .
func ClippedTo(s string, n int, words []string) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	first, end := len(s), 0
	for _, w := range words {
		if at := strings.Index(s, w); w != "" && at >= 0 {
			first, end = min(first, at), max(end, at+len(w))
		}
	}
	if end == 0 || utf8.RuneCountInString(s[:end]) < n {
		return Clipped(s, n)
	}
	runes := []rune(s[:end])
	from := max(0, len(runes)-n*3/4)
	if lead := utf8.RuneCountInString(s[:first]); lead < from { // all of them don't fit: from the first one
		from = max(0, lead-n/4)
	}
	rest := string([]rune(s)[from:])
	if at := strings.IndexFunc(rest, unicode.IsSpace); from > 0 && at >= 0 && at < n/8 {
		rest = rest[at:]
	}
	if from > 0 {
		return "…" + Clipped(strings.TrimSpace(rest), n-1)
	}
	return Clipped(rest, n)
}
