package sqldb

// WordRows inserts rows of words into a full-text table. Before each multi-row statement, FTS5 writes its buffer to the
// file, and later merges these writes. So the statements are about as large as that buffer.
type WordRows struct {
	rows   *Bulk
	Tenant string
	held   int // bytes
}

const (
	mostWordRows  = 15_000  // two values each; a statement may have 32,766
	mostWordBytes = 1 << 20 // FTS5's own "hashsize"
)

// NewWordRows returns the rows of a table for one tenant's words.
func NewWordRows(t *Tx, table, tenant string) *WordRows {
	rows := &Bulk{T: t, table: table, Columns: "rowid, words", width: 2, rows: mostWordRows}
	if t.Engine.searchNamesTenant() {
		rows.Columns, rows.width = "rowid, words, tenant_id", 3
	}
	return &WordRows{rows: rows, Tenant: tenant}
}

// PutWords inserts a row of a search table.
func PutWords(t *Tx, table, tenant string, no int, words string) error {
	w := NewWordRows(t, table, tenant)
	w.rows.begun = true // as a statement: one row needs no stream
	w.Add(no, words)
	return w.Flush()
}

// DropWords deletes the rows of a search table from first to before end.
func DropWords(t *Tx, table, tenant string, first, end int) error {
	query, args := "DELETE FROM "+table+" WHERE rowid >= ? AND rowid < ?", []any{first, end}
	if t.Engine.searchNamesTenant() {
		query, args = query+" AND tenant_id = ?", append(args, tenant)
	}
	_, err := t.Exec(query, args...)
	return err
}

// Add adds one row.
func (wordRows *WordRows) Add(no int, words string) {
	if wordRows.rows.width == 3 {
		wordRows.rows.Add(no, words, wordRows.Tenant)
	} else {
		wordRows.rows.Add(no, words)
	}
	if wordRows.held += len(words); wordRows.held >= mostWordBytes {
		wordRows.rows.early()
		wordRows.held = 0
	}
}

// Flush inserts the remaining rows.
func (wordRows *WordRows) Flush() error { return wordRows.rows.Flush() }
