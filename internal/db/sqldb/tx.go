package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"slices"
	"strings"
	"time"
)

// readTimeout limits a read transaction: an open reader keeps the write-ahead log growing (rule DB-2).
const readTimeout = 10 * time.Second

// Tx is one transaction with its context. Exported methods create it; helpers take it.
type Tx struct {
	ctx    context.Context
	sql    *sql.Tx
	conn   *sql.Conn                      // of a writing transaction of an engine with streams
	Engine Engine                         // of the database
	sent   func(query string, args []any) // called with every statement
	known  *statements                    // nil in a writing transaction
	fresh  []string                       // queries that known did not have
	Now    func() time.Time               // the clock
	lock   Lock                           // of a writing transaction
	pool   *sql.DB                        // beside a writing transaction
	brief  bool                           // waits for locks for a short time only

	Random io.Reader      // of salts; nil in a reading transaction
	locals []localValue   // what rooms keep until the end
	grown  map[string]int // rows that were streamed into tables, where they are many
	begun  *bool          // whether the server has answered, after which it can't be repeated
}

// Read runs do in one read transaction, which sees a single moment. Its timeout starts when a connection is available.
func (db *DB) Read(ctx context.Context, op string, do func(*Tx) error) error {
	if t := db.shared(ctx); t != nil {
		return Fail(op, do(t))
	}
	t := &Tx{sent: db.sent, Engine: db.Engine, known: &db.statements, Now: db.now}
	if !t.Engine.prepares() {
		t.known = nil
	}
	err := t.retryBegin(ctx, func() error { return db.readOn(ctx, t, do) })
	for _, query := range t.fresh {
		db.statements.learn(ctx, db.reader, query, t.Engine.rewrite(query))
	}
	return Fail(op, err)
}

// Together runs reads in one transaction, one after another: all see one moment. A read gets the context for the
// methods of the store that it calls; none of these may write.
func (db *DB) Together(ctx context.Context, op string, reads ...func(ctx context.Context) error) error {
	return db.Read(ctx, op, func(t *Tx) error {
		for _, read := range reads {
			if err := read(context.WithValue(t.ctx, togetherKey{db}, t)); err != nil {
				return err
			}
		}
		return nil
	})
}

// togetherKey is the context key of a transaction that several methods of a store share.
type togetherKey struct{ d *DB }

// shared returns the transaction that the context's reads share, nil if none.
func (db *DB) shared(ctx context.Context) *Tx {
	t, _ := ctx.Value(togetherKey{db}).(*Tx)
	return t
}

// ReadOne runs one query for one row, which sees a single moment without a transaction of its own; sql.ErrNoRows if
// none.
func (db *DB) ReadOne(ctx context.Context, op, query string, args []any, dest ...any) error {
	if t := db.shared(ctx); t != nil {
		return Fail(op, t.Row(query, args, dest...))
	}
	if stmt := db.statements.get(query); stmt != nil {
		db.sent(query, args)
		// Not ended by the request: watching it takes longer than looking up a row by its key.
		return Fail(op, stmt.QueryRowContext(context.WithoutCancel(ctx), args...).Scan(dest...))
	}
	if db.Engine.prepares() {
		return db.Read(ctx, op, func(t *Tx) error { return t.Row(query, args, dest...) })
	}
	t := &Tx{}
	return Fail(op, t.retryBegin(ctx, func() error {
		db.sent(query, args)
		return db.reader.QueryRowContext(ctx, db.Engine.rewrite(query), db.Engine.args(args, true)...).Scan(dest...)
	}))
}

func (db *DB) readOn(ctx context.Context, t *Tx, do func(*Tx) error) error {
	conn, err := db.reader.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // returns it to the pool
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	return t.within(ctx, conn, db.Engine.reading(), do)
}

