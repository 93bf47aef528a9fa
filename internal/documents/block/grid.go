package block

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/isolated"
	"sanad/internal/words"
)

// Table is a table as a file has it, with merged cells.
type Table struct {
	Caption string
	Rows    []Row
}

// Row is a row of a table, with its cells from the first column on.
type Row struct {
	Heads bool // the file says that the row names columns
	Cells []Cell
}

// Cell is a cell of a table, which may cover several columns and rows.
type Cell struct {
	Text    string
	Columns int  // that it covers; 0 is 1
	Rows    int  // likewise
	Above   bool // it is a part of the cell above
}

// Bounds of merged cells (rule SEC-9): their words are repeated in each cell that they cover.
const (
	MostSpan     = 100       // columns that a cell covers
	RepeatedCell = 200       // longest words, in code points, that are repeated
	mostRepeated = 1_000_000 // code points of all repeated words of a file
)

// GridRow is a row of a table without merged cells.
type GridRow struct {
	heads bool
	Cells []string
	whole bool // one cell covers all columns
	Parts bool // a cell covers several columns, but not all
	below int  // the most rows that a cell covers
}

// PutTable adds a table as one block: a caption, if there is one, directly above its heads, and a line for each row
// (see ledger.WriteTable). Words of a merged cell stand in each cell that it covers. Rows of heads become one. A row
// that names the columns again begins another table, as does every page. Tables of one column are layout: paragraphs.
func (l *List) PutTable(t *Table, page int) {
	rows := l.Grid(t)
	columns := 0
	for i := range rows {
		columns = max(columns, len(rows[i].Cells))
	}
	if columns < 2 {
		l.PutText(t.Caption, page)
		for i := range rows {
			l.PutText(strings.Join(rows[i].Cells, ""), page)
		}
		return
	}
	caption := t.Caption
	for len(rows) > 1 && rows[0].whole {
		if caption != "" {
			l.PutText(caption, page)
		}
		caption, rows = rows[0].Cells[0], rows[1:]
	}
	for len(rows) > 0 {
		heads := HeadRows(rows)
		end := max(heads, 1)
		for end < len(rows) && !rows[end].heads {
			end++
		}
		l.putRows(caption, rows[:heads], rows[heads:end], page)
		caption, rows = "", rows[end:]
	}
}

// PutText adds a paragraph, if there are words.
func (l *List) PutText(s string, page int) {
	if s != "" {
		l.Put(s, 0, page)
	}
}

// putRows adds a table of rows that are all there.
func (l *List) putRows(caption string, heads, rows []GridRow, page int) {
	if len(heads) == 0 && len(rows) == 0 {
		return
	}
	body := make([][]string, len(rows))
	for i := range rows {
		body[i] = rows[i].Cells
	}
	if caption != "" {
		if l.Put(caption, 0, page); l.Over == nil {
			l.Runes-- // the table is directly below
		}
	}
	l.Put(ledger.WriteTable(JoinedHeads(heads), body), 0, page)
}

// JoinedHeads returns each column's heads as one: "Fees: 2024".
func JoinedHeads(rows []GridRow) []string {
	var out []string
	for column := 0; ; column++ {
		var parts []string
		within := false
		for i := range rows {
			if column >= len(rows[i].Cells) {
				continue
			}
			within = true
			if s := strings.TrimSuffix(rows[i].Cells[column], ":"); s != "" && (len(parts) == 0 || parts[len(parts)-1] != s) {
				parts = append(parts, s)
			}
		}
		if !within {
			return out
		}
		out = append(out, strings.Join(parts, ": "))
	}
}

// Grid resolves merged cells. Rows without words are left out.
func (l *List) Grid(t *Table) []GridRow {
	var out []GridRow
	type merged struct {
		rows int
		text string
	}
	open := map[int]merged{} // by column
	widest := 0
	for i := range t.Rows {
		r, column, covered := GridRow{heads: t.Rows[i].Heads}, 0, false // covered: there is a cell of one column
		fill := func() {
			for m := open[column]; m.rows > 0; m = open[column] {
				m.rows--
				open[column] = m
				r.Cells = append(r.Cells, l.Repeated(m.text))
				l.CountCell()
				column++
				covered = true
			}
		}
		for _, c := range t.Rows[i].Cells {
			fill()
			words := c.Text
			if c.Above && column < len(lastCells(out)) {
				words = l.Repeated(lastCells(out)[column])
			}
			span := min(max(c.Columns, 1), MostSpan)
			rows := min(max(c.Rows, 1), len(t.Rows)-i)
			r.Parts = r.Parts || span > 1
			r.below = max(r.below, rows)
			covered = covered || span == 1
			for k := range span {
				if k > 0 {
					words = l.Repeated(c.Text)
				}
				r.Cells = append(r.Cells, words)
				l.CountCell()
				if rows > 1 {
					open[column] = merged{rows - 1, c.Text}
				}
				column++
			}
			if l.Over != nil {
				return nil
			}
		}
		fill()
		r.whole = len(t.Rows[i].Cells) == 1 && !covered && len(r.Cells) > 1 && r.below == 1
		widest = max(widest, len(r.Cells))
		if strings.Join(r.Cells, "") != "" {
			out = append(out, r)
		}
	}
	for i := range out { // a title is said once
		r := &out[i]
		if r.whole = r.whole && len(r.Cells) == widest; r.whole {
			r.Cells, r.Parts = r.Cells[:1], false
		}
	}
	return out
}

