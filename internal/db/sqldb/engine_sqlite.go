package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// sqliteEngine holds a store in one file: one connection writes, others read (ADR 4).
type sqliteEngine struct {
	path   string
	schema *Schema
}

func (engine sqliteEngine) open(ctx context.Context, exclusive bool) (writer, reader *sql.DB, err error) {
	if err := makeFile(engine.path); err != nil {
		return nil, nil, err
	}
	how := writing
	if exclusive {
		how = exclusively
	}
	if writer, err = connect(engine.path, how); err != nil {
		return nil, nil, err
	}
	if err := checkPragmas(ctx, writer, how); err != nil || exclusive { // then the one that writes reads too
		return writer, writer, err
	}
	// a reader asks for a database in WAL mode, which the writer has made of it
	if reader, err = connect(engine.path, reading); err != nil {
		return writer, nil, err
	}
	return writer, reader, checkPragmas(ctx, reader, reading)
}

func (engine sqliteEngine) Place() string { return engine.path }

func (engine sqliteEngine) inspect(context.Context) (*sql.DB, error) {
	if _, err := os.Stat(engine.path); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil //nolint:nilnil // there is no database
		}
		return nil, err
	}
	how := reading
	if !isOpen(engine.path) {
		how = untouched
	}
	return connect(engine.path, how)
}

// isOpen reports whether a server has the database open, or one was killed: only then are there the files of its
// write-ahead log, which a reader would otherwise create and leave.
func isOpen(path string) bool {
	_, err := os.Stat(path + "-wal")
	return err == nil
}

