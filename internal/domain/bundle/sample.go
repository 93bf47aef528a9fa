package bundle

// Sampling records which part of a SQL result an item shows. Ranges are rows of the whole result, end exclusive.
type Sampling struct {
	Strategy       string   `json:"strategy"`
	RowsTotal      int      `json:"rows_total"`
	RowsShown      int      `json:"rows_shown"`
	RowsLeftOut    int      `json:"rows_left_out"`
	RowRanges      [][2]int `json:"row_ranges,omitempty"`
	Step           int      `json:"step,omitempty"` // of stride: every so many rows, from the first
	ColsTotal      int      `json:"cols_total"`
	ColsShown      int      `json:"cols_shown"`
	ColumnsLeftOut []string `json:"columns_left_out,omitempty"`
}

// byRange is the strategy of a result that becomes several items.
const byRange = "rows_per_item"

// newSampling describes an item that shows these ranges of a result's rows; p.MaxSQLRows is how many it may show.
func newSampling(a *sqlArtifact, p *Policy, strategy string, ranges [][2]int) *Sampling {
	rows, cols := len(a.Rows), len(a.Columns)
	m := &Sampling{Strategy: strategy, RowsTotal: rows, RowRanges: ranges, ColsTotal: cols,
		ColsShown: min(cols, p.MaxSQLCols)}
	for _, r := range ranges {
		m.RowsShown += r[1] - r[0]
	}
	if strategy != byRange { // with byRange, the other rows are items of their own
		m.RowsLeftOut = rows - m.RowsShown
	}
	if strategy == Stride && rows > p.MaxSQLRows {
		m.RowRanges, m.Step = nil, step(rows, p.MaxSQLRows)
	}
	return m
}

// sample selects at most n of total rows, n ≥ 1, and returns them as ranges in order (rule B-7).
func sample(total, n int, strategy string) [][2]int {
	if total == 0 {
		return [][2]int{}
	}
	switch {
	case total <= n:
		return [][2]int{{0, total}}
	case strategy == FirstLast && n > 1:
		return [][2]int{{0, (n + 1) / 2}, {total - n/2, total}}
	case strategy == Stride:
		var out [][2]int
		for i := 0; i < total; i += step(total, n) {
			out = append(out, [2]int{i, i + 1})
		}
		return out
	}
	return [][2]int{{0, n}} // first_last too, if only one row may be shown
}

// step is the K of stride.
func step(total, n int) int { return (total + n - 1) / n }
