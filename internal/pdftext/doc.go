// Package pdftext extracts the text of a PDF page by page: with its own reader, built on pdfcpu's objects, or with
// poppler's pdftotext if it is installed (docs/adr/0010). Isolated runs either in its own process, which contains
// hostile files.
package pdftext

import (
	"errors"

	"sanad/internal/domain/text"
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
	Hidden     []Hidden
	Moved      bool // all its words are read with those of the page before
	Pictured   bool // a picture, or several, are behind most of it, as on a scan
	Unmapped   int  // characters that their font does not map to Unicode; each becomes U+FFFD
}

// Paragraph is a heading, a paragraph, a list item or a row of a table.
type Paragraph struct {
	Text  string // logical order, NFC, no presentation forms, one line; raised, lowered and struck letters between signs
	Level int    // 0 for body text, 1 to 6 for a heading
	Part  Part   // "" for the running text
	Table int    // number of what may be a table in the file, from 1, if the paragraph may be a row of it
	Cells []Cell // of such a row
}

// Cell is a cell of a row.
type Cell struct {
	Text    string
	Columns int // that it covers, at least 1; before it stand empty cells for the columns without words
}

// Signs that stand around raised and lowered letters and figures in a text. They are noncharacters of Unicode.
const (
	Raised  = text.Raised  // raised ones follow
	Lowered = text.Lowered // lowered ones follow
	OnLine  = text.OnLine  // these follow on the line again

	Struck   = text.Struck   // ones with a line through them follow
	Standing = text.Standing // they end
)

// Limits bounds what is read. A zero field has the default.
type Limits struct {
	Pages int // 2,000
	Runes int // of the whole text; 10,000,000
	Steps int // of drawing; by default what Steps says for the file's length
}

func (l Limits) withDefaults(bytes int) Limits {
	if l.Pages == 0 {
		l.Pages = 2_000
	}
	if l.Runes == 0 {
		l.Runes = 10_000_000
	}
	if l.Steps == 0 {
		l.Steps = Steps(bytes)
	}
	return l
}

// The steps that drawing may take (see take): a floor, which a drawing of a million lines stays below, more
// for each byte of the file, of which long documents take 15, and at most as many as 10,000,000 letters take.
const (
	leastSteps   = 10_000_000
	stepsPerByte = 100
	mostSteps    = 100_000_000
)

// Steps returns how many steps the drawing of a file of that many bytes may take by default, so that a small file
// cannot ask for much work by drawing the same again and again.
func Steps(bytes int) int { return min(mostSteps, leastSteps+stepsPerByte*bytes) }

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
