package sqldb

import (
	"database/sql"
	"strings"
)

// bulkArgs is the approximate number of values in a multi-row statement: enough that the overhead per statement is
// negligible, and far below SQLite's limit of 32,766.
const bulkArgs = 1500

// Bulk inserts many rows into one table with few statements. It keeps the first error, which Flush returns.
type Bulk struct {
	T        *Tx
	table    string
	Columns  string
	Conflict string // what follows the rows, "" for nothing
	width    int    // columns
	rows     int    // rows of a full statement
	args     []any
	Each     rowReader // gets each row that is added; may be nil
	full     *sql.Stmt
	stream   *copyStream // takes the rows instead of statements, if there is one
	begun    bool
	Err      error
}

// rowReader reads the rows that a bulk inserts.
type rowReader interface {
	Add(row []any)
	End() // after the last row
}

// NewBulk returns a bulk for rows with these columns, which are separated by commas.
func NewBulk(t *Tx, table, columns string) *Bulk {
	width := strings.Count(columns, ",") + 1
	rows := max(1, bulkArgs/width)
	return &Bulk{T: t, table: table, Columns: columns, width: width, rows: rows, args: make([]any, 0, width*rows)}
}

// Add adds one row.
func (b *Bulk) Add(values ...any) {
	if b.Each != nil {
		b.Each.Add(values)
	}
	if !b.begun {
		b.begin()
	}
	if b.stream != nil {
		if b.Err == nil {
			b.Err = b.stream.add(values)
		}
		return
	}
	b.args = append(b.args, values...)
	if len(b.args) == b.width*b.rows && b.Err == nil {
		b.Err = b.send()
	}
	if b.Err != nil {
		b.args = b.args[:0]
	}
}

// begin chooses how the rows are sent.
func (b *Bulk) begin() {
	b.begun = true
	if b.Conflict == "" {
		b.stream = b.T.Engine.stream(b.T, b.table, b.Columns)
	}
}

// send inserts one full statement's rows.
func (b *Bulk) send() (err error) {
	if b.full == nil {
		if b.full, err = b.T.sql.PrepareContext(b.T.ctx, b.T.Engine.rewrite(b.statement(b.rows))); err != nil {
			return err
		}
	}
	b.T.sent(b.table, nil)
	_, err = b.full.ExecContext(b.T.ctx, b.T.Engine.args(b.args, false)...)
	b.args = b.args[:0]
	return err
}

// early inserts the rows held so far.
func (b *Bulk) early() {
	if b.Err == nil && len(b.args) > 0 {
		_, b.Err = b.T.Exec(b.statement(len(b.args)/b.width), b.args...)
	}
	b.args = b.args[:0]
}

// Flush inserts the remaining rows and ends the bulk.
func (b *Bulk) Flush() error {
	if b.full != nil {
		defer b.full.Close() //nolint:errcheck // the transaction closes it anyway
	}
	b.early()
	if b.stream != nil && b.Err == nil {
		b.Err = b.stream.send()
	}
	if b.Each != nil {
		b.Each.End()
	}
	return b.Err
}

func (b *Bulk) statement(rows int) string {
	row := "(?" + strings.Repeat(", ?", b.width-1) + ")"
	return "INSERT INTO " + b.table + " (" + b.Columns + ") VALUES " + row + strings.Repeat(", "+row,
		rows-1) + b.Conflict
}
