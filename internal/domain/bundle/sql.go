package bundle

import (
	"encoding/json"
	"maps"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/words"
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
			b.fail(path, SQLResult, ref, words.Msg(noQueryKey))
			return
		}
		data, ok := b.fetch(path, SQLResult, ref)
		if !ok {
			return
		}
		a, err := readSQL(data)
		if err != nil {
			b.fail(path, SQLResult, ref, err.Message)
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
		return nil, domain.Refuse(domain.Invalid, "", "reason_table")
	}
	for i, row := range a.Rows {
		if len(row) != len(a.Columns) {
			return nil, domain.Refuse(domain.Invalid, "", "reason_row", "Row", i, "N", len(row), "All",
				len(a.Columns))
		}
	}
	return &a, nil
}

// sqlItems adds a result as one item of sampled rows or, if the reference asks for it, as several items, one for each
// range of rows. Only as many rows are shown as rowsLeft says; a range beyond them, or a result for which no row is left,
// is dropped.
func (b *builder) sqlItems(path string, a *sqlArtifact, v SQLRef, s source) {
	p, total, left := b.out.Policy, len(a.Rows), b.rowsLeft()
	id := chunkID(b.uniqueID(sqlBase(v.QueryKey), s.lake.SHA256), 0)
	t := newTable(b.red, v.QueryKey, a.Columns)
	per := min(v.RowsPerItem, p.MaxSQLRows)
	if per == 0 || total <= min(per, left) {
		if total > 0 && left == 0 {
			s.over = OverRows
		} else {
			p.MaxSQLRows = min(p.MaxSQLRows, max(left, 1))
		}
		s.id = id
		ranges := sample(total, p.MaxSQLRows, p.SamplingStrategy)
		b.sqlItem(a, t, s, newSampling(a, &p, p.SamplingStrategy, ranges), ranges)
		return
	}
	if total/per >= mostItems {
		b.fail(path, SQLResult, s.ref, words.Msg("reason_items", "N", mostItems))
		return
	}
	for from, to := 0, 0; from < total; from = to {
		if to = min(from+per, total); from < left {
			to = min(to, left)
		} else {
			s.over = OverRows
		}
		s.id = rangeID(id, from, to)
		ranges := [][2]int{{from, to}}
		m := newSampling(a, &p, byRange, ranges)
		m.RowsLeftOut = max(0, total-left)
		b.sqlItem(a, t, s, m, ranges)
	}
}

func (b *builder) sqlItem(a *sqlArtifact, t table, s source, m *Sampling, ranges [][2]int) {
	m.ColumnsLeftOut = t.columns[m.ColsShown:]
	t.columns, t.sampling, t.ranges, t.kinds = t.columns[:m.ColsShown], m, ranges, maps.Clone(t.kinds)
	s.text = t.render(a)
	s.meta.Sampling = m
	b.redacted(&s.meta, t.kinds)
	s.partial = m.RowsLeftOut > 0 || m.ColsShown < m.ColsTotal
	b.add(s)
}
