// Package typeset sets bilingual board documents, English and Arabic, as PDF/A-3 files. README.md describes how.
package typeset

import (
	"strings"
	"time"
)

// Dir is a reading direction.
type Dir uint8

// The directions. Auto takes the direction of the surrounding text.
const (
	Auto Dir = iota
	LTR
	RTL
)

// Color is a colour in sRGB, 0xRRGGBB.
type Color uint32

// Doc is a document. It holds everything that affects the file: the same Doc gives the same bytes.
type Doc struct {
	Title, Author, Subject, Keywords string
	Lang                             string      // of the file, "en" or "ar"
	Date                             time.Time   // creation and modification
	ID                               string      // seeds the file identifier, e.g. the digest of what is exported
	Letterhead                       *Letterhead // nil for none
	Sections                         []Section
}

// Letterhead is what stands at the head of each section's first page. Its logo is small in the header of all others.
type Letterhead struct {
	Name, Address string // the address in lines
	Logo          *Picture
}

// Picture is a picture of shapes, or of pixels.
type Picture struct {
	Width, Height float64
	RGB           []byte // 3 bytes a pixel, in rows from the top; nil for shapes
	Shapes        []Shape
}

// Shape is a filled area.
type Shape struct {
	Fill    Color
	EvenOdd bool
	Steps   []Step
}

// Step is a step of an outline: 'm' and 'l' to a point, 'c' a Bézier curve of three points, 'h' back to the start. Y
// goes down.
type Step struct {
	Op byte
	At [3][2]float64
}

// Section is a part of a document in one language. It starts on a new page, because readers derive a page's direction
// from its letters.
type Section struct {
	Lang           string    // "en", "ar"
	Dir            Dir       // Auto: RTL for Arabic
	Title          string    // the bookmark; none when empty
	Head           [2]string // in the header, at the start and the end: tenant, pack id
	HeadLang       [2]string // the language of each if not the section's; it sets the direction, not the side
	Classification string    // in the middle of the header
	Watermark      string    // large and pale, behind the text of each page; none when empty
	Foot           string    // at the footer's start, in its own direction: the digest
	PageOf         string    // at the footer's end: "Page {x} of {y}"
	Blocks         []Block
}

// Block is a piece of a section.
type Block interface{ block() }

// Span is a stretch of text in one style.
type Span struct {
	Text    string
	Bold    bool
	Code    bool  // set on a soft background, read from left to right
	Isolate bool  // has its own direction, that of its first letter: names, quotations, file names
	Color   Color // 0 is ink
	// Lang is the language of a self-contained text if it isn't that of the surrounding text. The text is isolated and
	// read in that language's direction, whatever its first letter ("IFRS 9 في الخليج" is Arabic).
	Lang string
	// Dir is the direction of the line that begins with this text, and the side on which it stands. Auto: as around it.
	Dir Dir
	// Under is the line below the text, in the text's colour or, if it is set, in UnderColor.
	Under      Underline
	UnderColor Color
	Note       *Note
}

// Note is a footnote: what a mark such as "¹" or "[E1]" stands for. It is set at the foot of each page that has the mark.
// Spans with the same Note have the same text.
type Note struct{ Spans []Span }

// Underline is a line below text. The kinds differ in form, so that nobody has to tell them by colour.
type Underline uint8

// The underlines; "" draws no line.
const (
	NoLine Underline = iota
	SolidLine
	DashedLine
	DoubleLine
	DottedLine
	StrikeLine // through the text
)

// The blocks of a document.
type (
	// Cover is the opening block: what the document is, its title and its state.
	Cover struct {
		Kicker, Title, Subtitle string
		Badge                   *Badge
		Facts                   []KeyValue
		TitleLang               string // of the title, if it isn't the section's; as in Heading
		TitleDir                Dir
	}
	// Letter is the document's letterhead, at the head of a section.
	Letter struct{}
	// Heading stays above what follows and is never alone at the end of a page. Level is 1 to 3. Lang is the
	// language of a heading that isn't in the section's language: it is read in that language's direction ("3.
	// Staff get 15 days (2024)." in an Arabic section), but stays on the side of the section's other headings. Dir
	// sets the direction explicitly.
	Heading struct {
		Level int
		Text  string
		Lang  string
		Dir   Dir  // Auto: the language's, else the section's
		Own   bool // its lines begin on the side of its own direction: part of a text in another language
	}
	// Paragraph is running text. Lang, Dir and Own are as in Heading.
	Paragraph struct {
		Spans []Span
		Soft  bool // smaller and softer: notes, captions
		Keep  bool // stays on one page with what follows
		Lang  string
		Dir   Dir
		Own   bool
	}
	// List is a bulleted or numbered list.
	List struct {
		Items    [][]Span
		Numbered bool
	}
	// Quote is a quotation in its own language.
	Quote struct {
		Spans  []Span
		Source []Span
		Lang   string
		Dir    Dir // Auto: the language's, else the section's
	}
	// KeyValues are facts in two columns.
	KeyValues struct{ Items []KeyValue }
	// Table is a table. Its head is repeated on each page; its first column is on the side where reading starts.
	Table struct {
		Columns []Column
		Rows    []Row
		Caption string
		Whole   bool // on one page, if that doesn't leave most of the page before it empty
	}
	// Contents lists the section's headings of level 1 with their pages, and last where the next section begins, if Next
	// names that. It is left out of a document of few pages.
	Contents struct{ Title, Next string }
	// Rule is a hairline.
	Rule struct{}
	// PageBreak starts a new page.
	PageBreak struct{}
	// Badge shows a verdict by colour, icon and word.
	Badge struct {
		Kind Kind
		Word string
	}
)

// KeyValue is one fact. Lang and Dir are the value's, as in Heading.
type KeyValue struct {
	Key   string
	Value []Span
	Badge *Badge
	Lang  string
	Dir   Dir
}

// Column is a table's column.
type Column struct {
	Title string
	Width float64 // share of the total width, relative to the other columns
	End   bool    // aligned to the end: numbers
}

// Row is a table's row.
type Row struct{ Cells []Cell }

// Cell is a badge, text, or a badge above text. Lang and Dir set the text's direction, whatever letters it mixes, and
// the side on which its lines begin.
type Cell struct {
	Badge *Badge
	Spans []Span
	Lang  string // of the text, if it isn't the section's
	Dir   Dir    // Auto: the language's, else the section's
	Near  bool   // its lines begin on the section's side, whatever their direction
}

// Kind is a badge's meaning.
type Kind uint8

// The kinds with their icons: ✓ ? ✗ ○ and none.
const (
	Good Kind = iota
	Unsure
	Bad
	Open
	Plain
)

// Attachment is a file in the document.
type Attachment struct {
	Name, Description, MIME string
	Relation                string // AFRelationship: Source, Data, Alternative, Supplement; "" is Data
	Content                 []byte
}

func (Cover) block()     {}
func (Letter) block()    {}
func (Heading) block()   {}
func (Paragraph) block() {}
func (List) block()      {}
func (Quote) block()     {}
func (KeyValues) block() {}
func (Table) block()     {}
func (Contents) block()  {}
func (Rule) block()      {}
func (PageBreak) block() {}
func (Badge) block()     {}

// Text returns s as one plain span.
func Text(s string) []Span { return []Span{{Text: s}} }

// rtl reports whether the direction, given the text's language and the surrounding direction, is right-to-left.
func (d Dir) rtl(lang string, around bool) bool {
	switch {
	case d != Auto:
		return d == RTL
	case lang != "":
		return len(lang) >= 2 && lang[:2] == "ar" || strings.HasSuffix(lang, "-Arab")
	}
	return around
}