// makeFile makes the database file readable by its owner only; SQLite gives its other files the same mode.
func makeFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// settle moves the write-ahead log into the database.
func (sqliteEngine) settle(ctx context.Context, writer *sql.DB) error {
	// busy if another process still reads; then the log stays for it, which is not a fault
	_, err := writer.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

// rewrite makes limits expressions: for a plain parameter SQLite plans with the bound value, and so prepares the
// statement again each time one is bound.
func (sqliteEngine) rewrite(query string) string {
	return strings.ReplaceAll(query, "LIMIT ?", "LIMIT 0 + ?")
}

func (sqliteEngine) args(values []any, _ bool) []any { return values }

func (sqliteEngine) prepares() bool { return true }

func (sqliteEngine) reading() *sql.TxOptions { return nil }

// takeLocks has nothing to do: BEGIN IMMEDIATE takes the one write lock.
func (sqliteEngine) takeLocks(*Tx) error { return nil }

// Reserve needs no lock: there is one writer.
func (sqliteEngine) Reserve(t *Tx, in NumberSpace, _ int) (first, last int, err error) {
	err = t.Row("SELECT coalesce(max("+in.Column+"), 0) + 1 FROM "+in.Table, nil, &first)
	return first, math.MaxInt, err
}

func (sqliteEngine) Notify(*Tx, string) error { return nil }

func (sqliteEngine) Listen(context.Context, string, func(), func()) (supported bool, err error) {
	return false, nil
}

func (sqliteEngine) notCommitted(error) bool { return true }

func (sqliteEngine) stream(*Tx, string, string) *copyStream { return nil }

func (sqliteEngine) analyse(context.Context, *sql.DB, map[string]int) error { return nil }

func (engine sqliteEngine) Migrations() ([]Step, error) {
	return migrationsIn(engine.schema.Steps, "migrations", "")
}

func (sqliteEngine) SkipLocked() string { return "" } // there is one writer

func (sqliteEngine) Lateral() bool { return false }

func (sqliteEngine) searchNamesTenant() bool { return false }

func (sqliteEngine) GenericPlan(*Tx) error { return nil }

func (sqliteEngine) SearchTenant() string { return "" }

func (sqliteEngine) Storable(string) bool { return true }

func (sqliteEngine) Tables(*Tx) ([]Table, error) { return nil, nil }

func (sqliteEngine) tableOptions() string { return " STRICT" }

func (sqliteEngine) checkOwner(*Tx) error { return nil }

func (sqliteEngine) HasTable(t *Tx, name string) (bool, error) {
	n := 0
	err := t.Row("SELECT count(*) FROM sqlite_schema WHERE name = ?", []any{name}, &n)
	return n > 0, err
}

func (sqliteEngine) References(*Tx) ([]Reference, error) { return nil, nil }

func (sqliteEngine) DeferKeys(t *Tx) error {
	_, err := t.Exec("PRAGMA defer_foreign_keys = ON")
	return err
}

func (sqliteEngine) CheckIntegrity(t *Tx) ([]string, error) {
	lines, err := Collect(t, "PRAGMA quick_check(10)", nil, ScanText)
	if err == nil && len(lines) == 1 && lines[0] == "ok" {
		lines = nil
	}
	return lines, err
}

// CopyTo writes the database as of one moment into a new file. Until it is done, the write-ahead log of a store that is
// being written to grows.
func (engine sqliteEngine) CopyTo(ctx context.Context, file string) (bool, error) {
	d, err := openFile(engine.path, url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(5000)"}})
	if err != nil {
		return false, err
	}
	_, err = d.ExecContext(ctx, "VACUUM INTO ?", file)
	return true, errors.Join(err, d.Close())
}

func (engine sqliteEngine) DisableTriggers(t *Tx, _ []Table) (restore func() error, err error) {
	type trigger struct{ name, text string }
	all, err := Collect(t, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid", nil,
		func(r Scanner, x *trigger) error { return r.Scan(&x.name, &x.text) })
	if err != nil {
		return nil, err
	}
	for _, x := range all {
		if err := t.script("DROP TRIGGER " + x.name); err != nil {
			return nil, err
		}
	}
	return func() error {
		for _, x := range all {
			if err := t.script(x.text); err != nil {
				return err
			}
		}
		return nil
	}, engine.DeferKeys(t)
}

// IndexedWords asks FTS5 for the words that each row has; they are in no table.
func (sqliteEngine) IndexedWords(t *Tx, index string) (query string, done func() error, err error) {
	name := index + "_copied"
	err = t.script("CREATE VIRTUAL TABLE temp." + name + " USING fts5vocab ('main', '" + index + "', 'instance')")
	return "SELECT doc, group_concat(term, ' ') FROM temp." + name + " GROUP BY doc ORDER BY doc",
		func() error { return t.script("DROP TABLE temp." + name) }, err
}

// LastNumber is only kept of tables that never use a number twice.
func (sqliteEngine) LastNumber(t *Tx, x Table) (last int64, err error) {
	err = t.Row("SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?), 0)", []any{x.Name}, &last)
	if err == nil && last == 0 && x.Number != "" {
		err = t.Row("SELECT coalesce(max("+x.Number+"), 0) FROM "+x.Name, nil, &last)
	}
	return last, err
}

func (sqliteEngine) SetNumber(t *Tx, x Table, last int64) error {
	_, err := t.Exec("UPDATE sqlite_sequence SET seq = ? WHERE name = ? AND seq < ?", last, x.Name, last)
	return err
}

// scrub removes all traces of deleted rows from the database file and its write-ahead log. VACUUM writes a new file
// from what is stored, so that free pages, and the unused parts of pages that were split or filled before, hold
// nothing.
func (engine sqliteEngine) scrub(ctx context.Context, writer *sql.DB) error {
	for _, table := range engine.schema.Search {
		merge := "INSERT INTO " + table + "(" + table + ") VALUES ('optimize')" //nolint:gosec // a name of the list above
		if _, err := writer.ExecContext(ctx, merge); err != nil {
			return fmt.Errorf("merge %s: %w", table, err)
		}
	}
	if _, err := writer.ExecContext(ctx, "VACUUM"); err != nil {
		return fmt.Errorf("rewrite the database: %w", err)
	}
	return emptyWAL(ctx, writer)
}

// walTries and walPause bound the wait for readers: none keeps its snapshot longer than readTimeout.
const (
	walTries = 12
	walPause = time.Second
)

// emptyWAL moves the write-ahead log into the database and truncates it, which waits for readers of older pages.
func emptyWAL(ctx context.Context, writer *sql.DB) error {
	for range walTries {
		busy, pages, moved := 0, 0, 0
		err := writer.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
		if err != nil {
			return err
		}
		if busy == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(walPause):
		}
	}
	return errors.New("the write-ahead log could not be emptied: another process keeps reading the database")
}

// sqliteFault classifies SQLite's errors, and those of the disk below it.
func sqliteFault(err error) Fault {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fullFault
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return otherFault
	}
	if c := e.Code(); c == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY || c == sqlite3.SQLITE_CONSTRAINT_UNIQUE {
		return takenFault
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return fullFault
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return DamagedFault
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return LockedFault
	}
	return otherFault
}

// connection is a way to connect.
type connection int

const (
	writing connection = iota
	reading
	untouched   // reading a database that nobody has open: makes no file beside it
	exclusively // writing, while no other process has the database open
)

// journalLimit is the maximum size of the write-ahead log on disk between checkpoints, in bytes.
const journalLimit = 64 << 20

