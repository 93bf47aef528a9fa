package exporters

import (
	"strings"
	"unicode"

	"sanad/internal/domain/text"
	"sanad/internal/exporters/typeset"
)

// textLang returns the language that sets a text's direction: that of its first and last letter if they agree. If not,
// as in an English sentence that ends in an Arabic quotation, it returns belongs, the language of the surrounding text,
// or if that is empty the first letter's. It returns "" for a text without letters.
func textLang(s, belongs string) string {
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

// own returns a text of the session in its own direction, line by line, for use within a sentence of either language.
func (p *pdfWriter) own(s string) []typeset.Span {
	var out lines
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\r\n")
		out.line(typeset.Span{Text: line, Isolate: true, Lang: textLang(line, p.l.Session.Lang)})
	}
	return out
}

// fill returns a sentence with its placeholders replaced by texts of either language, each in its own direction; pairs
// are placeholder, text.
func fill(sentence string, pairs ...string) []typeset.Span {
	var out []typeset.Span
	for i := 0; i+1 < len(pairs); i += 2 {
		before, after, ok := strings.Cut(sentence, pairs[i])
		if ok {
			out, sentence = append(out, typeset.Span{Text: before},
				typeset.Span{Text: pairs[i+1], Isolate: true}), after
		}
	}
	return append(out, typeset.Span{Text: sentence})
}

// speaks reports whether a text has the section's direction.
func (p *pdfWriter) speaks(s string) bool {
	lang := textLang(s, p.l.Session.Lang)
	return lang == "" || lang == p.code
}

// free returns a text that may hold Markdown. In the section's language it keeps its emphasis; in the other language it
// is one plain span per line, because several spans would be ordered in the section's direction.
func (p *pdfWriter) free(s string) []typeset.Span {
	spans := markdownSpans(s)
	if p.speaks(s) {
		return spans
	}
	var b strings.Builder
	for _, x := range spans {
		b.WriteString(x.Text)
	}
	return p.own(b.String())
}
