package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Nearness is how near the words of a text must come to those of a query.
type Nearness int

const (
	SameWords Nearness = iota // each word, in any inflection
	BegunWord                 // the last word may be the beginning of one
	NearWords                 // each word may be the beginning of one, or have one wrong letter
)

// Letters that a word has at least to count as a beginning, and at least and at most for one of them to be wrong.
const (
	minBegun  = 3
	minWrong  = 4
	mostWrong = 20
)

// MayBegin reports whether a folded word of a query may be the beginning of the word that is meant. A word with a digit
// is a number or an id: it is exact.
func MayBegin(word string) bool {
	return utf8.RuneCountInString(word) >= minBegun && !strings.ContainsFunc(word, unicode.IsNumber)
}

// MayBeWrong reports whether a folded word of a query may have a wrong letter.
func MayBeWrong(word string) bool {
	n := utf8.RuneCountInString(word)
	return n >= minWrong && n <= mostWrong && MayBegin(word)
}

// OneLetter reports whether two words differ in one letter at most: one is missing, too many or wrong, or two next to
// each other are swapped.
func OneLetter(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	switch len(y) - len(x) {
	case 0:
		return i == len(x) || slices.Equal(x[i+1:], y[i+1:]) ||
			i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i] && slices.Equal(x[i+2:], y[i+2:])
	case 1:
		return slices.Equal(x[i:], y[i+1:])
	}
	return false
}

// Likeness is how well a name answers a query; the greater the better.
type Likeness int

const (
	Unlike       Likeness = iota
	OneLetterOff          // each word of the query begins one of the name, with a wrong letter
	WithinWords           // each is part of a word
	BeginsWords           // each begins a word
	BeginsName            // the name begins with the query
)

// Naming compares names with a query, whatever their case, diacritics and forms of letters.
type Naming struct {
	whole string
	words []string
}

// NewNaming returns a Naming for a query.
func NewNaming(query string) Naming {
	whole := Fold(strings.TrimSpace(query))
	return Naming{whole, strings.FieldsFunc(whole, cutsName)}
}

// cutsName reports whether a character stands between two words of a name.
func cutsName(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }

// Like says how well a name answers the query. A query without words is like nothing.
func (q Naming) Like(name string) Likeness {
	if len(q.words) == 0 {
		return Unlike
	}
	folded := Fold(name)
	if strings.HasPrefix(folded, q.whole) {
		return BeginsName
	}
	words, least := strings.FieldsFunc(folded, cutsName), BeginsWords
	for _, w := range q.words {
		best := Unlike
		for _, n := range words {
			best = max(best, likeWord(n, w))
		}
		if least = min(least, best); least == Unlike {
			return Unlike
		}
	}
	return least
}

func likeWord(word, query string) Likeness {
	switch {
	case strings.HasPrefix(word, query):
		return BeginsWords
	case strings.Contains(word, query) && MayBegin(query):
		return WithinWords
	case MayBeWrong(query) && beginsNear(word, query):
		return OneLetterOff
	}
	return Unlike
}

// beginsNear reports whether a beginning of a word differs from the query in one letter.
func beginsNear(word, query string) bool {
	r, n := []rune(word), utf8.RuneCountInString(query)
	for end := n - 1; end <= min(n+1, len(r)); end++ {
		if OneLetter(string(r[:end]), query) {
			return true
		}
	}
	return false
}
