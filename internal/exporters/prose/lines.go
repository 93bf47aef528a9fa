package prose

import (
	"strings"

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

// Cell is a cell of a table with nothing but words.
func Cell(s string) typeset.Cell { return typeset.Cell{Spans: typeset.Text(s)} }
