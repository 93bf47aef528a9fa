package pack

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/segmenter"
)

// Words returns the number of words of Markdown (rule P-8): UAX #29 words that have a letter or a digit. References
// ([E1]) and Markdown syntax (list numbers, link targets, emphasis, escapes) don't count.
func Words(markdown string) int { return count([]rune(plain(markdown))) }

// count counts the words of runes. The segmenter skips a word that directly follows another one, as in Chinese, so the
// text between the words it finds is searched again.
func count(runes []rune) int {
	var s segmenter.Segmenter
	s.Init(runes)
	n, end := 0, 0
	between := func(gap []rune) {
		if hasWord(gap) && len(gap) < len(runes) {
			n += count(gap)
		}
	}
	for words := s.WordIterator(); words.Next(); {
		w := words.Word()
		between(runes[end:w.Offset])
		if hasWord(w.Text) {
			n++
		}
		end = w.Offset + len(w.Text)
	}
	between(runes[end:])
	return n
}

// hasWord reports whether runes contain a letter or a digit; ½ and ① are neither.
func hasWord(runes []rune) bool {
	return slices.ContainsFunc(runes, func(r rune) bool { return unicode.In(r, unicode.L, unicode.Nd, unicode.Nl) })
}

var (
	reference   = regexp.MustCompile(`\[E([0-9]{1,4})\]`)
	listNumber  = regexp.MustCompile(`(?m)^[ \t>]*[0-9]{1,9}[.)](?:[ \t]|$)`)
	linkTarget  = regexp.MustCompile(`\]\([^()\s]*(?:\s+"[^"]*")?\)`)
	underscores = regexp.MustCompile(`(^|[^\pL\pN_])_+|_+([^\pL\pN_]|$)`)
	escaped     = regexp.MustCompile(`\\([!-/:-@\[-` + "`" + `{-~])`)
)

// plain removes what does not count from Markdown. Emphasis does not split a word: "**bo**ld" is one.
func plain(markdown string) string {
	s := reference.ReplaceAllString(markdown, " ")
	s = listNumber.ReplaceAllString(s, " ")
	s = linkTarget.ReplaceAllString(s, "] ")
	s = escaped.ReplaceAllString(s, "$1")
	s = strings.NewReplacer("**", "", "*", "", "~~", "", "`", "").Replace(s)
	return underscores.ReplaceAllString(s, "$1 $2")
}
