package db

import (
	"database/sql"
	"strings"
)

// bulkArgs is the approximate number of values in a multi-row statement: enough that the overhead per statement is
// negligible, and far below SQLite's limit of 32,766.
const bulkArgs = 1500

// bulk inserts many rows into one table with few statements. It keeps the first error, which flush returns.
type bulk struct {
	t        *tx
	table    string
	columns  string
	conflict string // what follows the rows, "" for nothing
	width    int    // columns
	rows     int    // rows of a full statement
	args     []any
	each     rowReader // gets each row that is added; may be nil
	full     *sql.Stmt
	stream   *copyStream // takes the rows instead of statements, if there is one
	begun    bool
	err      error
}

// rowReader reads the rows that a bulk inserts.
type rowReader interface {
	Add(row []any)
	End() // after the last row
}

func newBulk(t *tx, table, columns string) *bulk {
	width := strings.Count(columns, ",") + 1
	rows := max(1, bulkArgs/width)
	return &bulk{t: t, table: table, columns: columns, width: width, rows: rows, args: make([]any, 0, width*rows)}
}

// add adds one row.
func (b *bulk) add(values ...any) {
	if b.each != nil {
		b.each.Add(values)
	}
	if !b.begun {
		b.begin()
	}
	if b.stream != nil {
		if b.err == nil {
			b.err = b.stream.add(values)
		}
		return
	}
	b.args = append(b.args, values...)
	if len(b.args) == b.width*b.rows && b.err == nil {
		b.err = b.send()
	}
	if b.err != nil {
		b.args = b.args[:0]
	}
}

// begin chooses how the rows are sent.
func (b *bulk) begin() {
	b.begun = true
	if b.conflict == "" {
		b.stream = b.t.engine.stream(b.t, b.table, b.columns)
	}
}

// send inserts one full statement's rows.
func (b *bulk) send() (err error) {
	if b.full == nil {
		if b.full, err = b.t.sql.PrepareContext(b.t.ctx, b.t.engine.rewrite(b.statement(b.rows))); err != nil {
			return err
		}
	}
	b.t.sent(b.table, nil)
	_, err = b.full.ExecContext(b.t.ctx, b.t.engine.args(b.args, false)...)
	b.args = b.args[:0]
	return err
}

// early inserts the rows held so far.
func (b *bulk) early() {
	if b.err == nil && len(b.args) > 0 {
		_, b.err = b.t.exec(b.statement(len(b.args)/b.width), b.args...)
	}
	b.args = b.args[:0]
}

// flush inserts the remaining rows and ends the bulk.
func (b *bulk) flush() error {
	if b.full != nil {
		defer b.full.Close() //nolint:errcheck // the transaction closes it anyway
	}
	b.early()
	if b.stream != nil && b.err == nil {
		b.err = b.stream.send()
	}
	if b.each != nil {
		b.each.End()
	}
	return b.err
}

func (b *bulk) statement(rows int) string {
	row := "(?" + strings.Repeat(", ?", b.width-1) + ")"
	return "INSERT INTO " + b.table + " (" + b.columns + ") VALUES " + row + strings.Repeat(", "+row, rows-1) + b.conflict
}
