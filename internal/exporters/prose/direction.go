package prose

import (
	"strings"
	"unicode"

	"sanad/internal/domain/text"
	"sanad/internal/exporters/typeset"
)

// TextLang returns the language that sets a text's direction: that of its first and last letter if they agree. If not,
// as in an English sentence that ends in an Arabic quotation, it returns belongs, the language of the surrounding text,
// or if that is empty the first letter's. It returns "" for a text without letters.
func TextLang(s, belongs string) string {
	first, last := "", ""
	for _, r := range s {
		if !unicode.IsLetter(r) {
			continue
		}
		if last = "en"; unicode.Is(unicode.Arabic, r) {
			last = "ar"
		}
		if first == "" {
			first = last
		}
	}
	if base, _, _ := strings.Cut(belongs, "-"); first != last && (base == "en" || base == "ar") {
		return base
	}
	if first == "" || text.Language(s) != "" {
		return first
	}
	return unknownLangs[first]
}

// unknownLangs are the tags of texts in the script of English or Arabic that are in another language.
var unknownLangs = map[string]string{"en": "und", "ar": "und-Arab"}

// PlainText returns the text of spans.
func PlainText(spans []typeset.Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}
