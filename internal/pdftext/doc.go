// Package pdftext extracts the text of a PDF page by page: with its own reader, built on pdfcpu's objects, or with
// poppler's pdftotext if it is installed (docs/adr/0010). Isolated runs either in its own process, which contains
// hostile files.
package pdftext

import (
	"errors"
	"fmt"
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
}

func (l Limits) withDefaults() Limits {
	if l.Pages == 0 {
		l.Pages = 2_000
	}
	if l.Runes == 0 {
		l.Runes = 10_000_000
	}
	return l
}

// The reasons why a file cannot be read.
var (
	ErrEncrypted = errors.New("the PDF is encrypted")
	ErrBroken    = errors.New("the PDF is broken")
	ErrTooLarge  = errors.New("the PDF is too large")
	ErrGaveUp    = errors.New("reading the PDF took too much time or memory")
	ErrBusy      = errors.New("too many other PDFs are being read")
)

// Fault is a failure at a page. errors.Is tells which of the above it is; Cause is for the log.
type Fault struct {
	Kind  error
	Page  int // from 1; 0 for the whole file
	Cause error
}

func (f *Fault) Error() string {
	if f.Page > 0 {
		return fmt.Sprintf("%v at page %d: %v", f.Kind, f.Page, f.Cause)
	}
	return fmt.Sprintf("%v: %v", f.Kind, f.Cause)
}

// Unwrap returns the kind.
func (f *Fault) Unwrap() error { return f.Kind }
