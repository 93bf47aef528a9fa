package db

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a forgiving search: only the first words are forgiven, and none that is shorter, longer, or has a digit in
// it. A word of maxLoose letters has about 1,300 spellings with one wrong letter.
const (
	maxLooseTerms = 4
	minLoose      = 4 // letters of a word that may be misspelt; from minPrefix on it may be a beginning
	minPrefix     = 3
	maxLoose      = 20
)

// The letters that a wrong one may stand for, folded as the index has them.
var (
	latinLetters  = []rune("abcdefghijklmnopqrstuvwxyz")
	arabicLetters = []rune("ابتثجحخدذرزسشصضطظعغفقكلمنهويء")
)

// matchTerms returns the MATCH expression for rows that contain every term, each with the scope before it. If it is
// loose, words that begin with the term, or differ from it in one letter, count too. The engine looks up spellings in
// the index one by one, so that the cost is bounded, and reads no word of another scope.
func matchTerms(terms []string, scope string, loose bool) string {
	each := make([]string, len(terms))
	for i, term := range terms {
		each[i] = `"` + scope + term + `"`
		if !loose || i >= maxLooseTerms || strings.ContainsFunc(term, unicode.IsNumber) {
			continue
		}
		if utf8.RuneCountInString(term) >= minPrefix {
			each[i] += `* OR "` + strings.Join(spellings(term, scope), `" OR "`) + `"`
			each[i] = "(" + strings.TrimSuffix(each[i], ` OR ""`) + ")"
		}
	}
	return strings.Join(each, " AND ")
}

// spellings returns the words that differ from a term in one letter: one is missing, too many, wrong, or two next to each
// other are swapped.
func spellings(term, scope string) []string {
	r := []rune(term)
	if len(r) < minLoose || len(r) > maxLoose {
		return nil
	}
	letters := latinLetters
	if slices.ContainsFunc(r, func(x rune) bool { return unicode.Is(unicode.Arabic, x) }) {
		letters = arabicLetters
	}
	var out []string
	add := func(parts ...[]rune) { out = append(out, scope+string(slices.Concat(parts...))) }
	for i := range r {
		add(r[:i], r[i+1:])
		if i+1 < len(r) && r[i] != r[i+1] {
			add(r[:i], []rune{r[i+1], r[i]}, r[i+2:])
		}
		for _, x := range letters {
			if x != r[i] {
				add(r[:i], []rune{x}, r[i+1:])
			}
			add(r[:i], []rune{x}, r[i:])
		}
	}
	for _, x := range letters {
		add(r, []rune{x})
	}
	slices.Sort(out)
	return slices.Compact(out)
}
