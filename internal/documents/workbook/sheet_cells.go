package workbook

import (
	"encoding/xml"
	"strconv"
	"strings"
	"time"

	"sanad/internal/documents/block"
	"sanad/internal/documents/numberformat"
	"sanad/internal/domain/ledger"
	"sanad/internal/isolated"
	"sanad/internal/words"
)

// sheet is a sheet with the cells that a reader sees.
type sheet struct {
	book   *workbook
	out    *block.List // where cells are counted
	rows   []sheetRow
	left   []sheetLeft
	boxes  []textBox
	hidden map[int]bool // rows that are not shown
	merged []cellRange
	lists  []cellRange // tables that the file names, whose first row has the heads
	filter cellRange   // its first row has buttons to filter by
	frozen int         // the last row that stays in view
	over   error

	hiddenColumns map[int]bool
	steps         int          // taken over columns and merged cells
	painted       []cellRange  // where conditions change colours
	paintedAll    bool         // they may anywhere
	narrow        bool         // columns have no width unless the file says it
	wide          map[int]bool // those for which it does

	// the cell that is read
	row, column int
	rowHidden   bool
	kind        string // its type
	style       int
	formula     bool
	value       strings.Builder
	inValue     bool
	texts       sheetTextReader
	inText      bool
	bytes       int // of all cells
}

// sheetRow is a row with the cells that are not empty, in the order of their columns.
type sheetRow struct {
	number int
	cells  []sheetCell
	own    int // cells with words of their own: others are parts of merged ones
}

type sheetCell struct {
	column int
	text   string
	bold   bool
	figure bool // a number or a date
	white  bool // in the colour of what is behind it
}

// sheetLeft is text of a sheet that a reader does not see or sees struck out.
type sheetLeft struct {
	row  int
	kind ledger.LeftOutKind
	how  ledger.LeftOutHow
	text string
}

// cellRange are the cells from one to another. Its zero value has none.
type cellRange struct{ row, column, lastRow, lastColumn int }

func (r *cellRange) has(row, column int) bool {
	return row >= r.row && row <= r.lastRow && column >= r.column && column <= r.lastColumn
}

// mostRanges is the maximum number of merged cells or tables of a sheet.
const mostRanges = 100_000

// mostSheetText is the maximum length of the text of one sheet's cells, in bytes.
const mostSheetText = 32 << 20

func newSheet(w *workbook, out *block.List) *sheet {
	return &sheet{book: w, out: out, hidden: map[int]bool{}, hiddenColumns: map[int]bool{}, wide: map[int]bool{}}
}

func (s *sheet) token(t xml.Token) error {
	if s.inText {
		if s.texts.token(t, "is") {
			s.inText = false
		}
		return nil
	}
	switch t := t.(type) {
	case xml.StartElement:
		s.start(t)
	case xml.CharData:
		if s.inValue {
			s.value.Write(t)
		}
	case xml.EndElement:
		switch t.Name.Local {
		case "v":
			s.inValue = false
		case "c":
			s.endCell()
		}
	}
	return s.over
}

func (s *sheet) start(e xml.StartElement) {
	switch e.Name.Local {
	case "pane":
		n, err := strconv.ParseFloat(block.Attribute(e, "ySplit"), 64)
		if err == nil && strings.HasPrefix(block.Attribute(e, "state"), "frozen") {
			s.frozen = int(min(n, mostSheetRows))
		}
	case "sheetFormatPr":
		width, err := strconv.ParseFloat(block.Attribute(e, "defaultColWidth"), 64)
		s.narrow = err == nil && width == 0
	case "col":
		if notShown(e, "width") {
			s.markColumns(s.hiddenColumns, e)
		} else if s.narrow && block.Attribute(e, "width") != "" {
			s.markColumns(s.wide, e)
		}
	case "row":
		s.row, s.column = max(s.row+1, wholeNumber(e, "r")), 0
		if s.row > mostSheetRows {
			s.over = isolated.Over(words.Msg("bound_rows", "N", mostSheetRows))
		}
		if s.rowHidden = notShown(e, "ht"); s.rowHidden {
			s.hidden[s.row] = true
		}
	case "c":
		s.column++
		if _, column, ok := cellAt(block.Attribute(e, "r")); ok {
			s.column = column
		}
		s.kind, s.style, s.formula = block.Attribute(e, "t"), wholeNumber(e, "s"), false
		s.value.Reset()
	case "v":
		s.inValue = true
	case "is":
		s.inText = true
	case "f":
		s.formula = true
	case "mergeCell":
		s.merged = s.addRange(s.merged, block.Attribute(e, "ref"))
	case "autoFilter":
		s.filter, _ = rangeOf(block.Attribute(e, "ref"))
	case "conditionalFormatting":
		refs := strings.Fields(block.Attribute(e, "sqref"))
		s.paintedAll = s.paintedAll || len(refs) == 0
		for _, ref := range refs {
			s.painted = s.addRange(s.painted, ref)
		}
	}
}

