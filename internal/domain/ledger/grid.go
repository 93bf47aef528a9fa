package ledger

import (
	"strings"
	"unicode"

	"sanad/internal/domain/text"
)

// A table stands in a document's text as in Markdown (rule F-20): a line of heads, a ruled line, a line for each row.
// Every cell stands between bars; a bar of a cell's own words has a backslash before it. A table without heads has
// empty ones. A line directly above the heads is the table's caption.

// Grid is a table in a chunk's text.
type Grid struct {
	Caption text.Span // empty if none
	// CaptionText is its words.
	CaptionText string
	Head        []Cell   // empty if the heads are in a chunk before, or all of them are
	Above       []string // the heads that are in a chunk before
	Rows        []GridRow
	Span        text.Span // from the caption or the first line to the end of the last row
	Continued   bool      // its first rows are in a chunk before
}

// GridRow is a line of a table.
type GridRow struct {
	Span  text.Span // of the line
	Cells []Cell
}

// Cell is where a cell's words are in the chunk's text, with the backslashes before bars.
type Cell struct {
	Span text.Span
	Text string // without these backslashes
}

// WriteRow returns the line of a table's row, padded to a number of columns.
func WriteRow(cells []string, columns int) string {
	var b strings.Builder
	b.WriteByte('|')
	for i := range columns {
		cell := ""
		if i < len(cells) {
			cell = strings.ReplaceAll(strings.ReplaceAll(cells[i], `\|`, "|"), "|", `\|`)
		}
		if b.WriteByte(' '); cell != "" {
			b.WriteString(cell)
			b.WriteByte(' ')
		}
		b.WriteByte('|')
	}
	return b.String()
}

// WriteTable returns a table's lines. Heads may be nil.
func WriteTable(heads []string, rows [][]string) string {
	columns := len(heads)
	for _, r := range rows {
		columns = max(columns, len(r))
	}
	lines := []string{WriteRow(heads, columns), "|" + strings.Repeat("---|", columns)}
	for _, r := range rows {
		lines = append(lines, WriteRow(r, columns))
	}
	return strings.Join(lines, "\n")
}

// SaidRows returns a text as it is quoted in running text: each row of a table is the words of its cells with middle
// dots between them, and the lines below heads are left out.
func SaidRows(s string) string {
	if !strings.Contains(s, "|") {
		return s
	}
	var out []string
	for _, l := range splitLines(s) {
		switch {
		case strings.Contains(l.text, "|") && rulePattern.MatchString(l.text):
		case strings.HasPrefix(l.text, "|"):
			var words []string
			for _, c := range cellsOf(l.raw, 0) {
				if c.Text != "" {
					words = append(words, c.Text)
				}
			}
			out = append(out, strings.Join(words, " · "))
		default:
			out = append(out, strings.TrimSuffix(l.raw, "\n"))
		}
	}
	return strings.Join(out, "\n")
}

// OpenGrid is what a chunk's first rows need of the chunks before it: the heads of the table that is open at the end
// of them. Its zero value means that none is.
type OpenGrid struct {
	open  bool
	heads []string
}

// Heads returns the heads; nil if there are none.
func (h OpenGrid) Heads() []string { return h.heads }

// OpenTable is an open table whose heads are not known.
func OpenTable() OpenGrid { return OpenGrid{open: true} }

// After returns the open table after one more chunk of a document. Chunks are given in order.
func (h OpenGrid) After(chunk string) OpenGrid {
	if !strings.Contains(chunk, "|") {
		return OpenGrid{}
	}
	tables := Grids(chunk, h)
	if len(tables) == 0 {
		return OpenGrid{}
	}
	last := &tables[len(tables)-1]
	if last.Span.End < text.Len(strings.TrimRightFunc(chunk, unicode.IsSpace)) {
		return OpenGrid{}
	}
	return OpenGrid{open: true, heads: last.Heads()}
}

// Heads returns the words of a table's heads, wherever they are.
func (t *Grid) Heads() []string {
	if t.Continued {
		return t.Above
	}
	var out []string
	for _, c := range t.Head {
		out = append(out, c.Text)
	}
	return out
}

func firstLines(s string) string {
	for i, n := 0, 0; i < len(s); i++ {
		if s[i] == '\n' {
			if n++; n == 2 {
				return s[:i+1]
			}
		}
	}
	return s
}

