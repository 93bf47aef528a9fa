package db

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
	engine     engine
	writer     *sql.DB
	queues     queues // of the writer
	reader     *sql.DB
	statements statements // of the reader
	now        func() time.Time
	clock      *serverClock // nil if now is our own
	random     io.Reader
	log        *slog.Logger
	queries    atomic.Int64

	beforeCommit []func(*tx) error
	afterCommit  []func(*tx) error
	afterFailure []func(error)

	known     int                    // the level of the schema that this program knows
	later     []migrationFile        // Config.Later
	exclusive bool                   // nobody else has the database open, and a newer schema is refused
	outdated  atomic.Pointer[string] // why the schema is not one that this program may serve; nil if it is

	trace   func(query string, args []any) // lets tests see statements; nil otherwise
	oneLock bool                           // in benchmarks: writers do not take the lock of a tenant
}

// Config is what a database is opened with. Only Engine is needed.
type Config struct {
	Engine engine
	Now    func() time.Time
	Random io.Reader    // of salts
	Log    *slog.Logger // nil for no log
	// Exclusive has one connection for everything, and nobody else may open the database meanwhile
	Exclusive bool
	Later     []migrationFile // in tests: steps of a program of a later version
}

func newDB(c Config) *DB {
	d := &DB{engine: c.Engine, now: c.Now, random: c.Random, log: c.Log, exclusive: c.Exclusive, later: c.Later}
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
	}
	return d
}

// openDB opens a database for reading and writing, and makes it if it is new. It does not look at what is in it.
func openDB(ctx context.Context, c Config) (*DB, error) {
	d := newDB(c)
	var err error
	if d.writer, d.reader, err = d.engine.open(ctx, c.Exclusive); err == nil {
		return d, nil
	}
	if closing := d.Close(); closing != nil {
		err = errors.Join(err, closing)
	}
	return nil, err
}

// inspectDB opens a database that is only read; nil if there is none yet.
func inspectDB(ctx context.Context, c Config) (*DB, error) {
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
func (d *DB) Close() error {
	if d == nil {
		return nil
	}
	var errs []error
	if d.reader != nil {
		errs = append(errs, d.statements.close())
	}
	if d.reader != nil && d.reader != d.writer {
		errs = append(errs, d.reader.Close())
	}
	if d.writer != nil {
		errs = append(errs, d.engine.settle(context.Background(), d.writer), d.writer.Close())
	}
	return errors.Join(errs...)
}

// beforeCommits has a hook run at the end of each writing transaction, in the order in which hooks were added. Its error
// rolls everything back.
func (d *DB) beforeCommits(hook func(*tx) error) { d.beforeCommit = append(d.beforeCommit, hook) }

// afterCommits has a hook run after each writing transaction that was committed. All of them run; the first error is that
// of the transaction, which is stored all the same.
func (d *DB) afterCommits(hook func(*tx) error) { d.afterCommit = append(d.afterCommit, hook) }

// afterFailures has a hook run after each writing transaction that failed, or whose outcome is unknown.
func (d *DB) afterFailures(hook func(error)) { d.afterFailure = append(d.afterFailure, hook) }

// QueryCount returns how many statements all methods have sent in total; tests use it to prove that a page sends a
// fixed number.
func (d *DB) QueryCount() int64 { return d.queries.Load() }

func (d *DB) sent(query string, args []any) {
	d.queries.Add(1)
	if d.trace != nil {
		d.trace(query, args)
	}
}

// Pools returns the figures of the connections to the database, by what they are for.
func (d *DB) Pools() map[string]sql.DBStats {
	pools := map[string]sql.DBStats{"write": d.writer.Stats()}
	if d.reader != d.writer {
		pools["read"] = d.reader.Stats()
	}
	return pools
}

// writersBusy reports whether every connection that writes is in use.
func (d *DB) writersBusy() bool {
	u := d.writer.Stats()
	return u.InUse == u.MaxOpenConnections
}

// scrub removes all traces of deleted rows from the database.
func (d *DB) scrub(ctx context.Context) error { return d.engine.scrub(ctx, d.writer) }
