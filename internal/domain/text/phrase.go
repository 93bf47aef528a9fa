package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// FoldAll folds each of some phrases.
func FoldAll(phrases ...string) []string {
	out := make([]string, len(phrases))
	for i, p := range phrases {
		out[i] = Fold(p)
	}
	return out
}

// Spaced returns the words of s folded, with one space between them and at both ends, so that a phrase with a space at
// both ends is found in it only as whole words.
func Spaced(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	gap := true
	b.WriteByte(' ')
	for _, r := range Fold(s) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' {
			b.WriteRune(r)
			gap = false
		} else if !gap {
			b.WriteByte(' ')
			gap = true
		}
	}
	if !gap {
		b.WriteByte(' ')
	}
	return b.String()
}

// IsCapitalised reports whether a word begins with a capital.
func IsCapitalised(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r)
}

// IsYear reports whether a value may be a year.
func IsYear(v float64) bool { return v == float64(int(v)) && v >= 1000 && v <= 2100 }

// HasUnit reports whether a character makes a figure name its own unit.
func HasUnit(r rune) bool { return unicode.IsLetter(r) || strings.ContainsRune("%٪$€£", r) }
