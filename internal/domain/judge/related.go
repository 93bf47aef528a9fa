package judge

import (
	"strings"
	"unicode/utf8"
)

const (
	relatedLetters = 4 // letters of related words at least
	relatedApart   = 4 // by how many letters they may differ
)

// related reports whether two words are forms of one another or differ by a typing error: most of the longer is a
// common prefix ("inform", "informat"), or one letter is changed, missing or too much in a long word ("mohammed",
// "mohamed"). The words have la and lb letters, relatedLetters at least and no more than relatedApart apart.
func related(a, b string, la, lb int) bool {
	common := commonPrefix(a, b)
	if common >= 4 && common*10 >= max(la, lb)*6 && common*10 >= min(la, lb)*9 {
		return true
	}
	return min(la, lb) >= 6 && common >= 3 && oneApart([]rune(a), []rune(b))
}

// commonPrefix counts the letters that both words begin with.
func commonPrefix(a, b string) int {
	n, i := 0, 0
	for i < len(a) && i < len(b) {
		r, w := utf8.DecodeRuneInString(a[i:])
		s, _ := utf8.DecodeRuneInString(b[i:])
		if r != s {
			break
		}
		n, i = n+1, i+w
	}
	return n
}

// oneApart reports whether one letter changed, added or taken away makes a of b.
func oneApart(a, b []rune) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(a)-len(b) > 1 {
		return false
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	rest := b[i:]
	if len(a) == len(b) && i < len(b) {
		rest = b[i+1:]
	}
	return i == len(a) || string(a[i+1:]) == string(rest)
}

// rootLetters is the fewest letters left of an Arabic root by which two words count as having one root.
const rootLetters = 3

// arabicRoot returns the letters of an Arabic stem that its patterns leave alone: without weak letters and hamza, and
// without a first letter that conjugates or derives (ارتفع, يرتفع and مرتفع are رتفع). "" for other words and where too
// little is left.
func arabicRoot(stem string) string {
	if len(stem) < 2*rootLetters || stem[0] < 0xd8 || stem[0] > 0xd9 {
		return ""
	}
	if rest, ok := strings.CutPrefix(stem, "س"); ok && utf8.RuneCountInString(rest) > rootLetters && (strings.HasPrefix(rest,
		"ي") || strings.HasPrefix(rest, "ت") || strings.HasPrefix(rest, "ن")) {
		stem = rest // of the future: سيمدد
	}
	for _, prep := range [...]string{"ب", "ل", "ك"} { // attached: بتقديم
		if rest, ok := strings.CutPrefix(stem, prep); ok && utf8.RuneCountInString(rest) > rootLetters {
			stem = rest
			break
		}
	}
	out := make([]rune, 0, len(stem)/2)
	for i, r := range stem {
		switch {
		case r == 'ا' || r == 'و' || r == 'ي' || r == 'ى' || r == 'ء':
		case i == 0 && (r == 'ت' || r == 'ن' || r == 'م'):
		default:
			out = append(out, r)
		}
	}
	if n := len(out); n > rootLetters && out[n-1] == 'ت' {
		out = out[:n-1] // "she did": ارتفعت
	}
	if len(out) < rootLetters {
		return ""
	}
	return string(out)
}
