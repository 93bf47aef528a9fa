package importers

import (
	"strings"
	"unicode"

	"sanad/internal/domain/ledger"
)

// TableRow is a row of a table in an uploaded file: the text of its block by cell.
type TableRow struct {
	Table  int  // number of the table in the file, from 1
	Header bool // the file marks the row as names of columns
	Cells  []string
}

// asMarkdown returns the blocks of an uploaded answer as Markdown, so that its headings don't become claims and its
// tables are read row by row (rule J-5). rows has the blocks that are table rows, by index in blocks.
func asMarkdown(blocks []ledger.Block, rows map[int]TableRow) string {
	var parts []string
	for i := 0; i < len(blocks); i++ {
		_, ok := rows[i]
		switch {
		case ok:
			end := tableEnd(rows, i)
			parts = append(parts, markdownTable(rows, i, end))
			i = end - 1
		case blocks[i].Level > 0:
			parts = append(parts, strings.Repeat("#", min(blocks[i].Level, 6))+" "+blocks[i].Text)
		default:
			parts = append(parts, blocks[i].Text)
		}
	}
	return strings.Join(parts, "\n\n")
}

// tableEnd returns the end of the table that row i starts; a second heading row starts another table.
func tableEnd(rows map[int]TableRow, i int) int {
	end := i + 1
	for rows[end].Table == rows[i].Table && !rows[end].Header {
		end++
	}
	return end
}

// markdownTable returns the rows of the blocks [from, to) as a table. A table of one column is only layout
// and becomes paragraphs.
func markdownTable(rows map[int]TableRow, from, to int) string {
	columns := 0
	for i := from; i < to; i++ {
		columns = max(columns, len(rows[i].Cells))
	}
	var lines []string
	if columns < 2 {
		for i := from; i < to; i++ {
			lines = append(lines, strings.Join(rows[i].Cells, ""))
		}
		return strings.Join(lines, "\n\n")
	}
	first := from + 1
	if named := rows[from].Header || to-from > 1 && namesColumns(rows[from].Cells); named {
		lines = append(lines, markdownRow(rows[from].Cells, columns))
	} else {
		lines = append(lines, markdownRow(nil, columns))
		first = from
	}
	lines = append(lines, "|"+strings.Repeat("---|", columns))
	for i := first; i < to; i++ {
		lines = append(lines, markdownRow(rows[i].Cells, columns))
	}
	return strings.Join(lines, "\n")
}

// markdownRow returns a row padded to a number of columns.
func markdownRow(cells []string, columns int) string {
	var b strings.Builder
	b.WriteByte('|')
	for i := range columns {
		cell := ""
		if i < len(cells) {
			cell = strings.ReplaceAll(cells[i], "|", `\|`)
		}
		b.WriteString(" " + cell + " |")
	}
	return b.String()
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
