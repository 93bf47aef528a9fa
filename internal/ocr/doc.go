// Package ocr reads the words of pictures of pages with tesseract, where that is installed: of PDF pages without a
// text layer, which pdftoppm of poppler renders, and of pictures that are documents themselves. Each program runs in a
// process of package isolated; a hostile picture can harm only that.
package ocr

import (
	"errors"

	"sanad/internal/isolated"
)

// Text is what was read of the pages of a file.
type Text struct {
	Reader string // as it is stored with a document: "tesseract 5.3.0 (ara+eng)"
	Pages  []Page
	More   bool // the picture has more pages than are read
}

// Page is the words of one page in reading order.
type Page struct {
	Paragraphs []Paragraph
	Unread     bool // it could not be read in its time and memory, or is no picture
}

// Paragraph is lines of text that belong together.
type Paragraph struct {
	Text     string // one line, logical order, NFC
	Doubtful []Word // that tesseract was not sure of, in order
}

// Word is a word with its place in a paragraph.
type Word struct {
	Start, End int // in code points
	Confidence int // tesseract's own figure, from 0 to 100
}

// The confidence from which a word is taken as read, of words and of those with a digit. Of our own pages, printed,
// skewed and noisy, hardly a word below was read right, and of those that were read wrong most are below (docs/ocr.md,
// measured by .ci/ocr). Beside Arabic letters no figure is ever sure: most were read wrong there, also with high
// confidence.
const (
	sureWord   = 80
	sureFigure = 90
)

// What bounds the pictures.
const (
	// MaxPixels is the most that a picture may have: 50 megapixels are a page of A3 at 500 dots per inch.
	MaxPixels = 50_000_000
	// MaxPages is the most pages of a file that are read; more take longer than anybody waits.
	MaxPages = 200
	// side is the longer side of what tesseract is shown, in pixels: A4 at 300 dots per inch.
	side = 3508
	// mostWords and mostRunes bound the words of one page; a newspaper has fewer.
	mostWords, mostRunes = 20_000, 200_000
)

// The reasons why a picture cannot be read.
var (
	ErrBroken   = isolated.ErrBroken
	ErrTooLarge = isolated.ErrTooLarge
	ErrGaveUp   = isolated.ErrGaveUp
	// ErrMissing: tesseract, the data of its languages or pdftoppm is not installed.
	ErrMissing = errors.New("tesseract is not installed")
)
