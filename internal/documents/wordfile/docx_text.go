package wordfile

import (
	"archive/zip"
	"cmp"
	"encoding/xml"
	"errors"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
)

// word processes the elements of a Word document. Names are compared without their namespace, since the older and the
// strict format have different ones.
type word struct {
	out     *block.Page
	left    *int64 // how much may still be unpacked
	depth   int    // how deep the file lies in others
	parts   map[string]*zip.File
	related block.Relations
	styles  wordStyleTable
	normal  string      // the style of paragraphs that name none
	page    string      // the colour of the page, "" if it does not say one
	fields  []fieldPart // what of the open fields is being read
	numbers *wordNumbers
	seen    map[string]bool // what other parts of the kind said, nil if it does not matter
	marks   map[string]string
	notes   [2]int // footnotes and endnotes so far

	frame   *wordFrame
	outer   []*wordFrame // those that the frame stands in
	skipped int          // open elements from one whose text is not seen
	formula *block.FormulaReader
	field   *wordField
	note    string // the note being read, as marks names it
	named   bool   // the last block was a caption
	unread  bool   // a part in another format was not read
	err     error  // of a part that is read in the middle of another
}

// wordFrame is a text of its own: that of a part, or of a text box in a paragraph.
type wordFrame struct {
	text     block.ShownText
	style    string
	level    int // heading level that the paragraph itself states
	number   wordNumber
	item     bool
	ofParent int // open pPr
	inProps  int // open rPr of a run
	run      wordProps
	runStyle string
	ground   string            // of the paragraph, as wordProps.ground
	gone     ledger.LeftOutHow // by what the paragraph is hidden, "" if it is not
	unseen   ledger.LeftOutHow // the same of the text box
	boxGone  ledger.LeftOutHow // the same of the shape that is being read
	shown    int               // open elements whose text belongs to the document
	deleted  int               // open elements whose text tracked changes delete
	deletion bool              // the paragraph has some
	hidden   []block.HiddenRun
	open     []*wordTable
	inRow    bool            // the properties of a row are open
	held     []wordParagraph // of a text box: what it says
	boxes    []wordParagraph // of the text boxes in the open paragraph
}

// skippedWord are elements whose text readers don't see, or would see twice.
var skippedWord = map[string]bool{"instrText": true, "delInstrText": true, "Fallback": true, "rPrChange": true,
	"pPrChange": true, "sectPrChange": true, "tblPrChange": true, "tcPrChange": true, "trPrChange": true,
	"numberingChange": true, "sdtPr": true, "sdtEndPr": true, "rt": true}

// deletions are elements whose text tracked changes took away.
var deletions = map[string]bool{"del": true, "moveFrom": true}

// read reads a part.
func (w *word) read(f *zip.File, kind ledger.PartKind) error {
	w.out.Kind = kind
	defer func() { w.out.Kind = ledger.Body }()
	if err := block.ReadPart(f, w.left, w.token); err != nil {
		return err
	}
	w.end()
	return w.out.Over
}

func (w *word) token(t xml.Token) error {
	switch {
	case w.formula != nil:
		w.formula.Token(t)
		if f := w.formula.Done; f != nil {
			w.formula = nil
			w.frame.text.Formula = true
			w.write(f.Line())
			w.frame.text.Formula = true
		}
		return w.out.Over
	case w.skipped > 0:
		switch t.(type) {
		case xml.StartElement:
			w.skipped++
		case xml.EndElement:
			w.skipped--
		}
		return nil
	}
	switch t := t.(type) {
	case xml.StartElement:
		w.start(t)
	case xml.EndElement:
		w.close(t.Name.Local)
	case xml.CharData:
		if w.frame.shown > 0 && !w.inFieldCode() {
			w.write(inFont(string(t), w.props().font))
		}
	}
	if w.err != nil {
		return w.err
	}
	return w.out.Over
}

// props are the properties of the open run.
func (w *word) props() wordProps {
	f := w.frame
	return f.run.seenAs(w.styles.props(f.runStyle), w.styles.props(cmp.Or(f.style, w.normal)).over(w.defaults()))
}

