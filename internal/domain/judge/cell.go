package judge

import (
	"math"
	"strings"
)

// cell is where a token is in a table of the text; the zero cell is outside of tables.
type cell struct {
	table  int // 1 for the first
	row    int // 0 for the head
	column int
}

// cells returns the cell of each token of the window. A line with a bar in it is a table's row ("a | b" or "| a | b
// |"); tables end at the first other line.
func (w *window) cells() []cell {
	tokens := w.chunk.tokens[w.from():w.to()]
	if !strings.Contains(w.chunk.text, "|") {
		return nil
	}
	out := make([]cell, len(tokens))
	at, next, tables, row := 0, 0, 0, -1
	for line := range strings.SplitSeq(w.chunk.text, "\n") {
		inner := strings.TrimPrefix(strings.TrimSpace(line), "|")
		switch {
		case !strings.Contains(inner, "|"):
			row = -1
		case strings.Trim(inner, "|-: \t") != "": // no rule between head and body
			if row++; row == 0 {
				tables++
			}
		}
		column := 0
		if row >= 0 && strings.HasPrefix(strings.TrimSpace(line), "|") {
			column = -1
		}
		for _, r := range line {
			for next < len(tokens) && tokens[next].Start < at {
				next++
			}
			switch {
			case r == '|':
				column++
			case next < len(tokens) && tokens[next].Start == at && row >= 0:
				out[next] = cell{table: tables, row: row, column: column}
			}
			at++
		}
		at++ // the line break
	}
	return out
}

// otherCell reports whether the window gathers the claim from different rows of a table, or finds a number of it in
// another column than the one that the claim speaks of.
func (w *window) otherCell() bool {
	cells := w.cells()
	where := make([][]cell, len(w.query.terms)) // of each term, all places
	tabled := false
	for k, c := range cells {
		tabled = tabled || c.row > 0
		for _, i := range w.termsAt(w.from() + k) {
			where[i] = append(where[i], c)
		}
	}
	if !tabled {
		return false
	}
	for _, c := range cells {
		if c.row > 0 && w.rowHolds(where, c) && w.columnsAgree(where, c) {
			return false
		}
	}
	for _, places := range where {
		if inBody(places) {
			return true
		}
	}
	return false // the table has nothing of the claim that is not said beside it
}

// inBody reports whether a term is in rows of tables only, heads apart.
func inBody(places []cell) bool {
	for _, c := range places {
		if c.row == 0 {
			return false
		}
	}
	return len(places) > 0
}

// termsAt lists the claim's terms that a token of the chunk stands for.
func (w *window) termsAt(k int) (out []int) {
	t, quantities := &w.chunk.tokens[k], w.chunk.quantities
	for _, h := range w.query.hits(t.word) {
		if !w.query.refutes(h.term, quantities, t.Start) {
			out = append(out, h.term)
		}
	}
	if e := quantityOf(quantities, t.Start); e >= 0 {
		for _, i := range w.query.numbers {
			if w.query.meets(w.query.terms[i].quantity, quantities[e]) > 0 {
				out = append(out, i)
			}
		}
	}
	return out
}

// rowHolds reports whether a row has all terms of the claim that are in rows only.
func (w *window) rowHolds(where [][]cell, row cell) bool {
	for _, places := range where {
		if inBody(places) && !inRow(places, row) {
			return false
		}
	}
	return true
}

func inRow(places []cell, row cell) bool {
	for _, c := range places {
		if c.table == row.table && c.row == row.row {
			return true
		}
	}
	return false
}

// columnsAgree reports whether each number of the claim that a row has is under a head that says as much of the
// claim as any other head does, apart from those over the claim's other numbers.
func (w *window) columnsAgree(where [][]cell, row cell) bool {
	heads := map[int]float64{} // column → weight of the claim's terms in its head
	for i, places := range where {
		seen := map[int]bool{}
		for _, c := range places {
			if c.table == row.table && c.row == 0 && !seen[c.column] {
				seen[c.column] = true
				heads[c.column] += w.query.terms[i].weight
			}
		}
	}
	taken, best := map[int]bool{}, 0.0
	for _, i := range w.query.numbers {
		for _, c := range where[i] {
			taken[c.column] = taken[c.column] || c.table == row.table && c.row == row.row
		}
	}
	for column, weight := range heads {
		if column > 0 && !taken[column] {
			best = math.Max(best, weight)
		}
	}
	for _, i := range w.query.numbers {
		if !inBody(where[i]) {
			continue
		}
		agrees := false
		for _, c := range where[i] {
			agrees = agrees || c.table == row.table && c.row == row.row && (c.column == 0 || heads[c.column] >= best)
		}
		if !agrees {
			return false
		}
	}
	return true
}
