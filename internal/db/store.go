// Package db is the store: SQLite for what is queried, a bucket for original documents. Each exported method is one
// transaction. It knows no rules: it stores what package ledger computed and returns it (rule DB-2).
package db

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"gocloud.dev/blob"

	"sanad/internal/domain"
	"sanad/internal/keys"
)

// Options says where a store lies. Time and ids are passed in so that tests can fix them.
type Options struct {
	Dir string // folder of the database; made with mode 0700 where it is missing
	// Bucket is the gocloud.dev URL of the bucket for originals; "" for the folder Dir/originals. Only file:// is
	// compiled in. An original is on the disk before its session is stored, but for a URL with ?prefix=, where the
	// system decides.
	Bucket string
	Now    func() time.Time // the clock
	NewID  func() string    // makes UUIDs
	// RolesChanged, where given, is told after each commit that may have changed who may do what. It must not wait.
	RolesChanged func()

	Keys        *keys.Box // seals what is secret in the database; Open refuses to do without
	Checkpoints string    // folder of the logs' newest checkpoints, outside Dir; "" for Dir-checkpoints beside it
	// Open leaves Checkpoints as it is: a look with a wrong folder must not make a new checkpoint file
	Inspect bool
	Rand    io.Reader    // where keys come from; nil for crypto/rand
	Log     *slog.Logger // what an operator must know and no caller is told; nil for nowhere
}

// Store is an open store. It is safe for concurrent use: writes queue up for one connection, reads share a pool.
type Store struct {
	writer     *sql.DB
	reader     *sql.DB
	statements statements // of the reader
	bucket     *blob.Bucket
	originals  string // folder of the bucket where it is one, else ""
	now        func() time.Time
	newID      func() string
	roles      func() // Options.RolesChanged; nil for nobody listens
	queries    atomic.Int64

	box         *keys.Box
	inspect     bool
	random      io.Reader
	log         *slog.Logger
	opened      openedKeys
	trees       trees
	checkpoints checkpointFiles
	frozen      atomic.Pointer[string] // why the store only reads

	trace func(query string, args []any) // tests look at what is sent; nil otherwise
}

// DatabaseFile is the name of the database in the store's folder.
const DatabaseFile = "sanad.db"

// Open opens the store in o.Dir, makes it where it is new, brings its schema up to date and checks that the database
// runs as it must (see checkPragmas).
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Keys == nil {
		return nil, fail("Open", errors.New("there is no master key"))
	}
	s := &Store{now: o.Now, newID: o.NewID, roles: o.RolesChanged, originals: originalsFolder(o), box: o.Keys,
		inspect: o.Inspect, random: o.Rand, log: o.Log}
	if s.random == nil {
		s.random = rand.Reader
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if err := s.open(ctx, o); err != nil {
		return nil, errors.Join(fail("Open", at(o.Dir, err)), s.Close())
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, o Options) error {
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return err
	}
	path, err := filepath.Abs(filepath.Join(o.Dir, DatabaseFile))
	if err != nil {
		return err
	}
	if err := touch(path); err != nil {
		return err
	}
	if s.writer, err = connect(path, writing); err != nil {
		return err
	}
	if err := checkPragmas(ctx, s.writer, writing); err != nil {
		return err
	}
	if err := s.migrate(ctx); err != nil {
		return err
	}
	if s.reader, err = connect(path, reading); err != nil {
		return err
	}
	if err := checkPragmas(ctx, s.reader, reading); err != nil {
		return err
	}
	if s.bucket, err = openBucket(ctx, o); err != nil {
		return err
	}
	s.checkpoints.log = s.log
	if s.checkpoints.dir = o.Checkpoints; s.checkpoints.dir == "" {
		s.checkpoints.dir = filepath.Dir(path) + "-checkpoints"
	}
	return s.startLogs(ctx)
}

// touch makes the database file readable by its owner only; SQLite gives its side files the same mode.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// Close waits for running statements, moves the write-ahead log into the database and closes everything. It may be
// called on a store that is half open.
func (s *Store) Close() error {
	var errs []error
	if s.reader != nil {
		errs = append(errs, s.statements.close(), s.reader.Close())
	}
	if s.writer != nil {
		// busy where another process still reads: the log stays for it, and that is no fault
		_, err := s.writer.ExecContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)")
		errs = append(errs, err, s.writer.Close())
	}
	if s.bucket != nil {
		errs = append(errs, s.bucket.Close())
	}
	return fail("Close", errors.Join(errs...))
}

// Ready reports whether the store can be read and written: nil, or why not. It does not wait for a write that is
// running. An Unavailable error's message is for operators and says nothing of what is stored.
func (s *Store) Ready(ctx context.Context) error {
	err := s.read(ctx, "Ready", func(t *tx) error {
		var n int
		return t.row("SELECT count(*) FROM schema_migrations", nil, &n)
	})
	if err != nil {
		return err
	}
	if ok, err := s.bucketIsThere(ctx); err != nil || !ok {
		return fail("Ready", errors.Join(errors.New("the bucket of originals is not accessible"), err))
	}
	if reason := s.Frozen(); reason != "" {
		return &domain.Error{Kind: domain.Unavailable, Op: "db.Ready", Msg: "the store only reads: " + reason}
	}
	if err := s.checkpoints.retry(); err != nil {
		return &domain.Error{Kind: domain.Unavailable, Op: "db.Ready",
			Msg: "the log's checkpoints outside the database cannot be written", Err: err}
	}
	if s.writer.Stats().InUse > 0 { // a write is running, so writing works
		return nil
	}
	return s.write(ctx, "Ready", func(*tx) error { return nil })
}

// bucketIsThere asks the bucket; of a folder that is gone fileblob does not tell.
func (s *Store) bucketIsThere(ctx context.Context) (bool, error) {
	if s.originals != "" {
		if _, err := os.Stat(s.originals); err != nil {
			return false, err
		}
	}
	return s.bucket.IsAccessible(ctx)
}

// QueryCount returns how many statements all methods together have sent; tests prove with it that a page sends a fixed
// number.
func (s *Store) QueryCount() int64 { return s.queries.Load() }

func (s *Store) sent(query string, args []any) {
	s.queries.Add(1)
	if s.trace != nil {
		s.trace(query, args)
	}
}
