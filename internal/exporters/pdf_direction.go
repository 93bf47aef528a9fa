package exporters

import (
	"strings"
	"unicode"

	"sanad/internal/exporters/typeset"
)

// textLang returns the language that sets a text's direction: that of its first and last letter if they agree. If they
// do not, as in an English sentence that ends in an Arabic quotation, it is belongs, the language of the text around
// it, or else that of the first letter. A text without letters has "".
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
	return first
}

// own keeps a text of the session in its own direction, line by line, within a sentence of either language.
func (p *pdfWriter) own(s string) []typeset.Span {
	var out lines
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\r\n")
		out.line(typeset.Span{Text: line, Isolate: true, Lang: textLang(line, p.l.Session.Lang)})
	}
	return out
}

// fill puts words of either language into a sentence, each in its own direction; pairs are placeholder, words.
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

// free is text that may hold Markdown. In the section's language it keeps its emphasis; in the other it is one plain
// stretch a line, because several stretches would stand in the section's order.
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
