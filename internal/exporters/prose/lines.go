package prose

import (
	"regexp"
	"strings"
	"unicode"

	"sanad/internal/exporters/typeset"
)

// Maximum lengths of texts in a document, in code points; the attached JSON has the full texts.
const (
	TitleLength  = 200 // as a name
	ClaimLength  = 900
	QuoteLength  = 320 // in the section of its own language
	RemarkLength = 500 // remark of a judge or reviewer
)

// DigestLength is how many digits of the digest the footer of a page shows.
const DigestLength = 16

// Soft is the colour of labels and quotations.
const Soft typeset.Color = 0x5b5850

// Widths of the ledger's columns, in percent.
const (
	NumberWidth  = 5.5
	SaysWidth    = 30.5
	SourceWidth  = 36
	VerdictWidth = 100 - NumberWidth - SaysWidth - SourceWidth
)

// Alarm is the colour of warnings.
const Alarm typeset.Color = 0xa1211c

// Lines collects spans line by line.
type Lines []typeset.Span

// Line appends spans as a line of their own.
func (l *Lines) Line(spans ...typeset.Span) {
	if len(*l) > 0 {
		*l = append(*l, typeset.Span{Text: "\n"})
	}
	*l = append(*l, spans...)
}

// Labelled appends a line with a soft label before it, which may be a question.
func (l *Lines) Labelled(label string, spans ...typeset.Span) {
	if !strings.HasSuffix(label, "?") && !strings.HasSuffix(label, "؟") {
		label += ":"
	}
	l.Line(append([]typeset.Span{{Text: label + " ", Color: Soft}}, spans...)...)
}

// quotation matches words in quotation marks that have a direction of their own.
var quotation = regexp.MustCompile(`«[^«»]*»|“[^“”]*”`)

// Quotations returns a text of a language as spans: quotations in another language are isolated, so that both of their
// marks stand beside their words.
func Quotations(s, lang string) (out []typeset.Span) {
	at := 0
	for _, q := range quotation.FindAllStringIndex(s, -1) {
		own := TextLang(s[q[0]:q[1]], "")
		if own == "" || own == lang {
			continue
		}
		if q[0] > at {
			out = append(out, typeset.Span{Text: s[at:q[0]]})
		}
		out = append(out, typeset.Span{Text: s[q[0]:q[1]], Isolate: true, Lang: own})
		at = q[1]
	}
	if at < len(s) || len(out) == 0 {
		out = append(out, typeset.Span{Text: s[at:]})
	}
	return out
}

// InOriginal says behind a text that stands in another language than the document's part in which language it was
// written: "in English in the original"; nil for a text in the part's own language, and where the language is not known.
func (p *Lang) InOriginal(s string) []typeset.Span {
	lang := TextLang(s, p.Code)
	own := func(r rune) bool { return unicode.IsLetter(r) && unicode.Is(unicode.Arabic, r) == (p.Code == "ar") }
	if lang == p.Code || lang != "en" && lang != "ar" || strings.ContainsFunc(s, own) {
		return nil
	}
	return []typeset.Span{{Text: " " + p.T("in_original_"+lang), Color: Soft, Lang: p.Code, Dir: p.Dir()}}
}

// Cell is a cell of a table with nothing but words.
func Cell(s string) typeset.Cell { return typeset.Cell{Spans: typeset.Text(s)} }
