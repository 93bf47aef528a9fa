package importers

import (
	"strings"
	"unicode"

	"sanad/internal/domain/ledger"
)

// tableRow is a row of a table in an uploaded file: what its block says, cell by cell.
type tableRow struct {
	table  int  // which of the file's tables, from 1
	header bool // the file says that these are the names of the columns
	cells  []string
}

// asMarkdown writes the blocks of an uploaded answer as Markdown, so that its headings are none of its claims and its
// tables are read row by row (rule J-5). rows are those blocks that are rows, by their place in blocks.
func asMarkdown(blocks []ledger.Block, rows map[int]tableRow) string {
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

// tableEnd returns the block behind the last row that goes with row i: a second heading of a table begins another.
func tableEnd(rows map[int]tableRow, i int) int {
	end := i + 1
	for rows[end].table == rows[i].table && !rows[end].header {
		end++
	}
	return end
}

// markdownTable writes the rows of the blocks [from, to) as a table. What has one column only is no table, but laid out
// by one.
func markdownTable(rows map[int]tableRow, from, to int) string {
	columns := 0
	for i := from; i < to; i++ {
		columns = max(columns, len(rows[i].cells))
	}
	var lines []string
	if columns < 2 {
		for i := from; i < to; i++ {
			lines = append(lines, strings.Join(rows[i].cells, ""))
		}
		return strings.Join(lines, "\n\n")
	}
	first := from + 1
	if named := rows[from].header || to-from > 1 && namesColumns(rows[from].cells); named {
		lines = append(lines, markdownRow(rows[from].cells, columns))
	} else {
		lines = append(lines, markdownRow(nil, columns))
		first = from
	}
	lines = append(lines, "|"+strings.Repeat("---|", columns))
	for i := first; i < to; i++ {
		lines = append(lines, markdownRow(rows[i].cells, columns))
	}
	return strings.Join(lines, "\n")
}

// markdownRow writes a row of so many columns.
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

// columnWords is the most words that a column's name has.
const columnWords = 4

// namesColumns guesses whether the first row of a table names its columns, where the file doesn't say: a few words in
// each cell, without a figure or a full stop.
func namesColumns(cells []string) bool {
	for i, c := range cells {
		if c == "" && i > 0 || len(strings.Fields(c)) > columnWords || strings.HasSuffix(c, ".") ||
			strings.ContainsFunc(c, unicode.IsDigit) {
			return false
		}
	}
	return true
}
