// Package db is the store: SQLite or PostgreSQL for what is queried, a bucket for original documents. Store is a facade
// of rooms, one a capability (README.md). Each exported method is one transaction. It knows no rules: it stores what
// the domain computed and returns it (rule DB-2).
package db

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"sanad/internal/db/auditlog"
	erasures "sanad/internal/db/erasure"
	"sanad/internal/db/jobs"
	"sanad/internal/db/library"
	"sanad/internal/db/notices"
	"sanad/internal/db/originals"
	"sanad/internal/db/packs"
	"sanad/internal/db/people"
	"sanad/internal/db/policies"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sessions"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/job"
	"sanad/internal/domain/notify"
	"sanad/internal/keys"
)

// Options configures a store. Time and ids are passed in so that tests can fix them.
type Options struct {
	Dir string // folder of the database and of what belongs to it; created with mode 0700 if missing
	// Database is the address of a PostgreSQL database (postgres://…); "" for SQLite's file in Dir.
	Database string
	// Bucket is the gocloud.dev URL of the bucket for originals; "" for the folder Dir/originals; file:// and s3:// are
	// compiled in. An original is synced to disk before its session is stored, except for file:// with ?prefix=, where
	// the operating system decides.
	Bucket string
	// Lake is the URL of a lake (files.Open) that a backup includes and Restore writes; "" for the folder Dir/lake
	Lake  string
	Now   func() time.Time // the clock
	NewID func() string    // returns a new UUID
	// RolesChanged, unless nil, is called after each commit that may have changed who may do what. It must not block.
	RolesChanged func()
	// MakeRoom, unless nil, is called within a large import, before SQLite takes tens of megabytes for a moment
	MakeRoom func()

	Mail *notify.Schedule // when the daily mail of notifications is sent; nil if none are mailed

	Keys *keys.Box // seals secrets in the database; Open requires it
	// Checkpoints is the folder of the logs' newest checkpoints, outside Dir, or the URL of a folder or bucket for
	// them; "" for Dir-checkpoints
	Checkpoints string
	// Open leaves Checkpoints unchanged, so that inspecting with a wrong folder does not create a checkpoint file
	Inspect bool
	// Existing makes Open fail with ErrNoStore if there is no store yet, and create nothing
	Existing bool
	// Exclusive has one connection for everything, and nobody else may open the store meanwhile
	Exclusive bool
	// Filling opens a database that a move has not ended
	Filling bool
	later   []sqldb.Step // in tests: steps of a program of a later version
	// ServerClock has Now mended by the clock of the database's server, where that may be another machine's
	ServerClock bool

	Rand io.Reader    // source of keys; nil for crypto/rand
	Log  *slog.Logger // what operators must know and no caller is told; nil for no log
}

// CheckpointsPlace returns where the checkpoints are: a folder's path or a URL.
func (options Options) CheckpointsPlace() string {
	if options.Checkpoints != "" {
		return options.Checkpoints
	}
	dir, err := filepath.Abs(options.Dir)
	if err != nil {
		dir = options.Dir
	}
	return dir + "-checkpoints"
}

// Store is an open store: the log and one store per capability. It is safe for concurrent use: writes queue for one
// connection, reads share a pool.
type Store struct {
	*auditLog
	*receiptStore
	*sessionStore
	*packStore
	*peopleStore
	*policyStore
	*noticeStore
	*jobStore
	*bundleStore
	*liveStore
	*modelStore
	*webhookStore
	*statisticsStore
	*erasureStore
	*libraryStore

	source sqldb.Engine // of DB; set before it is open
	files  *originals.Files
	full   atomic.Pointer[time.Time] // when there was no room for the newest change; nil if it was stored
}