func (w *word) defaults() (p wordProps) {
	for i := len(w.frame.open) - 1; i >= 0; i-- {
		p = p.over(w.styles.props(w.frame.open[i].style))
	}
	if s := w.styles[""]; s != nil {
		p = p.over(s.props)
	}
	return p
}

// behind returns the colour behind the open paragraph.
func (w *word) behind() string {
	f := w.frame
	if ground := cmp.Or(f.ground, w.styles.ground(cmp.Or(f.style, w.normal))); ground != "" {
		return ground
	}
	for i := len(f.open) - 1; i >= 0; i-- {
		if ground := f.open[i].cell().ground; ground != "" {
			return ground
		}
		if w.styles.isShaded(f.open[i].style) || f.open[i].shaded {
			return mixed
		}
	}
	if len(w.outer) > 0 {
		return mixed // the fill of a box
	}
	return cmp.Or(w.page, whitePaper)
}

// hiddenBy returns by what text that has these properties is hidden where it stands, "" if it is seen.
func (w *word) hiddenBy(p *wordProps) ledger.LeftOutHow {
	f := w.frame
	if how := cmp.Or(f.unseen, f.gone); how != "" {
		return how
	}
	for _, t := range f.open {
		if r := t.row(); r.gone != "" {
			return r.gone
		}
	}
	return p.hidden(w.behind())
}

// isDeleted reports whether tracked changes delete the open text.
func (f *wordFrame) isDeleted() bool {
	return f.deleted > 0 || slices.ContainsFunc(f.open, func(t *wordTable) bool { return t.row().deleted })
}

// write adds text of the open run, as a reader sees it.
func (w *word) write(s string) {
	f, p := w.frame, w.props()
	if how := w.hiddenBy(&p); how != "" {
		f.hide(how, s)
		return
	}
	deleted := f.isDeleted()
	struck := deleted || p.strike == on || p.doubleStrike == on
	if struck {
		f.text.Sign(block.StruckSign)
		f.deletion = f.deletion || deleted
	}
	switch p.level {
	case "superscript":
		f.text.Between(block.RaisedSign, block.LevelSign, s)
	case "subscript":
		f.text.Between(block.LoweredSign, block.LevelSign, s)
	default:
		f.text.Write(s)
	}
	if struck {
		f.text.Sign(block.StandingSign)
	}
}

// hide notes text that is not seen.
func (f *wordFrame) hide(how ledger.LeftOutHow, s string) {
	if n := len(f.hidden); n > 0 && f.hidden[n-1].How == how {
		f.hidden[n-1].Text += s
		return
	}
	f.hidden = append(f.hidden, block.HiddenRun{How: how, Text: s})
}

func (w *word) start(e xml.StartElement) {
	f, name := w.frame, e.Name.Local
	switch {
	case skippedWord[name]:
		if n := len(w.fields); n > 0 && name == "instrText" && w.fields[n-1] == fieldBegin {
			w.fields[n-1] = fieldCode
		}
		w.skipped = 1
	case deletions[name]:
		if f.inRow { // its sign alone, in trPr
			f.open[len(f.open)-1].row().deleted = true
		}
		f.deleted++
	case f.inProps > 0:
		if name == "rStyle" {
			f.runStyle = block.Attribute(e, "val")
		} else {
			f.run.set(e)
		}
	case f.ofParent > 0:
		w.paragraphProperty(e)
	case w.field != nil:
		w.field.start(e)
	case name == "ffData":
		w.field = &wordField{}
	case name == "rPr":
		f.inProps++
	case name == "pPr":
		f.ofParent++
	case name == "r":
		f.run, f.runStyle = wordProps{}, ""
	case name == "oMath":
		w.formula = &block.FormulaReader{}
		w.formula.Token(e)
	case name == "fldChar":
		w.fieldSign(e)
	case name == "drawing" || name == "pict":
		f.boxGone = ""
	case isHiddenShape(e):
		f.boxGone = ledger.HiddenFormat
	case name == "trPr":
		f.inRow = len(f.open) > 0
	case name == "background":
		w.page = mixed
	case name == "txbxContent":
		w.outer = append(w.outer, f)
		w.frame = &wordFrame{unseen: cmp.Or(f.unseen, f.boxGone)}
	case name == "altChunk":
		w.paragraph()
		w.err = w.readAlternative(block.Attribute(e, "id"))
	default:
		if !w.startText(e) && !w.openTable(e) {
			w.startNote(e)
		}
	}
}

