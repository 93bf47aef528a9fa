package bundle

import (
	"encoding/json"
	"maps"
	"unicode/utf8"

	"sanad/internal/domain"
)

// sqlArtifact is a stored SQL result (rule B-15).
type sqlArtifact struct {
	Columns []string            `json:"columns"`
	Rows    [][]json.RawMessage `json:"rows"`
}

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
		b.sqlItems(path, a, v, source{evidenceType: SQLResult, ref: ref, lake: full})
	})
}

// readSQL reads a stored result and checks that every row has a cell for each column.
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

// sqlItems adds a result as one item of sampled rows or, if the reference asks for it, as several items that hold all
// rows.
func (b *builder) sqlItems(path string, a *sqlArtifact, v SQLRef, s source) {
	p, total, id := &b.out.Policy, len(a.Rows), sqlID(v.QueryKey)
	t := newTable(b.red, v.QueryKey, a.Columns)
	per := min(v.RowsPerItem, p.MaxSQLRows)
	if per == 0 || total <= per {
		s.id = id
		b.sqlItem(a, t, s, p.SamplingStrategy, sample(total, p.MaxSQLRows, p.SamplingStrategy))
		return
	}
	if total/per >= mostItems {
		b.fail(path, SQLResult, s.ref, "This makes more than %d items.", mostItems)
		return
	}
	for from := 0; from < total; from += per {
		to := min(from+per, total)
		s.id = rangeID(id, from, to)
		b.sqlItem(a, t, s, byRange, [][2]int{{from, to}})
	}
}

func (b *builder) sqlItem(a *sqlArtifact, t table, s source, strategy string, ranges [][2]int) {
	m := newSampling(len(a.Rows), len(a.Columns), &b.out.Policy, strategy, ranges)
	m.ColumnsLeftOut = t.columns[m.ColsShown:]
	t.columns, t.sampling, t.ranges, t.kinds = t.columns[:m.ColsShown], m, ranges, maps.Clone(t.kinds)
	s.text = t.render(a)
	s.meta.Sampling = m
	b.redacted(&s.meta, t.kinds)
	s.partial = m.RowsLeftOut > 0 || m.ColsShown < m.ColsTotal
	b.add(s)
}