// isRuled reports whether line i names the columns of a table: the line after it is its rule.
func isRuled(lines []line, i int) bool {
	if !strings.Contains(lines[i].text, "|") || i+1 == len(lines) {
		return false
	}
	rule := lines[i+1].text // a row of dashes, "| - | - |", is none
	return strings.Contains(rule, "|") && rulePattern.MatchString(rule) &&
		(strings.Contains(rule, "--") || strings.Contains(rule, ":") || !strings.Contains(rule, " "))
}

// Grids finds the tables of a chunk. above is what the chunks before it leave open.
func Grids(chunk string, above OpenGrid) []Grid {
	if !strings.Contains(chunk, "|") {
		return nil
	}
	lines := splitLines(chunk)
	starts := make([]int, len(lines)+1)
	for i, l := range lines {
		starts[i+1] = starts[i] + text.Len(l.raw)
	}
	var out []Grid
	for i := 0; i < len(lines); {
		fence := fencePattern.FindString(lines[i].text)
		switch {
		case fence != "":
			i += fenceLines(lines[i:], fence)
		case isRuled(lines, i):
			t := Grid{Head: cellsOf(lines[i].raw, starts[i])}
			t.Span.Start = trimmedSpan(lines[i].raw, starts[i]).Start
			if c := captionLine(lines, i); c {
				t.Caption = trimmedSpan(lines[i-1].raw, starts[i-1])
				t.CaptionText, t.Span.Start = lines[i-1].text, t.Caption.Start
			}
			t.Span.End = starts[i] + text.Len(strings.TrimRightFunc(lines[i].raw+lines[i+1].raw, unicode.IsSpace))
			i = t.take(lines, starts, i+2)
			t.dropEmptyHead()
			out = append(out, t)
		case i == 0 && above.open && strings.Contains(lines[i].text, "|"):
			t := Grid{Continued: true, Above: above.heads, Span: trimmedSpan(lines[i].raw, starts[i])}
			i = t.take(lines, starts, i)
			out = append(out, t)
		default:
			i++
		}
	}
	return out
}

// take adds the rows from line i on, and returns the line after them.
func (t *Grid) take(lines []line, starts []int, i int) int {
	for ; i < len(lines) && strings.Contains(lines[i].text, "|") && !isRuled(lines, i); i++ {
		row := GridRow{Span: trimmedSpan(lines[i].raw, starts[i]), Cells: cellsOf(lines[i].raw, starts[i])}
		t.Rows = append(t.Rows, row)
		t.Span.End = row.Span.End
	}
	return i
}

// dropEmptyHead leaves out heads that are all empty.
func (t *Grid) dropEmptyHead() {
	for _, c := range t.Head {
		if c.Text != "" {
			return
		}
	}
	t.Head = nil
}

// longCaption is the longest caption, in code points.
const longCaption = 300

// captionLine reports whether the line before line i, the heads of a table, is its caption.
func captionLine(lines []line, i int) bool {
	if i == 0 || i > 1 && !lines[i-2].blank() && !atxPattern.MatchString(lines[i-2].text) {
		return false
	}
	t := lines[i-1].text
	return t != "" && !strings.Contains(t, "|") && !atxPattern.MatchString(t) && !fencePattern.MatchString(t) &&
		!itemPattern.MatchString(t) && text.Len(t) <= longCaption
}

func trimmedSpan(raw string, start int) text.Span {
	left := strings.TrimLeftFunc(raw, unicode.IsSpace)
	from := start + text.Len(raw) - text.Len(left)
	return text.Span{Start: from, End: from + text.Len(strings.TrimRightFunc(left, unicode.IsSpace))}
}

// cellsOf splits a line at its bars.
func cellsOf(raw string, start int) []Cell {
	runes := []rune(raw)
	from, to := 0, len(runes)
	for from < to && unicode.IsSpace(runes[from]) {
		from++
	}
	for to > from && unicode.IsSpace(runes[to-1]) {
		to--
	}
	if from < to && runes[from] == '|' {
		from++
	}
	if to > from && runes[to-1] == '|' && (to-2 < from || runes[to-2] != '\\') {
		to--
	}
	var out []Cell
	add := func(a, b int) {
		for a < b && unicode.IsSpace(runes[a]) {
			a++
		}
		for b > a && unicode.IsSpace(runes[b-1]) {
			b--
		}
		out = append(out, Cell{Span: text.Span{Start: start + a, End: start + b},
			Text: strings.ReplaceAll(string(runes[a:b]), `\|`, "|")})
	}
	cell := from
	for i := from; i < to; i++ {
		if runes[i] == '\\' && i+1 < to {
			i++
		} else if runes[i] == '|' {
			add(cell, i)
			cell = i + 1
		}
	}
	add(cell, to)
	return out
}
