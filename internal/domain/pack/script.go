package pack

import (
	"regexp"
	"strings"
	"unicode"
)

// leastLatin is how many Latin letters a text has before it can count as mostly Latin: a name or two are no fault.
const leastLatin = 24

var (
	codeSpan = regexp.MustCompile("`[^`\n]*`")
	inQuotes = regexp.MustCompile(`«[^«»]*»|“[^“”]*”|"[^"\n]*"`)
	webLink  = regexp.MustCompile(`\b[a-z][a-z0-9+.-]*://\S+`)
)

// MostlyLatin reports whether a text that should be Arabic has more Latin letters than Arabic ones. What is Latin in
// any Arabic text does not count: quotations of a source, code, links, references, names of tools and files
// (crm.get_contact, T2, report.pdf), abbreviations (PDF, LLC) and amounts with their currency (USD 1,200).
func MostlyLatin(markdown string) bool {
	s := markdown
	for _, r := range []*regexp.Regexp{codeSpan, linkTarget, webLink, reference, inQuotes} {
		s = r.ReplaceAllString(s, " ")
	}
	latin, arabic := 0, 0
	for word := range strings.FieldsSeq(s) {
		l, a := letters(word)
		if arabic += a; a > 0 || !isName(word) {
			latin += l
		}
	}
	return latin >= leastLatin && latin > arabic
}

// letters counts the letters of the two scripts.
func letters(s string) (latin, arabic int) {
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.Is(unicode.Arabic, r) && unicode.IsLetter(r):
			arabic++
		}
	}
	return latin, arabic
}

// isName reports whether a word is written like the name of a tool or file, an abbreviation, or a figure with its unit:
// it has a digit, a sign within it, or no small letter.
func isName(word string) bool {
	word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	small := false
	for i, r := range word {
		switch {
		case unicode.IsDigit(r), strings.ContainsRune("._/:@#\\", r):
			return true
		case unicode.IsLower(r):
			small = true
		case unicode.IsUpper(r) && i > 0 && small: // camelCase
			return true
		}
	}
	return !small
}
