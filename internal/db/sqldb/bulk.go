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
	Few      bool   // one statement serves: a stream takes the server an answer more
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
	return &Bulk{T: t, table: table, Columns: columns, width: width, rows: max(1, bulkArgs/width)}
}

// Add adds one row.
func (bulk *Bulk) Add(values ...any) {
	if bulk.Each != nil {
		bulk.Each.Add(values)
	}
	if !bulk.begun {
		bulk.begin()
	}
	if bulk.stream != nil {
		if bulk.Err == nil {
			bulk.Err = bulk.stream.add(values)
		}
		return
	}
	bulk.args = append(bulk.args, values...)
	if len(bulk.args) == bulk.width*bulk.rows && bulk.Err == nil {
		bulk.Err = bulk.send()
	}
	if bulk.Err != nil {
		bulk.args = bulk.args[:0]
	}
}

// begin chooses how the rows are sent.
func (bulk *Bulk) begin() {
	bulk.begun = true
	if bulk.Conflict == "" && !bulk.Few {
		bulk.stream = bulk.T.Engine.stream(bulk.T, bulk.table, bulk.Columns)
	}
}

// send inserts one full statement's rows.
func (bulk *Bulk) send() (err error) {
	if bulk.full == nil {
		if bulk.full, err = bulk.T.sql.PrepareContext(bulk.T.ctx,
			bulk.T.Engine.rewrite(bulk.statement(bulk.rows))); err != nil {
			return err
		}
	}
	bulk.T.sent(bulk.table, nil)
	_, err = bulk.full.ExecContext(bulk.T.ctx, bulk.T.Engine.args(bulk.args, false)...)
	bulk.args = bulk.args[:0]
	return err
}

// early inserts the rows held so far.
func (bulk *Bulk) early() {
	if bulk.Err == nil && len(bulk.args) > 0 {
		_, bulk.Err = bulk.T.Exec(bulk.statement(len(bulk.args)/bulk.width), bulk.args...)
	}
	bulk.args = bulk.args[:0]
}

// Flush inserts the remaining rows and ends the bulk.
func (bulk *Bulk) Flush() error {
	if bulk.full != nil {
		defer bulk.full.Close() //nolint:errcheck // the transaction closes it anyway
	}
	bulk.early()
	if bulk.stream != nil && bulk.Err == nil {
		bulk.Err = bulk.stream.send()
	}
	if bulk.Each != nil {
		bulk.Each.End()
	}
	return bulk.Err
}

func (bulk *Bulk) statement(rows int) string {
	row := "(?" + strings.Repeat(", ?", bulk.width-1) + ")"
	return "INSERT INTO " + bulk.table + " (" + bulk.Columns + ") VALUES " + row + strings.Repeat(", "+row,
		rows-1) + bulk.Conflict
}
