package documents

import (
	"errors"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/isolated"
	"sanad/internal/words"
)

// page is what a parser reads of a file.
type page struct {
	title     string
	warnings  []words.Message
	inner     []Inner // files in the file, which are documents of their own
	blockList         // in reading order, with spans as if separated by empty lines
}

// blockList collects blocks, with spans as if they were separated by empty lines.
type blockList struct {
	blocks []ledger.Block
	runes  int
	cells  int // of all tables
	again  int // code points of merged cells that are repeated
	left   []ledger.LeftOut
	kind   ledger.PartKind // of the blocks that are added
	over   error           // the bound that is exceeded, nil if none; nothing more is added then
}

// countCell counts a table's cell.
func (l *blockList) countCell() {
	if l.cells++; l.cells > mostCells {
		l.over = isolated.Over(words.Msg("bound_cells", "N", mostCells))
	}
}

func (l *blockList) put(s string, level, page int) {
	if len(l.blocks) >= mostBlocks {
		l.over = isolated.Over(words.Msg("bound_paragraphs", "N", mostBlocks))
	}
	if l.over != nil {
		return
	}
	n := text.Len(s)
	l.blocks = append(l.blocks, ledger.Block{Text: s, Level: level, Page: page, Kind: l.kind,
		Span: text.Span{Start: l.runes, End: l.runes + n}})
	l.runes += n + 2
}

// append adds the blocks of another list, and what it leaves out.
func (l *blockList) append(o *blockList) {
	left := o.left
	for _, b := range o.blocks {
		for len(left) > 0 && left[0].At <= b.Span.Start {
			l.leave(left[0].Kind, left[0].How, left[0].Text, 0)
			left = left[1:]
		}
		l.put(b.Text, b.Level, b.Page)
	}
	for _, x := range left {
		l.leave(x.Kind, x.How, x.Text, 0)
	}
}

// leave notes text of the file that a reader does not see, or sees struck out, at the place that the next block has.
func (l *blockList) leave(kind ledger.LeftOutKind, how ledger.LeftOutHow, s string, page int) {
	l.left = ledger.AddLeftOut(l.left, ledger.LeftOut{Kind: kind, How: how, Text: s, Page: page, At: l.runes})
}

// warn adds a warning.
func (p *page) warn(id string, args ...any) { p.warnings = append(p.warnings, words.Msg(id, args...)) }

// Inner is a file inside another one, such as an attachment of a mail.
type Inner struct {
	Name string // as the file says it; never ""
	Data []byte // not empty
}

// Why a file is not read: it is of another kind than it seemed, such as a zip that is no Word file; it has no text that is
// read without a key, or one in a character set that hides another text.
var (
	errOtherKind = errors.New("the file is of another kind")
	errLocked    = errors.New("the file is encrypted")
	errCharset   = errors.New("the text is in UTF-7")
)
