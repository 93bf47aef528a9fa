package say

import (
	"slices"
	"strings"
	"unicode"
)

// Initials returns the first letters of a person's first and last name, for a mark beside which the whole name is a
// title. Of a name that is given in two scripts it takes the one of language lang. Letters of the Arabic script are
// kept apart, so that they do not join; their article is passed over.
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

// OwnName is the part of a name in the reader's language, where the name is given in both with a dot between, as in
// "Khalid Al Marri · خالد المري"; else the whole name. A name that is cut would lose the beginning of its second part.
func (r *Reader) OwnName(name string) string {
	first, second, found := strings.Cut(name, " · ")
	if !found || first == "" || second == "" || Dir(first) == Dir(second) {
		return name
	}
	if Dir(first) == r.Dir {
		return first
	}
	return second
}

// Named is the part of a name in the reader's language, to stand in a sentence.
func (r *Reader) Named(name string) string { return Isolated(r.OwnName(name)) }

// AllNamed names each of several people who are joined into one line.
func (r *Reader) AllNamed(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = r.Named(n)
	}
	return out
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

// initialID shortens a pseudonymous id to its distinctive beginning; anything but a UUID stays whole.
func initialID(id string) string {
	if len(id) == 36 && strings.Count(id, "-") == 4 {
		return id[:8]
	}
	return id
}

// ActorName is the shown name of an actor: the current name as OwnName has it, words for actors that are not people, else
// the start of the id.
func (r *Reader) ActorName(id, name string) string {
	if name != "" {
		return r.OwnName(name)
	}
	return r.Known("actor_", initialID(id))
}
