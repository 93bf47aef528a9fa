package db

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"runtime"
	"strconv"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// connection is a way to connect.
type connection int

const (
	writing connection = iota
	reading
	untouched // reading a database that nobody has open: makes no file beside it
	alone     // writing, while no other process has the database open
)

// journalLimit is the maximum size of the write-ahead log on disk between checkpoints, in bytes.
const journalLimit = 64 << 20

// connect opens a pool: one connection for writing, whose transactions take the write lock at once, or several for
// reading only. A connection that is alone keeps the lock until it is closed. Settings are in the DSN because a PRAGMA
// statement would affect one connection only.
func connect(path string, a connection) (*sql.DB, error) {
	q := url.Values{"_dqs": {"0"}, "_pragma": {"busy_timeout(5000)"}}
	connections := 1
	if a == alone {
		q["_pragma"] = []string{fmt.Sprintf("busy_timeout(%d)", lockWait), "locking_mode(EXCLUSIVE)"}
	}
	if a == writing || a == alone {
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
	alone: {{"PRAGMA locking_mode", "exclusive"}, {"PRAGMA journal_mode", "wal"}, {"PRAGMA foreign_keys", "1"},
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
