// Package sqldb is the engine of the store: connections to SQLite and PostgreSQL, transactions with hooks before and
// after the commit, the dialect, the runner of migrations, placeholders and copying in. It knows no table of the store
// and no log. Two tables are its own: schema_migrations, the steps that were applied, and serving, the processes that
// serve.
package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"sync/atomic"
	"time"
)

// DB is an open database. It is safe for concurrent use: writes queue for one connection, reads share a pool.
type DB struct {
	Engine     Engine
	writer     *sql.DB
	queues     queues // of the writer
	reader     *sql.DB
	statements statements // of the reader
	now        func() time.Time
	clock      *serverClock  // nil if now is our own
	Random     io.Reader     // of keys and salts
	NewID      func() string // returns a new UUID
	Logger     *slog.Logger
	queries    atomic.Int64

	beforeWrite  []func(*Tx)
	beforeCommit []func(*Tx) error
	afterCommit  []func(*Tx) error
	afterFailure []func(error)

	known     int                    // the level of the schema that this program knows
	later     []Step                 // Config.Later
	exclusive bool                   // nobody else has the database open, and a newer schema is refused
	outdated  atomic.Pointer[string] // why the schema is not one that this program may serve; nil if it is

	trace   func(query string, args []any) // lets tests see statements; nil otherwise
	oneLock bool                           // in benchmarks: writers do not take the lock of a tenant
}

// Config is what a database is opened with. Only Engine is needed.
type Config struct {
	Engine Engine
	Now    func() time.Time
	NewID  func() string
	Random io.Reader    // of keys and salts
	Log    *slog.Logger // nil for no log
	// Exclusive has one connection for everything, and nobody else may open the database meanwhile
	Exclusive bool
	Later     []Step // in tests: steps of a program of a later version
}

func newDB(c Config) *DB {
	d := &DB{Engine: c.Engine, now: c.Now, Random: c.Random, NewID: c.NewID, Logger: c.Log, exclusive: c.Exclusive,
		later: c.Later}
	if d.Logger == nil {
		d.Logger = slog.New(slog.DiscardHandler)
	}
	return d
}

// Open opens a database for reading and writing, and makes it if it is new. It does not look at what is in it.
func Open(ctx context.Context, c Config) (*DB, error) {
	d := newDB(c)
	var err error
	if d.writer, d.reader, err = d.Engine.open(ctx, c.Exclusive); err == nil {
		return d, nil
	}
	if closing := d.Close(); closing != nil {
		err = errors.Join(err, closing)
	}
	return nil, err
}

// Inspect opens a database for reading only. It returns nil if there is no database yet.
func Inspect(ctx context.Context, c Config) (*DB, error) {
	reader, err := c.Engine.inspect(ctx)
	if err != nil || reader == nil {
		return nil, err
	}
	return readOnly(c, reader), nil
}

// readOnly returns a database that is read through a pool which the caller has opened.
func readOnly(c Config, reader *sql.DB) *DB {
	d := newDB(c)
	d.reader = reader
	return d
}

// Close waits for running statements and closes the pools. It also works on a partly opened database, and on nil.
func (db *DB) Close() error {
	if db == nil {
		return nil
	}
	var errs []error
	if db.reader != nil {
		errs = append(errs, db.statements.close())
	}
	if db.reader != nil && db.reader != db.writer {
		errs = append(errs, db.reader.Close())
	}
	if db.writer != nil {
		errs = append(errs, db.Engine.settle(context.Background(), db.writer), db.writer.Close())
	}
	return errors.Join(errs...)
}

// BeforeWrite has a hook run before each writing transaction, in the order in which hooks were added.
func (db *DB) BeforeWrite(hook func(*Tx)) { db.beforeWrite = append(db.beforeWrite, hook) }

// BeforeCommit has a hook run at the end of each writing transaction, in the order in which hooks were added. Its error
// rolls everything back.
func (db *DB) BeforeCommit(hook func(*Tx) error) { db.beforeCommit = append(db.beforeCommit, hook) }

// AfterCommit has a hook run after each writing transaction that was committed. All of them run; the first error is
// that of the transaction, which is stored all the same.
func (db *DB) AfterCommit(hook func(*Tx) error) { db.afterCommit = append(db.afterCommit, hook) }

// AfterFailure has a hook run after each writing transaction that failed, or whose outcome is unknown.
func (db *DB) AfterFailure(hook func(error)) { db.afterFailure = append(db.afterFailure, hook) }

// QueryCount returns how many statements all methods have sent in total; tests use it to prove that a page sends a
// fixed number.
func (db *DB) QueryCount() int64 { return db.queries.Load() }

func (db *DB) sent(query string, args []any) {
	db.queries.Add(1)
	if db.trace != nil {
		db.trace(query, args)
	}
}

// Trace calls f with every statement until stop is called, for tests.
func (db *DB) Trace(f func(query string, args []any)) (stop func()) {
	db.trace = f
	return func() { db.trace = nil }
}

// WithOneLock has all writing transactions take the lock of the whole store, on one connection, until undo is called: a
// benchmark compares the locks with that.
func (db *DB) WithOneLock() (undo func()) {
	most := db.writer.Stats().MaxOpenConnections
	db.oneLock = true
	db.writer.SetMaxOpenConns(1)
	return func() {
		db.oneLock = false
		db.writer.SetMaxOpenConns(most)
		db.writer.SetMaxIdleConns(most)
	}
}

// Pools returns the figures of the connections to the database, by what they are for.
func (db *DB) Pools() map[string]sql.DBStats {
	pools := map[string]sql.DBStats{"write": db.writer.Stats()}
	if db.reader != db.writer {
		pools["read"] = db.reader.Stats()
	}
	return pools
}

// WritersBusy reports whether every connection that writes is in use.
func (db *DB) WritersBusy() bool {
	u := db.writer.Stats()
	return u.InUse == u.MaxOpenConnections
}

// Scrub removes all traces of deleted rows from the database.
func (db *DB) Scrub(ctx context.Context) error { return db.Engine.scrub(ctx, db.writer) }
