package bundle

import (
	"encoding/json"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/redact"
)

// sqlArtifact is a stored SQL result (spec page 3 "Shapes").
type sqlArtifact struct {
	Columns []string            `json:"columns"`
	Rows    [][]json.RawMessage `json:"rows"`
}

// byRange is the strategy of a result that becomes several items.
const byRange = "rows_per_item"

func (b *builder) sqlResults(list List[SQLRef]) {
	each(b, "evidence_refs.sql_results", SQLResult, list, func(_ int, path string, v SQLRef) {
		ref := SourceRef{LakeURI: v.LakeURI, QueryKey: v.QueryKey}
		if v.QueryKey == "" || v.RowsPerItem < 0 {
			b.fail(path, SQLResult, ref, "It needs a query_key, and no negative rows_per_item.")
			return
		}
		data, ok := b.fetch(path, SQLResult, ref)
		if !ok {
			return
		}
		a, err := readSQL(data)
		if err != nil {
			b.fail(path, SQLResult, ref, "%s", err.Msg)
			return
		}
		full, rows, cols := stored(v.LakeURI, data), len(a.Rows), len(a.Columns)
		full.RowCount, full.ColCount = &rows, &cols
		b.sqlItems(a, v, source{evidenceType: SQLResult, ref: ref, lake: full})
	})
}

// readSQL reads a stored result; every row has a cell for each column.
func readSQL(data []byte) (*sqlArtifact, *domain.Error) {
	var a sqlArtifact
	if !utf8.Valid(data) || json.Unmarshal(data, &a) != nil || a.Columns == nil || a.Rows == nil {
		return nil, domain.Invalidf("", "This is no readable JSON object of columns and rows.")
	}
	for i, row := range a.Rows {
		if len(row) != len(a.Columns) {
			return nil, domain.Invalidf("", "Row %d has %d cells for %d columns.", i, len(row), len(a.Columns))
		}
	}
	return &a, nil
}

// sqlItems adds a result as one item of sampled rows, or as several of all rows where the reference asks for it.
func (b *builder) sqlItems(a *sqlArtifact, v SQLRef, s source) {
	total, id := len(a.Rows), sqlID(v.QueryKey)
	per := min(v.RowsPerItem, b.out.Policy.MaxSQLRows)
	if per == 0 || total <= per {
		s.id = id
		b.sqlItem(a, s, b.out.Policy.SamplingStrategy, sample(total, b.out.Policy.MaxSQLRows, b.out.Policy.SamplingStrategy))
		return
	}
	for from := 0; from < total; from += per {
		to := min(from+per, total)
		s.id = rangeID(id, from, to)
		b.sqlItem(a, s, byRange, [][2]int{{from, to}})
	}
}

func (b *builder) sqlItem(a *sqlArtifact, s source, strategy string, ranges [][2]int) {
	m := &Sampling{Strategy: strategy, RowsTotal: len(a.Rows), RowRanges: ranges, ColsTotal: len(a.Columns)}
	if strategy == Stride && m.RowsTotal > b.out.Policy.MaxSQLRows {
		m.RowRanges, m.Step = nil, step(m.RowsTotal, b.out.Policy.MaxSQLRows)
	}
	for _, r := range ranges {
		m.RowsShown += r[1] - r[0]
	}
	if strategy != byRange {
		m.RowsLeftOut = m.RowsTotal - m.RowsShown
	}
	m.ColsShown = min(m.ColsTotal, b.out.Policy.MaxSQLCols)
	t := table{queryKey: s.ref.QueryKey, sampling: m, ranges: ranges, red: b.red, kinds: redact.Counts{}}
	for _, name := range a.Columns {
		t.columns = append(t.columns, t.cell("", name))
	}
	m.ColumnsLeftOut = t.columns[m.ColsShown:]
	t.columns = t.columns[:m.ColsShown]
	s.text = t.render(a)
	s.meta.Sampling = m
	b.redacted(&s.meta, t.kinds)
	s.partial = m.RowsLeftOut > 0 || m.ColsShown < m.ColsTotal
	b.add(s)
}
