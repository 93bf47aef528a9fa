package block

import (
	"errors"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/isolated"
	"sanad/internal/words"
)

// Page is what a parser reads of a file.
type Page struct {
	Title    string
	Warnings []words.Message
	Inner    []Inner // files in the file, which are documents of their own
	List             // in reading order, with spans as if separated by empty lines
}

// List collects blocks, with spans as if they were separated by empty lines.
type List struct {
	Blocks []ledger.Block
	Runes  int
	cells  int // of all tables
	again  int // code points of merged cells that are repeated
	Left   []ledger.LeftOut
	Kind   ledger.PartKind // of the blocks that are added
	Over   error           // the bound that is exceeded, nil if none; nothing more is added then
}

// CountCell counts a table's cell.
func (l *List) CountCell() {
	if l.cells++; l.cells > MostCells {
		l.Over = isolated.Over(words.Msg("bound_cells", "N", MostCells))
	}
}

// Put adds a block, two code points behind the one before, as if by an empty line.
func (l *List) Put(s string, level, page int) {
	if len(l.Blocks) >= MostBlocks {
		l.Over = isolated.Over(words.Msg("bound_paragraphs", "N", MostBlocks))
	}
	if l.Over != nil {
		return
	}
	n := text.Len(s)
	l.Blocks = append(l.Blocks, ledger.Block{Text: s, Level: level, Page: page, Kind: l.Kind,
		Span: text.Span{Start: l.Runes, End: l.Runes + n}})
	l.Runes += n + 2
}

// Append adds the blocks of another list, and what it leaves out.
func (l *List) Append(o *List) {
	left := o.Left
	kind := l.Kind
	defer func() { l.Kind = kind }()
	for i, b := range o.Blocks {
		if i > 0 && b.Span.Start == o.Blocks[i-1].Span.End+1 && l.Over == nil {
			l.Runes-- // it is directly below the one before
		}
		for len(left) > 0 && left[0].At <= b.Span.Start {
			l.Leave(left[0].Kind, left[0].How, left[0].Text, 0)
			left = left[1:]
		}
		if l.Kind = kind; b.Kind != ledger.Body {
			l.Kind = b.Kind
		}
		l.Put(b.Text, b.Level, b.Page)
	}
	for _, x := range left {
		l.Leave(x.Kind, x.How, x.Text, 0)
	}
}

// Leave notes text of the file that a reader does not see, or sees struck out, at the place that the next block has.
func (l *List) Leave(kind ledger.LeftOutKind, how ledger.LeftOutHow, s string, page int) {
	l.Left = ledger.AddLeftOut(l.Left, ledger.LeftOut{Kind: kind, How: how, Text: s, Page: page, At: l.Runes})
}

// Warn adds a warning.
func (p *Page) Warn(id string, args ...any) { p.Warnings = append(p.Warnings, words.Msg(id, args...)) }

// Inner is a file inside another one, such as an attachment of a mail.
type Inner struct {
	Name string // as the file says it; never ""
	Data []byte // not empty
}

// Why a file is not read: it is of another kind than its name and its first bytes say, such as a zip whose parts are
// not those of a Word file, a workbook or slides; it has no text that is read without a key, or one in a character set
// that hides another text.
var (
	ErrOtherKind = errors.New("the file is of another kind")
	ErrLocked    = errors.New("the file is encrypted")
	ErrCharset   = errors.New("the text is in UTF-7")
)