// connect opens a pool: one connection for writing, whose transactions take the write lock at once, or several for
// reading only. An exclusive connection keeps the lock until it is closed. Settings are in the DSN because a PRAGMA
// statement would affect one connection only.
func connect(path string, a connection) (*sql.DB, error) {
	q := url.Values{"_dqs": {"0"}, "_pragma": {"busy_timeout(5000)"}}
	connections := 1
	if a == exclusively {
		q["_pragma"] = []string{fmt.Sprintf("busy_timeout(%d)", lockWait), "locking_mode(EXCLUSIVE)"}
	}
	if a == writing || a == exclusively {
		q.Set("_txlock", "immediate")
		q["_pragma"] = append(q["_pragma"], "journal_mode(WAL)", "synchronous(FULL)",
			fmt.Sprintf("journal_size_limit(%d)", journalLimit), "secure_delete(1)")
	} else {
		q.Set("mode", "ro")
		if a == untouched {
			q.Set("immutable", "1")
		}
		q["_pragma"] = append(q["_pragma"], "query_only(1)")
		connections = max(4, 2*runtime.NumCPU())
	}
	q["_pragma"] = append(q["_pragma"], "foreign_keys(1)", "trusted_schema(0)")
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// minVersion is the oldest SQLite that is safe here: 3.51.3 fixes a WAL fault (rule DB-1).
var minVersion = []int{3, 51, 3}

// setting is a pragma with its required value.
type setting struct{ query, value string }

// settings are the required settings of each way to connect.
var settings = map[connection][]setting{
	writing: {{"PRAGMA journal_mode", "wal"}, {"PRAGMA foreign_keys", "1"}, {"PRAGMA synchronous", "2"},
		{"PRAGMA busy_timeout", "5000"}, {"PRAGMA secure_delete", "1"}},
	exclusively: {{"PRAGMA locking_mode", "exclusive"}, {"PRAGMA journal_mode", "wal"}, {"PRAGMA foreign_keys", "1"},
		{"PRAGMA synchronous", "2"}, {"PRAGMA secure_delete", "1"}},
	reading: {{"PRAGMA journal_mode", "wal"}, {"PRAGMA foreign_keys", "1"}, {"PRAGMA query_only", "1"},
		{"PRAGMA busy_timeout", "5000"}},
}

// checkPragmas reads back the settings of the DSN: a driver that ignores one would lose data silently.
func checkPragmas(ctx context.Context, db *sql.DB, a connection) error {
	for _, w := range settings[a] {
		var got string
		if err := db.QueryRowContext(ctx, w.query).Scan(&got); err != nil {
			return fmt.Errorf("%s: %w", w.query, err)
		}
		if got != w.value {
			return fmt.Errorf("%s is %s, not %s as asked for", w.query, got, w.value)
		}
	}
	var version string
	if err := db.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&version); err != nil {
		return err
	}
	if !atLeast(version, minVersion) {
		return fmt.Errorf("SQLite is %s; at least 3.51.3 is needed", version)
	}
	return nil
}

// atLeast reports whether a dotted version is at least the given one.
func atLeast(version string, least []int) bool {
	parts := strings.Split(version, ".")
	for i, want := range least {
		if i >= len(parts) {
			return false
		}
		got, err := strconv.Atoi(parts[i])
		if err != nil || got != want {
			return err == nil && got > want
		}
	}
	return true
}

func (sqliteEngine) clock() string { return "" } // a file has none

func (sqliteEngine) InFile() bool { return true }

// lockWait is how long to wait for a lock, in milliseconds; a process that has the store open won't close it soon.
const lockWait = 1_000

// openFile opens one database file with one connection.
func openFile(path string, query url.Values) (*sql.DB, error) {
	d, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}).String())
	if err == nil {
		d.SetMaxOpenConns(1)
	}
	return d, err
}

// OpenFile opens one database file with one connection, which only reads.
func OpenFile(path string, schema *Schema, query url.Values) (*DB, error) {
	d, err := openFile(path, query)
	if err != nil {
		return nil, err
	}
	return readOnly(Config{Engine: SQLiteFile(path, schema)}, d), nil
}

// OpenLocked opens a database file that is only read, and that nobody else can open until it is closed. It takes an
// exclusive lock by leaving WAL mode (the next Open enters it again).
func OpenLocked(ctx context.Context, path string, schema *Schema) (*DB, error) {
	d, err := openFile(path, url.Values{"mode": {"rw"},
		"_pragma": {fmt.Sprintf("busy_timeout(%d)", lockWait), "locking_mode(EXCLUSIVE)"}})
	if err != nil {
		return nil, err
	}
	d.SetMaxIdleConns(1) // the lock belongs to this connection
	var mode string
	err = d.QueryRowContext(ctx, "PRAGMA journal_mode=DELETE").Scan(&mode)
	if err == nil {
		_, err = d.ExecContext(ctx, "BEGIN EXCLUSIVE; COMMIT") // in this locking mode the lock is kept
	}
	if err != nil {
		_ = d.Close() // the first error is returned
		return nil, err
	}
	return readOnly(Config{Engine: SQLiteFile(path, schema)}, d), nil
}
