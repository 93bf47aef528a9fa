package evidence

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// spotlightStopwords are frequent words of four letters or more that do not help to locate a claim (rule E-8).
var spotlightStopwords = wordSet(`
from with into onto upon this that these those have been being their there they them your what when where while which
would could should might shall first last also very much many more most less some such than then back next after
before between through across above below during without within until since about around along among appear appears
appeared feature features include includes shown shows
`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// edgePunctuation is stripped from both ends of a word (rule E-8).
const edgePunctuation = ".,;:!?\"'()[]{}—-"

// ContentTokens returns the words of a claim that an excerpt should show (rule E-8): lower case, each once, longest
// first; of short words only acronyms (CPU, VAT).
func ContentTokens(claim string) []string {
	out, seen := []string{}, map[string]bool{}
	for _, raw := range strings.FieldsFunc(claim, isSpace) {
		core := strings.Trim(raw, edgePunctuation)
		token := lower(core)
		n := utf8.RuneCountInString(token)
		if n < 4 && !isAcronym(core, n) || spotlightStopwords[token] || seen[token] {
			continue
		}
		seen[token] = true
		out = append(out, token)
	}
	sort.SliceStable(out, func(i, j int) bool {
		return utf8.RuneCountInString(out[i]) > utf8.RuneCountInString(out[j])
	})
	return out
}

// isAcronym reports whether core is two or three letters, capital if they have case (Python's isalpha and isupper).
func isAcronym(core string, n int) bool {
	if n < 2 || n > 3 {
		return false
	}
	cased := false
	for _, r := range core {
		switch {
		case !unicode.IsLetter(r), unicode.IsLower(r), unicode.Is(unicode.Other_Lowercase, r), unicode.IsTitle(r):
			return false
		case unicode.IsUpper(r):
			cased = true
		}
	}
	return cased
}

// lower lower-cases each code point separately, so that offsets in the result are offsets in s (rule E-2).
func lower(s string) string { return strings.Map(unicode.ToLower, s) }

// isSpace is Python's str.isspace: Go's white space and the four information separators.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }
