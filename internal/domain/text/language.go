package text

import (
	"slices"
	"strings"
	"unicode"
)

const (
	languageBytes = 4 << 10 // of a text, by which its language is told
	manyWords     = 20      // of which one shows the language
)

// Language returns "en" or "ar" for a text in English or Arabic, and "" for one in another language, or of many words
// of which none shows which. A few words count as the language of their script unless one of them speaks against it.
func Language(s string) string {
	s = s[:min(len(s), languageBytes)]
	arabic := RightToLeft(s)
	words := slices.DeleteFunc(wordsOf(s), func(w string) bool {
		first := firstLetter(w)
		return !unicode.IsLetter(first) || isArabicLetter(first) != arabic
	})
	shows, other, lang := showsEnglish, showsOtherLatin, "en"
	if arabic {
		shows, other, lang = showsArabic, showsOtherArabic, "ar"
	}
	switch {
	case len(words) == 0, IsForeign(strings.Join(words, " ")):
		return ""
	case slices.ContainsFunc(words, other) && !slices.ContainsFunc(words, shows):
		return ""
	case len(words) > manyWords && !slices.ContainsFunc(words, shows):
		return ""
	}
	return lang
}

// ShowsLanguage reports whether a sentence is in English or Arabic and one of its words shows it.
func ShowsLanguage(s string) bool {
	switch Language(s) {
	case "en":
		return slices.ContainsFunc(wordsOf(s), showsEnglish)
	case "ar":
		return slices.ContainsFunc(wordsOf(s), showsArabic)
	}
	return false
}

func showsEnglish(word string) bool {
	low := strings.ToLower(word)
	return englishWords[low] && !homographs[low]
}

// showsOtherLatin reports whether a word is a function word of another language in Latin letters, has a mark that is
// not English, or is in another script.
func showsOtherLatin(word string) bool {
	low := strings.ToLower(word)
	return !unicode.Is(unicode.Latin, firstLetter(word)) || !isASCII(low) && !loans[low] ||
		low == word && functionWords()[low] != 0 && !englishWords[low]
}

func showsArabic(word string) bool {
	return arabicWords[word] || strings.ContainsAny(word, "ةأإؤىًٌٍ") || len([]rune(word)) > 3 &&
		slices.ContainsFunc([]string{"ال", "وال", "بال", "لل", "فال"}, func(p string) bool {
			return strings.HasPrefix(word, p)
		})
}

func showsOtherArabic(word string) bool {
	return foreignArabicWords[word] || strings.ContainsAny(word, foreignLetters) ||
		!unicode.Is(unicode.Arabic, firstLetter(word))
}
