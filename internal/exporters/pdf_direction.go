package exporters

import (
	"strings"

	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// own returns a text of the session in its own direction, line by line, for use within a sentence of either language.
func (p *pdfWriter) own(s string) []typeset.Span {
	var out prose.Lines
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\r\n")
		out.Line(typeset.Span{Text: line, Isolate: true, Lang: prose.TextLang(line, p.l.Session.Lang)})
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
	lang := prose.TextLang(s, p.l.Session.Lang)
	return lang == "" || lang == p.Code
}

// free returns a text that may hold Markdown. In the section's language it keeps its emphasis; in the other language it
// is one plain span per line, because several spans would be ordered in the section's direction.
func (p *pdfWriter) free(s string) []typeset.Span {
	spans := prose.Spans(s)
	if p.speaks(s) {
		return spans
	}
	var b strings.Builder
	for _, x := range spans {
		b.WriteString(x.Text)
	}
	return p.own(b.String())
}
