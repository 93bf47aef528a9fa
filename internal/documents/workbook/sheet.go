// Package workbook reads Excel workbooks and texts of cells; each row is a passage under its head.
package workbook

import (
	"archive/zip"
	"cmp"
	"encoding/xml"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
	"sanad/internal/isolated"
	"sanad/internal/words"
)

// mostSheets is the maximum number of sheets of a spreadsheet.
const mostSheets = 1_000

// A cell has a row and a column, from 1 to these (Excel's limits).
const (
	mostSheetRows    = 1_048_576
	mostSheetColumns = 16_384
)

// workbook is a spreadsheet that is being read.
type workbook struct {
	out       *block.Page
	left      *int64 // how much may still be unpacked
	parts     map[string]*zip.File
	strings   []sheetText
	styles    []cellStyle
	epoch1904 bool
	sheets    []sheetPart
	comments  []sheetComment
	formulas  int // cells with a formula, whose stored value is read
	unsaved   int // cells with a formula and no value
	macros    bool
}

// sheetPart is where a sheet is.
type sheetPart struct {
	name, id string
	hidden   bool
}

// ReadWorkbook reads a spreadsheet (XLSX): each sheet is a heading, each row of it a part of the file with the row's
// number, under the heads of its table (rule F-20). Cells are read as they are shown, followed by what they store where
// that is more. Formulas are not computed, macros not run, and nothing outside of the file is fetched. What a reader of
// the file does not see, or sees struck out, is left out and listed (rule L-38).
func ReadWorkbook(data []byte, out *block.Page) error {
	parts, err := block.ArchiveParts(data)
	if err != nil {
		return err
	}
	left := int64(block.ArchiveBytes)
	w := &workbook{out: out, left: &left, parts: parts}
	main, err := block.RelatedParts(w.parts, "_rels/.rels", w.left)
	if err != nil {
		return err
	}
	book := cmp.Or(main.First("officeDocument"), "xl/workbook.xml")
	if w.parts[book] == nil || !strings.HasSuffix(book, ".xml") || strings.HasPrefix(book, "word/") ||
		strings.HasPrefix(book, "ppt/") {
		return block.ErrOtherKind
	}
	related, err := block.RelatedOf(w.parts, book, w.left)
	if err != nil {
		return err
	}
	if err := w.readBook(book, related); err != nil {
		return err
	}
	for _, p := range w.sheets {
		if i := related.ByID(p.id); i >= 0 && (related[i].Kind == "worksheet" || related[i].Kind == "chartsheet") {
			if err := w.readSheet(&p, related[i].Target); err != nil {
				return err
			}
		}
	}
	w.putComments()
	w.warn()
	return out.Over
}

// readBook reads what all sheets share.
func (w *workbook) readBook(book string, related block.Relations) error {
	if err := block.ReadPart(w.parts[book], w.left, w.bookToken); err != nil {
		return err
	}
	theme := &themeReader{}
	if err := block.ReadPart(w.parts[related.First("theme")], w.left, theme.token); err != nil {
		return err
	}
	styles := newSheetStyleReader(theme.colors)
	if err := block.ReadPart(w.parts[related.First("styles")], w.left, styles.token); err != nil {
		return err
	}
	w.styles = styles.cellStyles()
	texts := &sheetTextReader{}
	err := block.ReadPart(w.parts[related.First("sharedStrings")], w.left, func(t xml.Token) error {
		if texts.token(t, "si") {
			w.strings = append(w.strings, texts.take())
		}
		if len(w.strings) > block.MostCells {
			return isolated.Over(words.Msg("bound_cells", "N", block.MostCells))
		}
		return nil
	})
	w.macros = related.First("vbaProject") != ""
	return err
}

func (w *workbook) bookToken(t xml.Token) error {
	e, ok := t.(xml.StartElement)
	if !ok {
		return nil
	}
	switch e.Name.Local {
	case "workbookPr":
		switch block.Attribute(e, "date1904") {
		case "1", "true", "on":
			w.epoch1904 = true
		}
	case "sheet":
		if len(w.sheets) == mostSheets {
			return isolated.Over(words.Msg("bound_sheets", "N", mostSheets))
		}
		state := block.Attribute(e, "state")
		w.sheets = append(w.sheets, sheetPart{name: strings.Join(strings.Fields(block.Attribute(e, "name")), " "),
			id: block.RelationID(e), hidden: state == "hidden" || state == "veryHidden"})
	}
	return nil
}