func lastCells(rows []GridRow) []string {
	if len(rows) == 0 {
		return nil
	}
	return rows[len(rows)-1].Cells
}

// Repeated returns words for one more cell; "" for long ones.
func (l *List) Repeated(s string) string {
	n := utf8.RuneCountInString(s)
	if n > RepeatedCell {
		return ""
	}
	if l.again += n; l.again > mostRepeated {
		l.Over = isolated.Over(words.Msg("bound_merged", "N", mostRepeated))
	}
	return s
}

// HeadRows returns how many of the first rows name the columns: those that the file says, or as it seems.
func HeadRows(rows []GridRow) int {
	n := 0
	for n < len(rows) && rows[n].heads {
		n++
	}
	switch {
	case n > 0 && n < len(rows):
		return n
	case n > 0:
		return 1
	case len(rows) < 2 || !namesColumns(rows[0].Cells) && !NameFigures(rows):
		return 0
	case rows[0].Parts && len(rows) > 2 &&
		!slices.ContainsFunc(rows[1].Cells, func(c string) bool { return IsFigure(c) && !IsYear(c) }):
		return 2
	}
	return 1
}

// ColumnWords is the maximum number of words in a column's name.
const ColumnWords = 4

// namesColumns guesses whether the first row of a table names its columns, if the file doesn't say: it does if each
// cell has a few words, without a digit or a full stop.
func namesColumns(cells []string) bool {
	for i, c := range cells {
		if c == "" && i > 0 || len(strings.Fields(c)) > ColumnWords || strings.HasSuffix(c, ".") ||
			strings.ContainsFunc(c, unicode.IsDigit) {
			return false
		}
	}
	return true
}

// NameFigures guesses the same of a row with digits ("Fee 2024"): its cells are short, and some column has nothing but
// figures below a cell that is not a figure, or is a year.
func NameFigures(rows []GridRow) bool {
	for i, c := range rows[0].Cells {
		if c == "" && i > 0 || len(strings.Fields(c)) > 2*ColumnWords || strings.HasSuffix(c, ".") || IsFigure(c) &&
			!IsYear(c) {
			return false
		}
	}
	for column := 1; column < len(rows[0].Cells); column++ {
		figures, others := 0, 0
		for _, r := range rows[1:] {
			switch {
			case column >= len(r.Cells) || strings.Trim(r.Cells[column], "-–— ") == "":
			case IsFigure(r.Cells[column]) && !IsYear(r.Cells[column]):
				figures++
			default:
				others++
			}
		}
		if figures > 0 && others == 0 {
			return true
		}
	}
	return false
}

// IsFigure reports whether a cell is a number, perhaps with a unit.
func IsFigure(s string) bool {
	return utf8.RuneCountInString(s) <= 24 && len(strings.Fields(s)) <= 2 && figurePattern.MatchString(s)
}

var (
	figurePattern = regexp.MustCompile(`^([A-Z]{3} ?|[^\pL\p{Nd}]{0,3})\p{Nd}[\p{Nd}.,٬٫/ -]*[^\p{Nd}]{0,12}$`)
	yearPattern   = regexp.MustCompile(`^((1[89]|20)\d\d|(١[٨٩]|٢٠)[٠-٩]{2})(\s*[-–/]\s*[\d٠-٩]{2,4})?$`)
)

// IsYear reports whether a cell is a year, or years from one to another.
func IsYear(s string) bool { return yearPattern.MatchString(s) }

// captionPattern is the beginning of a line that names a table.
var captionPattern = regexp.MustCompile(`(?i)^(table|جدول|الجدول)[ \t]+(رقم[ \t]+)?\(?[\d٠-٩]+`)

// isCaption reports whether a paragraph above a table is its caption, by its words.
func isCaption(s string) bool { return text.Len(s) <= RepeatedCell && captionPattern.MatchString(s) }

// UnderCaption takes the caption of a table from the last block, if that is one.
func (l *List) UnderCaption(t *Table, marked bool) {
	n := len(l.Blocks)
	if n == 0 || t.Caption != "" || l.Blocks[n-1].Level > 0 || !marked && !isCaption(l.Blocks[n-1].Text) {
		return
	}
	last := l.Blocks[n-1]
	if strings.Contains(last.Text, "\n") || strings.Contains(last.Text, "|") {
		return
	}
	t.Caption, l.Blocks, l.Runes = last.Text, l.Blocks[:n-1], last.Span.Start
}
