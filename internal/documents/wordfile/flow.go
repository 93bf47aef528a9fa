package wordfile

import (
	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// RunLook is how a run of text looks.
type RunLook struct {
	Hidden  ledger.LeftOutHow // by what no reader sees it, "" if it is seen
	Struck  bool
	deleted bool // tracked changes took it away
	Level   rune // block.RaisedSign, MarkSign, LoweredSign; 0 on the line
}

// SeenText collects the text of a paragraph, and what of it no reader sees.
type SeenText struct {
	shown    block.ShownText
	hidden   []block.HiddenRun
	deletion bool // tracked changes took something away
}

// Write adds a run.
func (t *SeenText) Write(s string, l RunLook) {
	if s == "" {
		return
	}
	if l.Hidden != "" {
		t.hide(l.Hidden, s)
		return
	}
	if l.Struck || l.deleted {
		t.shown.Sign(block.StruckSign)
		t.deletion = t.deletion || l.deleted
	}
	if l.Level != 0 {
		t.shown.Between(l.Level, block.LevelSign, s)
	} else {
		t.shown.Write(s)
	}
	if l.Struck || l.deleted {
		t.shown.Sign(block.StandingSign)
	}
}

// hide notes text that is not seen.
func (t *SeenText) hide(how ledger.LeftOutHow, s string) {
	if n := len(t.hidden); n > 0 && t.hidden[n-1].How == how {
		t.hidden[n-1].Text += s
		return
	}
	t.hidden = append(t.hidden, block.HiddenRun{How: how, Text: s})
}

// End returns the text that stands on one line, and lists what is left out. gone says that nothing stands although
// something was written. It empties t.
func (t *SeenText) End(out *block.List, page int) (s string, gone bool) {
	standing, marked := t.shown.Take()
	s = text.OneLine(standing)
	gone = s == "" && (marked != "" || len(t.hidden) > 0)
	for _, h := range t.hidden {
		out.Leave(ledger.Hidden, h.How, h.Text, page)
	}
	if marked != "" {
		how := ledger.StruckOut
		if t.deletion {
			how = ledger.Deletion
		}
		out.Leave(ledger.Struck, how, marked, page)
	}
	t.hidden, t.deletion = nil, false
	return s, gone
}

// flow makes blocks of a file whose paragraphs, tables, text boxes and notes come one within the other, as in
// OpenDocument and RTF.
type flow struct {
	out   *block.List
	frame *flowFrame
	outer []*flowFrame // those that the frame stands in
	parts []flowPart   // notes, comments, headers and footers, which follow the body
	named bool         // the last block was a caption
}

// flowFrame is a text of its own: the body, a text box, or a part.
type flowFrame struct {
	text  SeenText
	open  []*wordTable
	held  []wordParagraph // of a text box or part: what it says
	boxes []wordParagraph // of the text boxes in the open paragraph
}

// flowPart is a note, comment, header or footer.
type flowPart struct {
	kind       ledger.PartKind
	paragraphs []wordParagraph
}

func newFlow(out *block.List) flow { return flow{out: out, frame: &flowFrame{}} }

// openFrame begins a text in the middle of a paragraph.
func (f *flow) openFrame() {
	f.outer = append(f.outer, f.frame)
	f.frame = &flowFrame{}
}

// closeFrame ends it, and returns what it says.
func (f *flow) closeFrame() []wordParagraph {
	f.endFrame()
	n := len(f.outer)
	if n == 0 {
		return nil
	}
	held := f.frame.held
	f.frame, f.outer = f.outer[n-1], f.outer[:n-1]
	return held
}

// closeBox ends a text box: what it says follows the paragraph that it stands in.
func (f *flow) closeBox() { f.frame.boxes = append(f.frame.boxes, f.closeFrame()...) }

// closePart ends a part.
func (f *flow) closePart(kind ledger.PartKind) {
	if held := f.closeFrame(); len(held) > 0 {
		f.parts = append(f.parts, flowPart{kind, held})
	}
}

// endFrame ends the open paragraph and tables of the frame.
func (f *flow) endFrame() {
	f.paragraph(wordParagraph{})
	for len(f.frame.open) > 0 {
		f.closeTable()
	}
}

// paragraph ends the open paragraph, which is as given but for its text.
func (f *flow) paragraph(p wordParagraph) {
	p.text, _ = f.frame.text.End(f.out, 0)
	f.ended(p)
}

// ended adds a paragraph that ended, and what stands in its text boxes.
func (f *flow) ended(p wordParagraph) {
	boxes := f.frame.boxes
	f.frame.boxes = nil
	if p.text != "" {
		f.add(p)
	}
	for _, box := range boxes {
		f.add(box)
	}
}

func (f *flow) openTable() { f.frame.open = append(f.frame.open, &wordTable{}) }

// table is the innermost open table, nil if none is.
func (f *flow) table() *wordTable {
	if n := len(f.frame.open); n > 0 {
		return f.frame.open[n-1]
	}
	return nil
}

// closeTable ends the innermost table.
func (f *flow) closeTable() {
	t := f.table()
	if t == nil {
		return
	}
	f.frame.open = f.frame.open[:len(f.frame.open)-1]
	f.add(wordParagraph{table: t})
}

// add adds a paragraph or table to the open cell, to the text box or part, or to the text.
func (f *flow) add(p wordParagraph) {
	if t := f.table(); t != nil {
		t.nested = t.nested || p.table != nil
		c := t.cell()
		c.paragraphs = append(c.paragraphs, p)
		return
	}
	if len(f.outer) > 0 {
		f.frame.held = append(f.frame.held, p)
		return
	}
	f.put(p)
}

// put adds a paragraph or table to the blocks.
func (f *flow) put(p wordParagraph) {
	switch {
	case p.table != nil && p.table.layout():
		for i := range p.table.rows {
			for _, c := range p.table.rows[i].cells {
				for _, q := range c.paragraphs {
					f.put(q)
				}
			}
		}
	case p.table != nil:
		t := p.table.grid()
		f.out.UnderCaption(&t, f.named)
		f.out.PutTable(&t, 0)
	case f.out.Kind != ledger.Body: // no heading of the body is above it
		f.out.Put(p.shown(), 0, 0)
	default:
		f.out.Put(p.shown(), p.level, 0)
	}
	f.named = p.caption
}

// end ends the body, and adds the parts behind it: notes and comments in their order, headers and footers once each,
// though every page shows them.
func (f *flow) end() {
	for len(f.outer) > 0 {
		f.closeBox()
	}
	f.endFrame()
	defer func() { f.out.Kind = ledger.Body }()
	for _, kind := range []ledger.PartKind{ledger.FileNote, ledger.FileComment, ledger.PageHeader, ledger.PageFooter} {
		f.out.Kind, f.named = kind, false
		seen := map[string]bool{}
		for _, part := range f.parts {
			if part.kind != kind {
				continue
			}
			for _, p := range part.paragraphs {
				if kind != ledger.FileNote && kind != ledger.FileComment && p.table == nil {
					if seen[p.shown()] {
						continue
					}
					seen[p.shown()] = true
				}
				f.put(p)
			}
		}
	}
}
