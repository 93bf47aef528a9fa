package typeset

import (
	"slices"

	"golang.org/x/text/unicode/bidi"
)

// bracketPairs lists the opening and closing characters of BidiBrackets.txt, Unicode 15, in pairs. x/text says which
// characters are brackets, but not how they pair.
const bracketPairs = "" +
	"\u0028\u0029\u005b\u005d\u007b\u007d\u0f3a\u0f3b\u0f3c\u0f3d\u169b\u169c\u2045\u2046\u207d\u207e" +
	"\u208d\u208e\u2308\u2309\u230a\u230b\u2329\u232a\u2768\u2769\u276a\u276b\u276c\u276d\u276e\u276f" +
	"\u2770\u2771\u2772\u2773\u2774\u2775\u27c5\u27c6\u27e6\u27e7\u27e8\u27e9\u27ea\u27eb\u27ec\u27ed" +
	"\u27ee\u27ef\u2983\u2984\u2985\u2986\u2987\u2988\u2989\u298a\u298b\u298c\u298d\u2990\u298f\u298e" +
	"\u2991\u2992\u2993\u2994\u2995\u2996\u2997\u2998\u29d8\u29d9\u29da\u29db\u29fc\u29fd\u2e22\u2e23" +
	"\u2e24\u2e25\u2e26\u2e27\u2e28\u2e29\u2e55\u2e56\u2e57\u2e58\u2e59\u2e5a\u2e5b\u2e5c\u3008\u3009" +
	"\u300a\u300b\u300c\u300d\u300e\u300f\u3010\u3011\u3014\u3015\u3016\u3017\u3018\u3019\u301a\u301b" +
	"\ufe59\ufe5a\ufe5b\ufe5c\ufe5d\ufe5e\uff08\uff09\uff3b\uff3d\uff5b\uff5d\uff5f\uff60\uff62\uff63"

// bracketPartner maps each bracket to the closing bracket of its pair; read-only.
var bracketPartner = func() map[rune]rune {
	m := map[rune]rune{}
	pairs := []rune(bracketPairs)
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]], m[pairs[i+1]] = pairs[i+1], pairs[i+1]
	}
	m['\u2329'], m['\u232a'] = '\u3009', '\u3009' // canonical equivalents (BD16)
	return m
}()

// maxBrackets is the bracket stack's capacity (BD16).
const maxBrackets = 63

// pair is a bracket pair by its positions in the sequence.
type pair struct{ open, end int }

// brackets sets both brackets of a pair to the direction of what they enclose (N0).
func (s *sequence) brackets() {
	for _, b := range s.bracketPairs() {
		if to := s.bracketDirection(b); to != bidi.ON {
			s.setBracket(b.open, to)
			s.setBracket(b.end, to)
		}
	}
}

// bracketPairs returns the pairs in the order of their opening brackets (BD16).
func (s *sequence) bracketPairs() []pair {
	type opened struct {
		closing rune
		at      int
	}
	var stack []opened
	var out []pair
	for i, pos := range s.at {
		if s.types[i] != bidi.ON {
			continue
		}
		r := s.p.text[pos]
		props, _ := bidi.LookupRune(r)
		switch {
		case !props.IsBracket():
		case props.IsOpeningBracket():
			if len(stack) == maxBrackets {
				return nil
			}
			stack = append(stack, opened{bracketPartner[r], i})
		default:
			for j := len(stack) - 1; j >= 0; j-- {
				if stack[j].closing == bracketPartner[r] {
					out = append(out, pair{stack[j].at, i})
					stack = stack[:j]
					break
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b pair) int { return a.open - b.open })
	return out
}

// bracketDirection returns the direction of a pair, or ON if it encloses nothing strong.
func (s *sequence) bracketDirection(b pair) bidi.Class {
	embedding, found := direction(s.level), false
	for i := b.open + 1; i < b.end; i++ {
		switch c := asStrong(s.types[i]); c {
		case embedding:
			return embedding
		case bidi.L, bidi.R:
			found = true
		}
	}
	if !found {
		return bidi.ON
	}
	for i := b.open - 1; i >= 0; i-- {
		if c := asStrong(s.types[i]); c == bidi.L || c == bidi.R {
			return c // the opposite direction, or the embedding's own
		}
	}
	return s.sos
}

// setBracket sets the class of a bracket and of the marks on it.
func (s *sequence) setBracket(i int, to bidi.Class) {
	s.types[i] = to
	for i++; i < len(s.at) && s.p.classes[s.at[i]] == bidi.NSM; i++ {
		s.types[i] = to
	}
}
