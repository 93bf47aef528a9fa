package text

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// Stem returns the stem of one folded word: English Snowball for Latin letters, light10 for Arabic, else the word.
func Stem(norm string) string {
	r, _ := utf8.DecodeRuneInString(norm)
	switch {
	case isArabicLetter(r):
		return stemArabic(norm)
	case isLatinWord(norm):
		return stemEnglish(norm)
	}
	return norm
}

// A cache of English stems, as stemming takes longer than all the rest of Tokens. Each word has one slot, chosen by its
// hash, and replaces what was there. So memory is bounded, and results do not depend on what is cached.
const (
	keptStems   = 1 << 14
	longestKept = 40 // bytes
)

type stemmed struct{ word, stem string }

var (
	stems    [keptStems]atomic.Pointer[stemmed]
	stemSeed = maphash.MakeSeed()
)

func stemEnglish(word string) string {
	if len(word) > longestKept {
		return english.Stem(word, true)
	}
	place := &stems[maphash.String(stemSeed, word)%keptStems]
	if kept := place.Load(); kept != nil && kept.word == word {
		return kept.stem
	}
	word = strings.Clone(word) // so that one word does not keep its whole text in memory
	stem := strings.Clone(english.Stem(word, true))
	place.Store(&stemmed{word, stem})
	return stem
}

func isLatinWord(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isASCIILetter(s[i]) && s[i] != '\'' {
			return false
		}
	}
	return s != ""
}

// The affixes of light10 (Larkey, Ballesteros and Connell 2007), as Fold leaves them, longest first.
var (
	arabicArticles = []string{"وال", "بال", "كال", "فال", "ال", "لل"}
	arabicSuffixes = []string{"ان", "ات", "ون", "ين", "يه", "ه", "ي"}
)

// stemArabic strips a leading و, an article and suffixes, each only if enough of the word remains. Beyond light10 it
// strips the final alef, which an accusative keeps when its tanwin is not written: يوما becomes يوم.
func stemArabic(w string) string {
	const letter = 2 // bytes of a letter of the main Arabic block
	w = stripPrefixes(w, letter)
	if rest, ok := strings.CutSuffix(w, "ها"); ok && len(rest) >= 2*letter {
		w = rest
	} else if rest, ok := strings.CutSuffix(w, "ا"); ok && len(rest) >= 3*letter {
		w = rest // before the other suffixes, so that ضمانا and ضمان have one stem
	}
	for _, suffix := range arabicSuffixes {
		if rest, ok := strings.CutSuffix(w, suffix); ok && len(rest) >= 2*letter {
			w = rest
		}
	}
	return w
}

func stripPrefixes(w string, letter int) string {
	for _, article := range arabicArticles {
		if rest, ok := strings.CutPrefix(w, article); ok && len(rest) >= 2*letter {
			return rest
		}
	}
	if rest, ok := strings.CutPrefix(w, "و"); ok && len(rest) >= 3*letter {
		return rest
	}
	return w
}