func (s *sheet) addRange(list []cellRange, ref string) []cellRange {
	if len(list) == mostRanges {
		s.over = isolated.Over(words.Msg("bound_ranges", "N", mostRanges))
		return list
	}
	if r, ok := rangeOf(ref); ok {
		return append(list, r)
	}
	return list
}

// tableToken reads a table that the file names.
func (s *sheet) tableToken(t xml.Token) error {
	if e, ok := t.(xml.StartElement); ok && e.Name.Local == "table" && block.Attribute(e, "headerRowCount") != "0" {
		s.lists = s.addRange(s.lists, block.Attribute(e, "ref"))
	}
	return s.over
}

// notShown reports whether a row or a column is hidden, or has no size.
func notShown(e xml.StartElement, size string) bool {
	switch block.Attribute(e, "hidden") {
	case "1", "true", "on":
		return true
	}
	v, err := strconv.ParseFloat(block.Attribute(e, size), 64)
	return err == nil && v == 0
}

// wholeNumber returns an attribute that is a whole number, 0 if it is none.
func wholeNumber(e xml.StartElement, name string) int {
	n, err := strconv.Atoi(block.Attribute(e, name))
	if err != nil {
		return 0
	}
	return n
}

// endCell adds the cell that was read, or lists its text as left out.
func (s *sheet) endCell() {
	x, figure := s.cellText()
	if x.text == "" && x.marked == "" {
		return
	}
	if s.out.CountCell(); s.out.Over != nil {
		s.over = s.out.Over
		return
	}
	if s.bytes += len(x.text); s.bytes > mostSheetText {
		s.over = isolated.Over(words.Msg("bound_text", "N", mostSheetText>>20))
		return
	}
	if s.column < 1 || s.column > mostSheetColumns {
		s.over = isolated.Over(words.Msg("bound_columns", "N", mostSheetColumns))
		return
	}
	style := s.cellStyle()
	switch {
	case s.rowHidden || s.isColumnHidden(s.column):
		s.leave(ledger.Hidden, ledger.HiddenFormat, x.text)
		return
	case style.struck:
		s.leave(ledger.Struck, ledger.StruckOut, struckText(x.text))
		return
	case x.marked != "":
		s.leave(ledger.Struck, ledger.StruckOut, x.marked)
	}
	if x.text == "" {
		return
	}
	n := len(s.rows)
	if n == 0 || s.rows[n-1].number != s.row {
		s.rows = append(s.rows, sheetRow{number: s.row})
		n++
	}
	s.rows[n-1].cells = append(s.rows[n-1].cells, sheetCell{column: s.column, text: x.text, bold: style.bold,
		figure: figure,
		white:  style.white})
}

func (s *sheet) cellStyle() *cellStyle {
	if s.style < 0 || s.style >= len(s.book.styles) {
		return &cellStyle{format: &numberformat.Format{}}
	}
	return &s.book.styles[s.style]
}

// markColumns notes the columns that an element is about.
func (s *sheet) markColumns(set map[int]bool, e xml.StartElement) {
	for c := max(wholeNumber(e, "min"), 1); c <= min(wholeNumber(e, "max"), mostSheetColumns) && s.step(); c++ {
		set[c] = true
	}
}

func (s *sheet) isColumnHidden(column int) bool {
	return s.hiddenColumns[column] || s.narrow && !s.wide[column]
}

// isHiddenAt reports whether the cell of a name is in a row or a column that is not shown.
func (s *sheet) isHiddenAt(ref string) bool {
	row, column, ok := cellAt(ref)
	return ok && (s.hidden[row] || s.isColumnHidden(column))
}

// mostSteps is how many steps over columns and merged cells a sheet may take.
const mostSteps = 10_000_000

