package ui

import (
	"slices"
	"strings"
	"unicode"

	"sanad/internal/views/say"
)

// Initials returns the first letters of a person's first and last name, for a mark beside which the whole name is a
// title. Of a name that is given in two scripts it takes the one of language lang. Letters of the Arabic script are kept
// apart, so that they do not join; their article is passed over.
func Initials(name, lang string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '-' })
	other := func(word string) bool {
		return strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) != (lang == "ar")
	}
	if slices.ContainsFunc(words, func(w string) bool { return !other(w) }) {
		words = slices.DeleteFunc(words, other)
	}
	var out []string
	for _, w := range words {
		if initial := initialOf(w); initial != "" {
			out = append(out, initial)
		}
	}
	if len(out) > 2 {
		out = []string{out[0], out[len(out)-1]}
	}
	const apart = "\u200c" // a zero-width non-joiner
	return strings.Join(out, apart)
}

// ownName is the part of a name in the reader's language, where the name is given in both with a dot between, as in
// "Khalid Al Marri · خالد المري"; else the whole name. A name that is cut would lose the beginning of its second part.
func (c *Chrome) ownName(name string) string {
	first, second, found := strings.Cut(name, " · ")
	if !found || first == "" || second == "" || say.Dir(first) == say.Dir(second) {
		return name
	}
	if say.Dir(first) == c.Dir {
		return first
	}
	return second
}

// initialOf returns the first letter of a word in upper case, "" if it has none.
func initialOf(word string) string {
	if rest, found := strings.CutPrefix(word, "ال"); found && rest != "" {
		word = rest
	}
	for _, r := range word {
		if unicode.IsLetter(r) {
			return string(unicode.ToUpper(r))
		}
	}
	return ""
}
