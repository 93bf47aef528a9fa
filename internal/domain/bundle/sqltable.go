package bundle

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/redact"
)

const (
	widest     = 40 // code points that a column is padded to; longer cells push the rest of their row
	namesShown = 20 // at most so many of the columns left out are named in the text
)

// table renders a SQL result as text: how much of it is shown, then aligned columns.
type table struct {
	queryKey string
	columns  []string // as shown
	sampling *Sampling
	ranges   [][2]int // rows
	red      *redact.Redactor
	kinds    redact.Counts
}

// newTable redacts the parts that all items of a result share.
func newTable(red *redact.Redactor, queryKey string, columns []string) table {
	t := table{red: red, kinds: redact.Counts{}}
	t.queryKey = t.cell("", queryKey)
	for _, name := range columns {
		t.columns = append(t.columns, t.cell("", name))
	}
	return t
}

func (t *table) render(a *sqlArtifact) string {
	var grid [][]string // a nil row marks rows left out
	for k, r := range t.ranges {
		if k > 0 && t.sampling.Step == 0 {
			grid = append(grid, nil)
		}
		for _, row := range a.Rows[r[0]:r[1]] {
			cells := make([]string, len(t.columns))
			for c := range cells {
				cells[c] = t.value(a.Columns[c], row[c])
			}
			grid = append(grid, cells)
		}
	}
	var out strings.Builder
	t.head(&out)
	widths := t.widths(grid)
	writeRow(&out, t.columns, widths)
	rule := make([]string, len(widths))
	for c, w := range widths {
		rule[c] = strings.Repeat("-", w)
	}
	writeRow(&out, rule, widths)
	for _, cells := range grid {
		if cells == nil {
			fmt.Fprintf(&out, "... %d rows left out ...\n", t.sampling.RowsLeftOut)
			continue
		}
		writeRow(&out, cells, widths)
	}
	return out.String()
}

// head writes what is left out; it comes first, so that cutting the text does not hide it.
func (t *table) head(out *strings.Builder) {
	m := t.sampling
	fmt.Fprintf(out, "query: %s\n%d rows, %d columns\n", t.queryKey, m.RowsTotal, m.ColsTotal)
	switch {
	case m.Strategy == byRange:
		fmt.Fprintf(out, "shown: rows %d-%d (end exclusive); ", t.ranges[0][0], t.ranges[0][1])
		if m.RowsLeftOut > 0 {
			fmt.Fprintf(out, "%d rows left out; ", m.RowsLeftOut)
		}
		out.WriteString("the others are items of their own\n")
	case m.Step > 0:
		fmt.Fprintf(out, "shown: %d rows, one in %d from the first (stride); %d rows left out\n", m.RowsShown, m.Step,
			m.RowsLeftOut)
	case m.RowsLeftOut > 0:
		fmt.Fprintf(out, "shown: rows %s (end exclusive, %s); %d rows left out\n", rangesText(t.ranges), m.Strategy,
			m.RowsLeftOut)
	}
	if n := len(m.ColumnsLeftOut); n > 0 {
		fmt.Fprintf(out, "%d columns left out: %s", n, strings.Join(m.ColumnsLeftOut[:min(n, namesShown)], ", "))
		if n > namesShown {
			fmt.Fprintf(out, " and %d more", n-namesShown)
		}
		out.WriteByte('\n')
	}
	out.WriteByte('\n')
}

func rangesText(list [][2]int) string {
	var out []string
	for _, r := range list {
		out = append(out, fmt.Sprintf("%d-%d", r[0], r[1]))
	}
	return strings.Join(out, ", ")
}

// value returns the text of a cell on one line: NULL, a number's exact digits, or a string. The string "NULL" is
// quoted.
func (t *table) value(column string, raw json.RawMessage) string {
	s := scalar(raw)
	switch {
	case string(raw) == "null" || len(raw) == 0:
		return "NULL"
	case s == "NULL":
		return `"NULL"`
	}
	return t.cell(column, s)
}

var cellEscapes = strings.NewReplacer("\r", `\r`, "\n", `\n`, "\t", `\t`, "|", `\|`)

// cell redacts a text and puts it on one line.
func (t *table) cell(column, s string) string {
	s, _ = repair(s)
	if t.red != nil {
		var kinds redact.Counts
		s, kinds = t.red.Field(column, s)
		t.kinds.Add(kinds)
	}
	return oneLine(cellEscapes.Replace(s))
}

func (t *table) widths(grid [][]string) []int {
	out := make([]int, len(t.columns))
	for c, name := range t.columns {
		out[c] = min(widest, utf8.RuneCountInString(name))
	}
	for _, cells := range grid {
		for c, s := range cells {
			out[c] = max(out[c], min(widest, utf8.RuneCountInString(s)))
		}
	}
	return out
}

// writeRow pads all cells but the last.
func writeRow(out *strings.Builder, cells []string, widths []int) {
	for c, s := range cells {
		if c > 0 {
			out.WriteString(" | ")
		}
		out.WriteString(s)
		if pad := widths[c] - utf8.RuneCountInString(s); pad > 0 && c < len(cells)-1 {
			out.WriteString(strings.Repeat(" ", pad))
		}
	}
	out.WriteByte('\n')
}