// NewStore returns a store without a database.
func NewStore(o Options) *Store {
	l := &auditLog{Box: o.Keys, Inspect: o.Inspect,
		Contents: &auditlog.Contents{Sections: sessions.SessionSections, Tables: recordTables()}}
	s := &Store{auditLog: l, receiptStore: &receiptStore{Store: l}, files: &originals.Files{}}
	r, f := s.receiptStore, s.files

	s.liveStore, s.modelStore, s.webhookStore = &liveStore{Store: l}, &modelStore{Store: l}, &webhookStore{Store: l}
	s.statisticsStore, s.bundleStore = &statisticsStore{Store: l}, &bundleStore{Store: l}
	s.jobStore = &jobStore{Store: r, Needs: jobs.Needs{Files: f}}
	s.peopleStore = &peopleStore{Store: l, Needs: people.Needs{RolesChanged: o.RolesChanged}}
	s.policyStore = &policyStore{Store: l, Needs: policies.Needs{Second: s.peopleStore}}
	s.noticeStore = &noticeStore{Store: r, Needs: notices.Needs{Mail: o.Mail}}
	s.libraryStore = &libraryStore{Store: r, Needs: library.Needs{Files: f}}
	s.sessionStore = &sessionStore{Store: r,
		Needs: sessions.Needs{Files: f, Notices: s.noticeStore, Bundles: s.bundleStore, Library: s.libraryStore,
			Traces:   []sessions.SessionTrace{s.jobStore, s.modelStore, s.noticeStore, s.liveStore},
			MakeRoom: o.MakeRoom}}
	s.erasureStore = &erasureStore{Store: l, Needs: erasures.Needs{Files: f, Second: s.peopleStore, Answers: r,
		Claims: allClaims()}}
	s.packStore = &packStore{Store: r, Needs: packs.Needs{Files: f, Sessions: s.sessionStore, Library: s.libraryStore, Notices: s.noticeStore,
		Second: s.peopleStore, Scrub: s.erasureStore}}

	s.peopleStore.Needs.Deputies = s.packStore
	s.noticeStore.Needs.Packs, s.erasureStore.Needs.Packs = s.packStore, s.packStore
	// what erases each kind of object, in its room's *_erase.go
	s.erasureStore.Needs.Erasers = map[erasure.Kind]erasures.Eraser{
		erasure.Session: s.sessionStore, erasure.Document: s.sessionStore, erasure.Bundle: s.bundleStore,
		erasure.Artifact: s.bundleStore, erasure.Upload: s.jobStore, erasure.Pack: s.packStore,
		erasure.Library: s.libraryStore,
	}
	// Kinds of change that need a second administrator and belong to other rooms. people carries out its own
	// (people/change_make.go); a new kind begins in access.ChangeKind.
	s.peopleStore.Needs.Others = map[access.ChangeKind]people.CarryOut{
		access.ChangePolicy: s.policyStore.ChangePolicy, access.ChangeRetention: s.erasureStore.ChangePeriods,
		access.ChangeHold: s.erasureStore.ChangeSessionHold, access.ChangePackHold: s.packStore.ChangeHold,
	}
	l.Rules, l.Names, l.OnEvent = s.sessionStore.Rules(), s.peopleStore, s.webhookStore.Tell
	l.Checks = []auditlog.ContentCheck{s.sessionStore.VerifySums, l.VerifyRecords, l.VerifyNames,
		s.packStore.VerifyPacks}
	return s
}

// EngineConfig returns what the database is opened with.
func EngineConfig(o Options, e sqldb.Engine) sqldb.Config {
	c := sqldb.Config{Engine: e, Now: o.Now, NewID: o.NewID, Random: o.Rand, Log: o.Log, Exclusive: o.Exclusive,
		Later: o.later}
	if c.Random == nil {
		c.Random = rand.Reader
	}
	return c
}

// ErrJobLost means that work no longer belongs to its worker.
var ErrJobLost = job.ErrLost

// DatabaseFile is the name of the database in the store's folder.
const DatabaseFile = "sanad.db"

// Open opens the store in o.Dir, creating it if it is new, migrates its schema and checks the database's
// settings.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Keys == nil {
		return nil, sqldb.Fail("Open", errors.New("there is no master key"))
	}
	s := NewStore(o)
	if err := s.open(ctx, o); err != nil {
		switch {
		case errors.Is(err, sqldb.ErrNotOpened): // names its place
		case o.Database != "" && s.source != nil:
			err = sqldb.At(s.source.Place(), err)
		default:
			err = sqldb.At(o.Dir, err)
		}
		return nil, errors.Join(sqldb.Fail("Open", err), s.Close())
	}
	return s, nil
}

// Folder returns the folder of the database, for temporary files.
func (store *Store) Folder() string { return store.Dir }

func (store *Store) open(ctx context.Context, o Options) error {
	if o.Existing {
		if err := mustExist(ctx, o); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return err
	}
	path, err := filepath.Abs(filepath.Join(o.Dir, DatabaseFile))
	if err != nil {
		return err
	}
	store.Dir = filepath.Dir(path)
	if store.source, err = sqldb.EngineOf(o.Database, path, Schema); err != nil {
		return err
	}
	store.DB, err = sqldb.Open(ctx, EngineConfig(o, store.source))
	if err != nil {
		return err
	}
	store.addHooks()
	if !o.Filling {
		if err := store.Look(ctx, NotFilled); err != nil {
			return err
		}
	}
	if o.ServerClock {
		if err := store.UseServerClock(ctx); err != nil {
			return err
		}
	}
	if err := store.OpenCheckpoints(ctx, o.CheckpointsPlace()); err != nil {
		return err
	}
	if err := store.Migrate(ctx); err != nil {
		return err
	}
	if err = store.files.Open(ctx, o.Bucket, o.Dir); err != nil {
		return err
	}
	if err := store.StartLogs(ctx); err != nil {
		return err
	}
	return store.LoadEarlierKeys(ctx, receipts.KeptFor)
}

// Close waits for running statements, moves the write-ahead log into the database and closes everything. It also works
// on a partly opened store.
func (store *Store) Close() error {
	store.JobSignal.Close()
	errs := []error{store.DB.Close()}
	if store.files.Bucket != nil {
		errs = append(errs, store.files.Close())
	}
	if store.Checkpoints.Witness != nil {
		errs = append(errs, store.Checkpoints.Close())
	}
	return sqldb.Fail("Close", errors.Join(errs...))
}

// addHooks has every change of the store signed in its log before its commit, and told outside after it.
func (store *Store) addHooks() {
	store.BeforeWrite(store.BeginLog)
	store.BeforeCommit(auditlog.Untold)
	store.BeforeCommit(store.SignLogs)
	store.AfterCommit(store.noteRoom)
	store.AfterCommit(store.WakeJobs)
	store.AfterCommit(store.Publish)
	store.AfterFailure(store.noteFull)
}
