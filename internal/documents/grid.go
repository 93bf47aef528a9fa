package documents

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

// fileTable is a table as a file has it, with merged cells.
type fileTable struct {
	caption string
	rows    []fileRow
}

type fileRow struct {
	heads bool // the file says that the row names columns
	cells []fileCell
}

type fileCell struct {
	text    string
	columns int  // that it covers; 0 is 1
	rows    int  // likewise
	above   bool // it is a part of the cell above
}

// Bounds of merged cells (rule SEC-9): their words are repeated in each cell that they cover.
const (
	mostSpan     = 100       // columns that a cell covers
	repeatedCell = 200       // longest words, in code points, that are repeated
	mostRepeated = 1_000_000 // code points of all repeated words of a file
)

// gridRow is a row of a table without merged cells.
type gridRow struct {
	heads bool
	cells []string
	whole bool // one cell covers all columns
	parts bool // a cell covers several columns, but not all
	below int  // the most rows that a cell covers
}

// putTable adds a table as one block: a caption, if there is one, directly above its heads, and a line for each row (see
// ledger.WriteTable). Words of a merged cell stand in each cell that it covers. Rows of heads become one. A row that names
// the columns again begins another table, as does every page. Tables of one column are layout: paragraphs.
func (l *blockList) putTable(t *fileTable, page int) {
	rows := l.grid(t)
	columns := 0
	for i := range rows {
		columns = max(columns, len(rows[i].cells))
	}
	if columns < 2 {
		l.putText(t.caption, page)
		for i := range rows {
			l.putText(strings.Join(rows[i].cells, ""), page)
		}
		return
	}
	caption := t.caption
	for len(rows) > 1 && rows[0].whole {
		if caption != "" {
			l.putText(caption, page)
		}
		caption, rows = rows[0].cells[0], rows[1:]
	}
	for len(rows) > 0 {
		heads := headRows(rows)
		end := max(heads, 1)
		for end < len(rows) && !rows[end].heads {
			end++
		}
		l.putRows(caption, rows[:heads], rows[heads:end], page)
		caption, rows = "", rows[end:]
	}
}

// putText adds a paragraph, if there are words.
func (l *blockList) putText(s string, page int) {
	if s != "" {
		l.put(s, 0, page)
	}
}

// putRows adds a table of rows that are all there.
func (l *blockList) putRows(caption string, heads, rows []gridRow, page int) {
	if len(heads) == 0 && len(rows) == 0 {
		return
	}
	body := make([][]string, len(rows))
	for i := range rows {
		body[i] = rows[i].cells
	}
	if caption != "" {
		if l.put(caption, 0, page); l.over == nil {
			l.runes-- // the table is directly below
		}
	}
	l.put(ledger.WriteTable(joinedHeads(heads), body), 0, page)
}

// joinedHeads returns each column's heads as one: "Fees: 2024".
func joinedHeads(rows []gridRow) []string {
	var out []string
	for column := 0; ; column++ {
		var parts []string
		within := false
		for i := range rows {
			if column >= len(rows[i].cells) {
				continue
			}
			within = true
			if s := strings.TrimSuffix(rows[i].cells[column], ":"); s != "" && (len(parts) == 0 || parts[len(parts)-1] != s) {
				parts = append(parts, s)
			}
		}
		if !within {
			return out
		}
		out = append(out, strings.Join(parts, ": "))
	}
}

// grid resolves merged cells. Rows without words are left out.
func (l *blockList) grid(t *fileTable) []gridRow {
	var out []gridRow
	type merged struct {
		rows int
		text string
	}
	open := map[int]merged{} // by column
	widest := 0
	for i := range t.rows {
		r, column, covered := gridRow{heads: t.rows[i].heads}, 0, false // covered: there is a cell of one column
		fill := func() {
			for m := open[column]; m.rows > 0; m = open[column] {
				m.rows--
				open[column] = m
				r.cells = append(r.cells, l.repeated(m.text))
				l.countCell()
				column++
				covered = true
			}
		}
		for _, c := range t.rows[i].cells {
			fill()
			words := c.text
			if c.above && column < len(lastCells(out)) {
				words = l.repeated(lastCells(out)[column])
			}
			span := min(max(c.columns, 1), mostSpan)
			rows := min(max(c.rows, 1), len(t.rows)-i)
			r.parts = r.parts || span > 1
			r.below = max(r.below, rows)
			covered = covered || span == 1
			for k := range span {
				if k > 0 {
					words = l.repeated(c.text)
				}
				r.cells = append(r.cells, words)
				l.countCell()
				if rows > 1 {
					open[column] = merged{rows - 1, c.text}
				}
				column++
			}
			if l.over != nil {
				return nil
			}
		}
		fill()
		r.whole = len(t.rows[i].cells) == 1 && !covered && len(r.cells) > 1 && r.below == 1
		widest = max(widest, len(r.cells))
		if strings.Join(r.cells, "") != "" {
			out = append(out, r)
		}
	}
	for i := range out { // a title is said once
		r := &out[i]
		if r.whole = r.whole && len(r.cells) == widest; r.whole {
			r.cells, r.parts = r.cells[:1], false
		}
	}
	return out
}