// isHiddenShape reports whether an element is of a shape that is not shown.
func isHiddenShape(e xml.StartElement) bool {
	switch e.Name.Local {
	case "docPr":
		return block.IsSet(e, "hidden")
	case "shape", "rect", "roundrect":
		style := strings.ReplaceAll(block.Attribute(e, "style"), " ", "")
		return strings.Contains(style, "visibility:hidden")
	}
	return false
}

// startText takes an element that is text, and reports whether it is one.
func (w *word) startText(e xml.StartElement) bool {
	switch e.Name.Local {
	case "t", "delText":
		w.frame.shown++
	case "tab", "ptab", "br", "cr":
		w.frame.text.Write(" ")
	case "noBreakHyphen":
		w.write("-")
	case "sym":
		w.write(symbol(block.Attribute(e, "font"), block.Attribute(e, "char")))
	default:
		return false
	}
	return true
}

// startNote takes an element of a note or of a reference to one.
func (w *word) startNote(e xml.StartElement) {
	switch name, id := e.Name.Local, block.Attribute(e, "id"); name {
	case "footnoteReference", "endnoteReference":
		kind, number := 0, strconv.Itoa
		if name == "endnoteReference" {
			kind, number = 1, func(n int) string { return strings.ToLower(roman(n)) }
		}
		if custom := block.Attribute(e, "customMarkFollows"); custom != "" && custom != "0" {
			return
		}
		w.notes[kind]++
		mark := number(w.notes[kind])
		w.marks[strings.TrimSuffix(name, "Reference")+id] = mark
		w.frame.text.Between(block.MarkSign, block.LevelSign, mark)
	case "footnote", "endnote":
		w.note = name + id
		if kind := block.Attribute(e, "type"); kind != "" && kind != "normal" {
			w.skipped = 1 // the line above the notes
		}
	case "footnoteRef", "endnoteRef":
		if mark := w.marks[w.note]; mark != "" {
			w.frame.text.Between(block.MarkSign, block.LevelSign, mark)
		}
	}
}

func (w *word) close(name string) {
	f := w.frame
	switch {
	case deletions[name]:
		f.deleted = max(0, f.deleted-1)
	case name == "rPr":
		f.inProps = max(0, f.inProps-1)
	case name == "pPr":
		f.ofParent = max(0, f.ofParent-1)
	case name == "r":
		f.run, f.runStyle = wordProps{}, ""
	case name == "t" || name == "delText":
		f.shown = max(0, f.shown-1)
	case name == "p":
		w.paragraph()
	case name == "tbl":
		w.closeTable()
	case name == "ffData" && w.field != nil:
		shown := w.field.shown()
		w.field = nil
		w.write(shown)
	case name == "trPr":
		f.inRow = false
	case name == "txbxContent":
		w.closeBox()
	}
}

// closeBox ends a text box: what it says follows the paragraph that it stands in.
func (w *word) closeBox() {
	n := len(w.outer)
	if n == 0 {
		return
	}
	w.endFrame()
	held := w.frame.held
	w.frame, w.outer = w.outer[n-1], w.outer[:n-1]
	w.frame.boxes = append(w.frame.boxes, held...)
}

// endFrame ends the open paragraph and tables of the frame.
func (w *word) endFrame() {
	w.paragraph()
	for len(w.frame.open) > 0 {
		w.closeTable()
	}
}

// readAlternative reads a part that the file has in another format, in the middle of its text (altChunk).
func (w *word) readAlternative(id string) error {
	at := slices.IndexFunc(w.related, func(r block.Relation) bool { return r.Id == id && r.Kind == "aFChunk" })
	if at < 0 {
		return nil
	}
	name := w.related[at].Target
	data, err := block.ReadWhole(w.parts[name], w.left)
	if err != nil {
		return err
	}
	err = errNotRead
	if w.depth < docxInner {
		err = readInner(name, data, w)
	}
	if errors.Is(err, errNotRead) || errors.Is(err, block.ErrOtherKind) {
		w.unread = true
		return nil
	}
	return err
}
