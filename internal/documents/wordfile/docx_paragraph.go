package wordfile

import (
	"encoding/xml"
	"math"
	"strconv"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// In twentieths of a point.
const (
	tinyLine = 40     // the height of a line that nobody can read
	offPage  = 12_000 // what lies beyond is off any page
)

// wordParagraph is a paragraph or a table of a cell or text box.
type wordParagraph struct {
	text    string
	label   string // its number in a list, as shown
	level   int
	item    bool
	caption bool
	table   *wordTable
}

// shown is the paragraph with its number.
func (p *wordParagraph) shown() string {
	switch {
	case p.label != "":
		return p.label + " " + p.text
	case p.item && p.level == 0:
		return "- " + p.text
	}
	return p.text
}

// paragraphProperty takes an element of pPr.
func (w *word) paragraphProperty(e xml.StartElement) {
	f := w.frame
	switch e.Name.Local {
	case "pPr":
		f.ofParent++
	case "rPr": // of the sign that ends the paragraph
		w.skipped = 1
	case "pStyle":
		f.style = block.Attribute(e, "val")
	case "outlineLvl":
		if n, err := strconv.Atoi(block.Attribute(e, "val")); err == nil && n >= 0 && n < 6 {
			f.level = n + 1
		}
	case "numPr":
		f.item = true
	case "numId":
		f.number.list = block.Attribute(e, "val")
	case "ilvl":
		f.number.level = count(e)
	case "shd":
		f.ground = shading(e)
	case "spacing":
		if block.Attribute(e, "lineRule") == "exact" && within(e, "line", 1, tinyLine) {
			f.gone = ledger.Tiny
		}
	case "ind":
		if within(e, "left", math.MinInt, -offPage) || within(e, "start", math.MinInt, -offPage) {
			f.gone = ledger.OffPage
		}
	case "framePr":
		if within(e, "x", math.MinInt, -offPage) || within(e, "y", math.MinInt, -offPage) {
			f.gone = ledger.OffPage
		}
	}
}

// within reports whether an attribute is a number in a range.
func within(e xml.StartElement, name string, from, to int) bool {
	n, err := strconv.Atoi(block.Attribute(e, name))
	return err == nil && from <= n && n <= to
}

// paragraph ends the open paragraph; in a table, it is added to its cell.
func (w *word) paragraph() {
	f := w.frame
	standing, marked := f.text.Take()
	p := wordParagraph{text: text.OneLine(standing), level: f.level, item: f.item, caption: w.styles.caption(f.style)}
	if p.level == 0 {
		p.level = w.styles.heading(f.style)
	}
	number := f.number
	if styled := w.styles.number(f.style); number.list == "" && styled.list != "" {
		number.list, p.item = styled.list, true
		number.level = max(number.level, styled.level, w.numbers.levelOf(styled.list, f.style))
	}
	if number.list == "0" { // taken back
		p.item = false
	}
	gone := p.text == "" && (marked != "" || len(f.hidden) > 0)
	if p.item && !gone {
		p.label = w.numbers.label(number)
	}
	for _, h := range f.hidden {
		w.out.Leave(ledger.Hidden, h.How, h.Text, 0)
	}
	if marked != "" {
		how := ledger.StruckOut
		if f.deletion {
			how = ledger.Deletion
		}
		w.out.Leave(ledger.Struck, how, marked, 0)
	}
	boxes := f.boxes
	f.style, f.level, f.number, f.item, f.ground, f.gone = "", 0, wordNumber{}, false, "", ""
	for i := range w.fields { // one that is never closed must not hide all that follows
		w.fields[i] = fieldResult
	}
	f.hidden, f.deletion, f.boxes = nil, false, nil
	if p.text != "" {
		w.add(p)
	}
	for _, box := range boxes {
		w.add(box)
	}
}

// add adds a paragraph or table to the open cell, to the text box, or to the text.
func (w *word) add(p wordParagraph) {
	f := w.frame
	if n := len(f.open); n > 0 {
		if p.table != nil {
			f.open[n-1].nested = true
		}
		c := f.open[n-1].cell()
		c.paragraphs = append(c.paragraphs, p)
		return
	}
	if len(w.outer) > 0 {
		f.held = append(f.held, p)
		return
	}
	w.put(p)
}

// put adds a paragraph or table to the text.
func (w *word) put(p wordParagraph) {
	switch {
	case p.table != nil:
		w.putTable(p.table)
	case w.out.Kind != ledger.Body: // no heading of the body is above it, and it has none of its own
		if w.seen == nil || !w.seen[p.shown()] { // what the first page and the others say stands once
			w.out.Put(p.shown(), 0, 0)
		}
		if w.seen != nil {
			w.seen[p.shown()] = true
		}
	default:
		w.out.Put(p.shown(), p.level, 0)
	}
	w.named = p.caption
}

// end ends a part, even if some of its elements were not closed.
func (w *word) end() {
	for len(w.outer) > 0 {
		w.closeBox()
	}
	w.endFrame()
	w.frame, w.skipped, w.formula, w.field, w.named, w.note = &wordFrame{}, 0, nil, nil, false, ""
	w.fields = nil
}