// step counts a step, and reports whether it may be taken.
func (s *sheet) step() bool {
	if s.steps++; s.steps > mostSteps {
		s.over = isolated.Over(words.Msg("bound_ranges", "N", mostRanges))
	}
	return s.over == nil
}

func (s *sheet) leave(kind ledger.LeftOutKind, how ledger.LeftOutHow, text string) {
	if n := len(s.left); n > 0 && kind == ledger.Hidden {
		if last := &s.left[n-1]; last.kind == kind && last.how == how && last.row == s.row {
			last.text += " | " + text
			return
		}
	}
	s.left = append(s.left, sheetLeft{row: s.row, kind: kind, how: how, text: text})
}

// cellText returns the text of the cell that was read, and whether it is a number or a date.
func (s *sheet) cellText() (x sheetText, figure bool) {
	value, style := strings.TrimSpace(s.value.String()), s.cellStyle()
	if s.formula {
		if s.book.formulas++; value == "" && s.kind != "str" && s.kind != "inlineStr" {
			s.book.unsaved++
		}
	}
	switch s.kind {
	case "s":
		if n, err := strconv.Atoi(value); err == nil && n >= 0 && n < len(s.book.strings) {
			x = s.book.strings[n]
		}
		return s.formatted(x, style), false
	case "inlineStr":
		return s.formatted(s.texts.take(), style), false
	case "str":
		return s.formatted(sheetText{text: CellLine(s.value.String())}, style), false
	case "b":
		return sheetText{text: truth[value]}, false
	case "e":
		return sheetText{text: value}, false
	case "d":
		return sheetText{text: isoDate(value)}, true
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return sheetText{text: CellLine(value)}, false
	}
	shown := style.format.Number(v, s.book.epoch1904)
	switch {
	case shown.Hidden:
		s.leave(ledger.Hidden, ledger.HiddenFormat, numberformat.General(v))
		return sheetText{}, false
	case shown.Stored != "":
		shown.Text += " (" + shown.Stored + ")"
	}
	return sheetText{text: shown.Text}, true
}

// truth are the values of a cell that is true or false, as it shows them.
var truth = map[string]string{"1": "TRUE", "true": "TRUE", "0": "FALSE", "false": "FALSE"}

// formatted is a text as its format shows it.
func (s *sheet) formatted(x sheetText, style *cellStyle) sheetText {
	if x.text == "" {
		return x
	}
	if style.format.HidesText() {
		s.leave(ledger.Hidden, ledger.HiddenFormat, x.text)
		return sheetText{}
	}
	x.text = style.format.Text(x.text)
	return x
}

// isoDate writes a date that is stored as such, without a time of day where that is midnight.
func isoDate(value string) string {
	for _, layout := range []string{"2006-01-02T15:04:05.999", "2006-01-02T15:04:05.999Z07:00", time.DateOnly} {
		if t, err := time.Parse(layout, value); err == nil {
			if t.Equal(t.Truncate(24 * time.Hour)) {
				return t.Format(time.DateOnly)
			}
			return t.Format(time.DateOnly + " 15:04:05")
		}
	}
	return value
}

// cellAt reads the name of a cell: "B12" is row 12, column 2.
func cellAt(ref string) (row, column int, ok bool) {
	ref = strings.ReplaceAll(ref, "$", "")
	i := 0
	for i < len(ref) && i < 4 && (ref[i]|0x20) >= 'a' && (ref[i]|0x20) <= 'z' {
		column = column*26 + int(ref[i]|0x20-'a') + 1
		i++
	}
	row, err := strconv.Atoi(ref[i:])
	return row, column, err == nil && i > 0 && row > 0 && row <= mostSheetRows && column <= mostSheetColumns
}

// rangeOf reads the name of a range: "A1:C12".
func rangeOf(ref string) (r cellRange, ok bool) {
	from, to, two := strings.Cut(ref, ":")
	if !two {
		to = from
	}
	var first, last bool
	r.row, r.column, first = cellAt(from)
	r.lastRow, r.lastColumn, last = cellAt(to)
	if !first || !last || r.lastRow < r.row || r.lastColumn < r.column {
		return cellRange{}, false
	}
	return r, true
}

// joined is the text of a row in one line.
func (r *sheetRow) joined() string {
	var parts []string
	for i := range r.cells {
		parts = append(parts, r.cells[i].text)
	}
	return strings.Join(parts, " | ")
}
