// Package pdftext extracts the text of a PDF page by page: with its own reader, built on pdfcpu's objects, or with
// poppler's pdftotext if it is installed (docs/adr/0010). Isolated runs either in its own process, which contains
// hostile files.
package pdftext

import (
	"errors"

	"sanad/internal/isolated"
)

// Names of the readers, as they are stored with a document.
const (
	Own     = "sanad"
	Poppler = "pdftotext"
)

// Text is what a reader found in a file.
type Text struct {
	Reader string // Own or Poppler
	Pages  []Page // all pages of the file in order, including those without text
}

// Page is the words of one page in reading order.
type Page struct {
	Paragraphs []Paragraph
	Unmapped   int // characters that their font does not map to Unicode; each becomes U+FFFD
}

// Paragraph is a heading, a paragraph, a list item or a row of a table.
type Paragraph struct {
	Text  string // logical order, NFC, no presentation forms, one line
	Level int    // 0 for body text, 1 to 6 for a heading
}

// Limits bounds what is read. A zero field has the default.
type Limits struct {
	Pages int // 2,000
	Runes int // of the whole text; 10,000,000
	Steps int // of drawing; 50,000,000
}

func (l Limits) withDefaults() Limits {
	if l.Pages == 0 {
		l.Pages = 2_000
	}
	if l.Runes == 0 {
		l.Runes = 10_000_000
	}
	if l.Steps == 0 {
		l.Steps = 50_000_000
	}
	return l
}

// The reasons why a file cannot be read.
var (
	ErrEncrypted = errors.New("the PDF is encrypted")
	ErrBroken    = isolated.ErrBroken
	ErrTooLarge  = isolated.ErrTooLarge
	ErrGaveUp    = isolated.ErrGaveUp
	ErrBusy      = isolated.ErrBusy
)

// Fault is a failure at a page. errors.Is tells which of the above it is; Cause is for the log.
type Fault = isolated.Fault