func lastCells(rows []gridRow) []string {
	if len(rows) == 0 {
		return nil
	}
	return rows[len(rows)-1].cells
}

// repeated returns words for one more cell; "" for long ones.
func (l *blockList) repeated(s string) string {
	n := utf8.RuneCountInString(s)
	if n > repeatedCell {
		return ""
	}
	if l.again += n; l.again > mostRepeated {
		l.over = isolated.Over(words.Msg("bound_merged", "N", mostRepeated))
	}
	return s
}

// headRows returns how many of the first rows name the columns: those that the file says, or as it seems.
func headRows(rows []gridRow) int {
	n := 0
	for n < len(rows) && rows[n].heads {
		n++
	}
	switch {
	case n > 0 && n < len(rows):
		return n
	case n > 0:
		return 1
	case len(rows) < 2 || !namesColumns(rows[0].cells) && !nameFigures(rows):
		return 0
	case rows[0].parts && len(rows) > 2 && !slices.ContainsFunc(rows[1].cells, func(c string) bool { return isFigure(c) && !isYear(c) }):
		return 2
	}
	return 1
}

// columnWords is the maximum number of words in a column's name.
const columnWords = 4

// namesColumns guesses whether the first row of a table names its columns, if the file doesn't say: it does if each
// cell has a few words, without a digit or a full stop.
func namesColumns(cells []string) bool {
	for i, c := range cells {
		if c == "" && i > 0 || len(strings.Fields(c)) > columnWords || strings.HasSuffix(c, ".") ||
			strings.ContainsFunc(c, unicode.IsDigit) {
			return false
		}
	}
	return true
}

// nameFigures guesses the same of a row with digits ("Fee 2024"): its cells are short, and some column has nothing but
// figures below a cell that is not a figure, or is a year.
func nameFigures(rows []gridRow) bool {
	for i, c := range rows[0].cells {
		if c == "" && i > 0 || len(strings.Fields(c)) > 2*columnWords || strings.HasSuffix(c, ".") || isFigure(c) &&
			!isYear(c) {
			return false
		}
	}
	for column := 1; column < len(rows[0].cells); column++ {
		figures, others := 0, 0
		for _, r := range rows[1:] {
			switch {
			case column >= len(r.cells) || strings.Trim(r.cells[column], "-–— ") == "":
			case isFigure(r.cells[column]) && !isYear(r.cells[column]):
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

// isFigure reports whether a cell is a number, perhaps with a unit.
func isFigure(s string) bool {
	return utf8.RuneCountInString(s) <= 24 && len(strings.Fields(s)) <= 2 && figurePattern.MatchString(s)
}

var (
	figurePattern = regexp.MustCompile(`^([A-Z]{3} ?|[^\pL\p{Nd}]{0,3})\p{Nd}[\p{Nd}.,٬٫/ -]*[^\p{Nd}]{0,12}$`)
	yearPattern   = regexp.MustCompile(`^((1[89]|20)\d\d|(١[٨٩]|٢٠)[٠-٩]{2})(\s*[-–/]\s*[\d٠-٩]{2,4})?$`)
)

func isYear(s string) bool { return yearPattern.MatchString(s) }

// captionPattern is the beginning of a line that names a table.
var captionPattern = regexp.MustCompile(`(?i)^(table|جدول|الجدول)[ \t]+(رقم[ \t]+)?\(?[\d٠-٩]+`)

// isCaption reports whether a paragraph above a table is its caption, by its words.
func isCaption(s string) bool { return text.Len(s) <= repeatedCell && captionPattern.MatchString(s) }

// underCaption takes the caption of a table from the last block, if that is one.
func (l *blockList) underCaption(t *fileTable, marked bool) {
	n := len(l.blocks)
	if n == 0 || t.caption != "" || l.blocks[n-1].Level > 0 || !marked && !isCaption(l.blocks[n-1].Text) {
		return
	}
	last := l.blocks[n-1]
	if strings.Contains(last.Text, "\n") || strings.Contains(last.Text, "|") {
		return
	}
	t.caption, l.blocks, l.runes = last.Text, l.blocks[:n-1], last.Span.Start
}
