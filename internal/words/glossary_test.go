package words_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A term is one row of docs/glossary.md.
type term struct {
	English, Arabic string
	not             map[string][]string // by language: words that no message may use for it
}

// glossary reads the table of docs/glossary.md.
func glossary(t *testing.T) []term {
	t.Helper()
	data, err := os.ReadFile("../../docs/glossary.md")
	require.NoError(t, err)
	var terms []term
	for _, line := range strings.Split(string(data), "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| English |") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
		require.Len(t, cells, 5, line)
		terms = append(terms, term{
			English: strings.TrimSpace(cells[0]),
			Arabic:  strings.TrimSpace(cells[1]),
			not:     map[string][]string{"en": listed(cells[3]), "ar": listed(cells[4])},
		})
	}
	require.Greater(t, len(terms), 40, "the table was found")
	return terms
}

func listed(cell string) []string {
	var words []string
	for _, w := range strings.Split(cell, ",") {
		if w = strings.TrimSpace(w); w != "" {
			words = append(words, w)
		}
	}
	return words
}

var vowelSigns = regexp.MustCompile(`[\x{064B}-\x{0652}\x{0670}]`)

// shortVowels tell one word from another, such as الحَكَم (who judges) from الحكم (what he judged); shadda and tanwin
// do not.
var shortVowels = regexp.MustCompile(`[\x{064E}-\x{0650}]`)

// code is what names files and commands in a text; these are not translated.
var code = regexp.MustCompile("`[^`]*`|(?m)^    .*$")

// using returns what reports whether a text of a language has a word, as a word of its own. In Arabic up to three
// letters of a prefix may stand before it, and anything after it.
func using(lang, word string) func(text string) bool {
	if lang == "en" {
		pattern := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(word) + `s?\b`)
		return func(text string) bool { return pattern.MatchString(code.ReplaceAllString(text, "")) }
	}
	voweled := shortVowels.MatchString(word)
	if !voweled {
		word = vowelSigns.ReplaceAllString(word, "")
	}
	pattern := regexp.MustCompile(`(^|[^\p{Arabic}])[وفبكل]{0,3}` + regexp.QuoteMeta(word))
	return func(text string) bool {
		if !voweled {
			text = vowelSigns.ReplaceAllString(text, "")
		}
		return pattern.MatchString(text)
	}
}

// texts are the forms of one message.
func texts(message any) []string {
	switch m := message.(type) {
	case string:
		return []string{m}
	case map[string]any:
		var all []string
		for _, form := range m {
			all = append(all, form.(string))
		}
		return all
	}
	return nil
}

// verifyWords is what the page of verification says in a language.
func verifyWords(t *testing.T, lang string) string {
	t.Helper()
	page, err := os.ReadFile("../../static/verify.html")
	require.NoError(t, err)
	_, after, found := strings.Cut(string(page), "\n  "+lang+": {\n")
	require.True(t, found, "the table of words was found")
	table, _, found := strings.Cut(after, "\n  },\n")
	require.True(t, found)
	return table
}

// asAnswered matches the ids of sentences whose English is answered by the API, stored or exported.
var asAnswered = regexp.MustCompile(`^(said|refused|warning|cause|reason|note|json|noun)_`)

// One term for each idea: the Arabic terms are in use, and no message uses a word that the glossary excludes.
func TestTermsOfTheGlossary(t *testing.T) {
	for _, lang := range []string{"en", "ar"} {
		all := messages(t, lang)
		all["verify.html"] = verifyWords(t, lang)
		maps.DeleteFunc(all, func(id string, _ any) bool { return lang == "en" && asAnswered.MatchString(id) })
		for _, entry := range glossary(t) {
			t.Run(lang+" "+entry.English, func(t *testing.T) {
				if lang == "ar" {
					assert.True(t, inUse(all, entry.Arabic), "%s stands in no message", entry.Arabic)
				}
				for _, word := range entry.not[lang] {
					uses := using(lang, word)
					for id, message := range all {
						for _, text := range texts(message) {
							assert.False(t, uses(text), "%s: %q has %q", id, text, word)
						}
					}
				}
			})
		}
	}
}

// inUse reports whether some message has every word of a term, each with or without its article.
func inUse(all map[string]any, term string) bool {
	for _, message := range all {
		for _, text := range texts(message) {
			found := true
			for _, word := range strings.Fields(term) {
				stem := strings.TrimPrefix(vowelSigns.ReplaceAllString(word, ""), "ال")
				found = found && strings.Contains(vowelSigns.ReplaceAllString(text, ""), stem)
			}
			if found {
				return true
			}
		}
	}
	return false
}

func TestUsing(t *testing.T) {
	for name, c := range map[string]struct {
		lang, text, word string
		want             bool
	}{
		"plural":               {lang: "en", text: "Two Tenants wait", word: "tenant", want: true},
		"part of a word":       {lang: "en", text: "tenantry", word: "tenant"},
		"prefix":               {lang: "ar", text: "وبالادعاء", word: "ادعاء"},
		"code":                 {lang: "en", text: "the file `tenant.pub`", word: "tenant"},
		"prefix of one letter": {lang: "ar", text: "لادعاءات أخرى", word: "ادعاء", want: true},
		"article":              {lang: "ar", text: "حُكم على الادعاء", word: "الادعاء", want: true},
		"vowel signs ignored":  {lang: "ar", text: "المقيِّم", word: "المقيّم", want: true},
		"short vowels tell":    {lang: "ar", text: "تأكيد الحكم", word: "الحَكَم"},
		"short vowels found":   {lang: "ar", text: "قرأ الحَكَم", word: "الحَكَم", want: true},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, using(c.lang, c.word)(c.text)) })
	}
}

// TestPerCentsInArabic holds that a per cent of a message is isolated, as those are that a page formats.
func TestPerCentsInArabic(t *testing.T) {
	isolated := regexp.MustCompile("\u2066[0-9.]+%\u2069")
	bare := regexp.MustCompile(`[0-9]%|٪|في المئة|بالمئة`)
	for id, message := range messages(t, "ar") {
		if strings.HasPrefix(id, "pdf.") || strings.HasPrefix(id, "memo.") { // isolated by their writers
			continue
		}
		require.NotRegexp(t, bare, isolated.ReplaceAllString(fmt.Sprint(message), ""), id)
	}
}