// Write runs do in one transaction that holds a lock from the start. An error of do rolls it back. The
// hooks run before and after the commit.
func (db *DB) Write(ctx context.Context, l Lock, op string, do func(*Tx) error) error {
	if err := db.current(); err != nil {
		return Fail(op, err)
	}
	if db.oneLock {
		l = EveryTenant
	}
	t, err := db.writeOnce(ctx, l, do)
	for n := 1; n < conflictTries && l.repeats() && IsFault(err, conflictFault); n++ {
		t, err = db.writeOnce(ctx, l, do)
	}
	if err != nil {
		for _, hook := range db.afterFailure {
			hook(err)
		}
		return Fail(op, err)
	}
	for _, hook := range db.afterCommit {
		if failed := hook(t); err == nil {
			err = failed
		}
	}
	if err == nil && len(t.grown) > 0 {
		if err := db.Engine.analyse(ctx, db.reader, t.grown); err != nil {
			db.Logger.Warn("tables that have grown were not analysed; the server will do it by itself", "err", err)
		}
	}
	return Fail(op, err)
}

// conflictTries is how often a transaction is tried that the server ended because of a deadlock or a conflict.
const conflictTries = 5

func (db *DB) writeOnce(ctx context.Context, l Lock, do func(*Tx) error) (*Tx, error) {
	t := &Tx{sent: db.sent, Engine: db.Engine, Random: db.Random, Now: db.now, lock: l, pool: db.reader}
	t.brief, _ = ctx.Value(brieflyKey{}).(bool)
	for _, hook := range db.beforeWrite {
		hook(t)
	}
	return t, t.retryBegin(ctx, func() error {
		done, err := db.queues.take(ctx, l)
		if err != nil {
			return err
		}
		defer done()
		return t.within(ctx, db.writer, nil, func(t *Tx) error {
			if err := do(t); err != nil {
				return err
			}
			for _, hook := range db.beforeCommit {
				if err := hook(t); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// Look reads in one transaction without a limit of time.
func (db *DB) Look(ctx context.Context, do func(*Tx) error) error {
	t := &Tx{sent: db.sent, Engine: db.Engine, Now: db.now}
	return t.within(ctx, db.reader, db.Engine.reading(), do)
}

// WriteAlone runs do in one writing transaction of a database that nobody else has open. It runs no hooks, and nothing
// is tried again.
func (db *DB) WriteAlone(ctx context.Context, do func(*Tx) error) error {
	t := &Tx{sent: db.sent, Engine: db.Engine, Now: db.now, Random: db.Random}
	return t.within(ctx, db.writer, nil, do)
}

// beginner is a pool or one of its connections.
type beginner interface {
	BeginTx(ctx context.Context, o *sql.TxOptions) (*sql.Tx, error)
}

// within runs do in one transaction. Once it commits it is no longer ended by ctx: whether it was stored must be known
// here, because the files of what was not stored are removed.
func (tx *Tx) within(ctx context.Context, from beginner, how *sql.TxOptions, do func(*Tx) error) (err error) {
	tx.ctx = ctx
	if tx.begun == nil {
		tx.begun = new(bool)
	}
	if pool, ok := from.(*sql.DB); ok && how == nil && !tx.Engine.prepares() {
		if tx.conn, err = pool.Conn(ctx); err != nil {
			return err
		}
		defer tx.conn.Close() //nolint:errcheck // returns it to the pool
		from = tx.conn
	}
	whole, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	outlive := context.AfterFunc(ctx, end)
	if tx.sql, err = from.BeginTx(whole, how); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}
	defer tx.sql.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	if how == nil {
		if err := tx.Engine.takeLocks(tx); err != nil {
			return err
		}
	}
	*tx.begun = true
	if err := do(tx); err != nil {
		return err
	}
	if !outlive() {
		return ctx.Err()
	}
	defer time.AfterFunc(commitTimeout, end).Stop()
	if err := tx.sql.Commit(); err != nil {
		if !tx.Engine.notCommitted(err) {
			return unknownOutcome{err}
		}
		return err
	}
	return nil
}

// commitTimeout is how long a commit may take.
const commitTimeout = time.Minute

// unknownOutcome is the error of a commit that the server has not answered: it may have been stored.
type unknownOutcome struct{ error }

func (e unknownOutcome) Unwrap() error { return e.error }

// OutcomeUnknown reports whether what failed with err may have been stored all the same.
func OutcomeUnknown(err error) bool {
	var e unknownOutcome
	return errors.As(err, &e)
}

// A transaction whose server was away before it began, as during a failover, is begun again: beginTries times in all,
// with a pause that doubles, 3 s in all.
const (
	beginTries = 7
	beginPause = 50 * time.Millisecond
)

// retryBegin runs a transaction, and again while it could not be begun.
func (tx *Tx) retryBegin(ctx context.Context, run func() error) error {
	pause := beginPause
	tx.begun = new(bool)
	for n := 1; ; n++ {
		err := run()
		if *tx.begun || n == beginTries || !away(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
		pause *= 2
	}
}

// Scanner is a row to scan.
type Scanner interface{ Scan(dest ...any) error }

// Exec runs a statement and returns how many rows it changed.
func (tx *Tx) Exec(query string, args ...any) (int64, error) {
	tx.sent(query, args)
	r, err := tx.sql.ExecContext(tx.ctx, tx.Engine.rewrite(query), tx.Engine.args(args, false)...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// query sends a query, using a prepared statement if there is one.
func (tx *Tx) query(query string, args []any) (*sql.Rows, error) {
	tx.sent(query, args)
	if tx.known == nil {
		return tx.sql.QueryContext(tx.ctx, tx.Engine.rewrite(query), tx.Engine.args(args, tx.Random == nil)...)
	}
	if stmt := tx.known.get(query); stmt != nil {
		return tx.sql.StmtContext(tx.ctx, stmt).QueryContext(tx.ctx, args...)
	}
	tx.fresh = append(tx.fresh, query)
	return tx.sql.QueryContext(tx.ctx, tx.Engine.rewrite(query), args...)
}

// Each reads all rows.
func (tx *Tx) Each(query string, args []any, scan func(Scanner) error) error {
	rows, err := tx.query(query, args)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has the error
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Row reads one row; sql.ErrNoRows if none.
func (tx *Tx) Row(query string, args []any, dest ...any) error {
	found := false
	err := tx.Each(query, args, func(r Scanner) error {
		found = true
		return r.Scan(dest...)
	})
	if err == nil && !found {
		return sql.ErrNoRows
	}
	return err
}

// ScanText reads a row of one text.
func ScanText(r Scanner, s *string) error { return r.Scan(s) }

// Wait returns when d has passed or ctx has ended.
func Wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// OrZero returns the value, beside an error the zero value: nobody uses what a failed transaction left half done.
func OrZero[T any](value T, err error) (T, error) {
	if err != nil {
		var none T
		return none, err
	}
	return value, nil
}

// Collect reads all rows of a query into a slice, nil if none.
func Collect[T any](t *Tx, query string, args []any, scan func(Scanner, *T) error) ([]T, error) {
	var out []T
	err := t.Each(query, args, func(r Scanner) error {
		var v T
		err := scan(r, &v)
		out = append(out, v)
		return err
	})
	return out, err
}

// Placeholders returns a list of n parameter placeholders.
func Placeholders(n int) string { return "?" + strings.Repeat(", ?", n-1) }

// InList returns the list of an IN and its arguments. It is padded with NULLs, which equal nothing, to a power of two,
// so that lists of all lengths need few distinct queries.
func InList(values []any) (list string, args []any) {
	values = Filled(values, 1)
	return "(" + Placeholders(len(values)) + ")", values
}

// Anys returns values as arguments of a query.
func Anys[T any](values []T) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}

// InPairs is InList for pairs, given as one value after the other.
func InPairs(values []any) (list string, args []any) {
	values = Filled(values, 2)
	return "(VALUES (?, ?)" + strings.Repeat(", (?, ?)", len(values)/2-1) + ")", values
}

// Filled pads values with NULLs, which equal nothing, until there are least of them or twice, four times … as many: a
// query is prepared and kept for each number of parameters.
func Filled(values []any, least int) []any {
	n := least
	for n < len(values) {
		n *= 2
	}
	return append(slices.Clip(values), make([]any, n-len(values))...)
}

// Qualified returns a list of columns with a table's name before each.
func Qualified(table, columns string) string {
	return table + "." + strings.ReplaceAll(columns, ", ", ", "+table+".")
}