// warn says what a reader should know of the cells that were read.
func (w *workbook) warn() {
	add := func(id string, n int) {
		if n > 0 {
			w.out.Warnings = append(w.out.Warnings, words.Msg(id, "N", n))
		}
	}
	add("warning_formulas", w.formulas)
	add("warning_formulas_unsaved", w.unsaved)
	if w.macros {
		w.out.Warnings = append(w.out.Warnings, words.Msg("warning_macros"))
	}
}

// readSheet reads a sheet with what belongs to it, and adds its text.
func (w *workbook) readSheet(p *sheetPart, part string) error {
	s := newSheet(w, &w.out.List)
	if err := block.ReadPart(w.parts[part], w.left, s.token); err != nil {
		return err
	}
	if s.over != nil {
		return s.over
	}
	related, err := block.RelatedOf(w.parts, part, w.left)
	if err != nil {
		return err
	}
	for _, r := range related {
		if err := w.readBeside(p, s, r, related); err != nil {
			return err
		}
	}
	if p.hidden {
		w.leaveSheet(s)
		return w.out.Over
	}
	if s.resolve(); s.over != nil {
		return s.over
	}
	w.putSheet(p.name, s)
	return w.out.Over
}

// readBeside reads a part that belongs to a sheet.
func (w *workbook) readBeside(p *sheetPart, s *sheet, r block.Relation, related block.Relations) error {
	switch r.Kind {
	case "table":
		return block.ReadPart(w.parts[r.Target], w.left, s.tableToken)
	case "comments":
		if related.First("threadedComment") != "" { // they are there again, for old programs
			return nil
		}
		return w.readComments(p, s, r.Target, "comment")
	case "threadedComment":
		return w.readComments(p, s, r.Target, "threadedComment")
	case "drawing":
		return w.readDrawing(s, r.Target)
	}
	return nil
}

// leaveSheet lists the text of a hidden sheet.
func (w *workbook) leaveSheet(s *sheet) {
	for i := range s.rows {
		w.out.Leave(ledger.Hidden, ledger.HiddenFormat, s.rows[i].joined(), s.rows[i].number)
	}
	for _, x := range s.left {
		w.out.Leave(x.kind, x.how, x.text, x.row)
	}
	for _, b := range s.boxes {
		for _, words := range b.words() {
			w.out.Leave(ledger.Hidden, ledger.HiddenFormat, words, b.row)
		}
	}
}

// putSheet adds a sheet's text.
func (w *workbook) putSheet(name string, s *sheet) {
	w.out.Kind = ledger.SheetRow
	defer func() { w.out.Kind = ledger.Body }()
	p := sheetPutter{out: &w.out.List, name: name, left: s.left}
	p.putAll(s.tables())
	for _, b := range s.boxes {
		p.under(b.row)
		if b.hidden {
			for _, words := range b.words() {
				w.out.Leave(ledger.Hidden, ledger.HiddenFormat, words, b.row)
			}
			continue
		}
		p.out.PutText(b.text, b.row)
		if b.chart != nil {
			b.chart.Put(b.row)
		}
	}
	p.leaveBefore(mostSheetRows + 1)
}

// sheetComment is a remark on a cell.
type sheetComment struct{ cell, text string }

// readComments reads the remarks on a sheet's cells. The name of the elements depends on their kind.
func (w *workbook) readComments(p *sheetPart, s *sheet, part, element string) error {
	cell := ""
	texts := &sheetTextReader{}
	return block.ReadPart(w.parts[part], w.left, func(t xml.Token) error {
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == element {
			cell = block.Attribute(e, "ref")
		}
		if texts.token(t, element) {
			switch x := texts.take(); {
			case x.text == "":
			case p.hidden || s.isHiddenAt(cell):
				row, _, ok := cellAt(cell)
				if !ok {
					row = 0
				}
				w.out.Leave(ledger.Hidden, ledger.HiddenFormat, x.text, row)
			default:
				w.comments = append(w.comments, sheetComment{cell: p.name + "!" + cell, text: x.text})
			}
		}
		return nil
	})
}

// putComments adds the remarks of all sheets, as a part of its own.
func (w *workbook) putComments() {
	w.out.Kind = ledger.FileComment
	for _, c := range w.comments {
		w.out.Put(c.cell+": "+c.text, 0, 0)
	}
	w.out.Kind = ledger.Body
}
