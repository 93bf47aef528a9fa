package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	sqlite3 "modernc.org/sqlite/lib"
)

// locked is the store that is to be replaced, kept from everybody else.
type locked struct {
	dir  string
	db   *sql.DB // nil where there is no database, or none that can be read
	once sync.Once
}

// lockWait is how many milliseconds a lock is waited for: what has the store open does not close it soon.
const lockWait = 1_000

// lockStore keeps everybody from opening the store in dir, where there is one, until release: an exclusive lock,
// taken by leaving WAL mode (the next Open enters it again). A database so damaged that SQLite cannot lock it is no
// hindrance.
func lockStore(ctx context.Context, dir string) (*locked, error) {
	l := &locked{dir: dir}
	path := filepath.Join(dir, DatabaseFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return l, emptyOrMissing(dir)
	} else if err != nil {
		return nil, err
	}
	d, err := openFile(path, url.Values{"mode": {"rw"},
		"_pragma": {fmt.Sprintf("busy_timeout(%d)", lockWait), "locking_mode(EXCLUSIVE)"}})
	if err != nil {
		return nil, err
	}
	d.SetMaxIdleConns(1) // the lock is this connection's
	err = exclude(ctx, d)
	if err == nil {
		l.db = d
		return l, nil
	}
	_ = d.Close() // the first error is the one to tell
	switch code(err) {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return nil, fmt.Errorf("%s is open: stop the server, and every command that works on it, first", dir)
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return l, nil
	}
	return nil, fmt.Errorf("%s cannot be locked: %w; move the folder away, then restore again", dir, err)
}

func exclude(ctx context.Context, d *sql.DB) error {
	var mode string
	if err := d.QueryRowContext(ctx, "PRAGMA journal_mode=DELETE").Scan(&mode); err != nil {
		return err
	}
	_, err := d.ExecContext(ctx, "BEGIN EXCLUSIVE; COMMIT") // in this locking mode the lock stays
	return err
}

// emptyOrMissing refuses a folder that has something in it, but no store: a slip of the pen would move it away.
func emptyOrMissing(dir string) error {
	found, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("%s is not empty and has no %s: give the folder of the store, or a new one", dir, DatabaseFile)
	}
	return err
}

// release lets others open what lies there. It may be called again.
func (l *locked) release() {
	l.once.Do(func() {
		if l.db != nil {
			_ = l.db.Close() // nothing was written
		}
	})
}

// heads returns the newest checkpoints that the database to be replaced has itself, as far as it can be read.
func (l *locked) heads(ctx context.Context) map[string]string {
	out := map[string]string{}
	if l.db == nil {
		return out
	}
	rows, err := l.db.QueryContext(ctx, "SELECT tenant_id, checkpoint FROM log_heads WHERE checkpoint <> ''")
	if err != nil {
		return out // it is replaced because it is damaged, or has no log yet
	}
	defer rows.Close() //nolint:errcheck // what was read counts
	for rows.Next() {
		var tenant, text string
		if rows.Scan(&tenant, &text) == nil {
			out[tenant] = text
		}
	}
	_ = rows.Err() // as above
	return out
}

// copyOthers takes along what else lies in the folder, such as a demo's master key.
func (l *locked) copyOthers(to string) error {
	found, err := os.ReadDir(l.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, f := range found {
		if !f.Type().IsRegular() || strings.HasPrefix(f.Name(), DatabaseFile) {
			continue
		}
		r, err := os.Open(filepath.Join(l.dir, f.Name()))
		if err != nil {
			return err
		}
		_, _, err = copyNew(filepath.Join(to, f.Name()), r)
		if err := errors.Join(err, r.Close()); err != nil {
			return err
		}
	}
	return err
}

// swap renames the old folder, where there is one, and then the new one into its place.
func (r *restoring) swap() error {
	aside := r.Dir + ".replaced-" + r.stamp
	err := os.Rename(r.Dir, aside)
	switch {
	case err == nil:
		r.out.Replaced = aside
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w; where this folder is a mount point, give --data a folder below it", err)
	}
	if err := os.Rename(r.stagingDir(), r.Dir); err != nil {
		if r.out.Replaced != "" {
			err = errors.Join(err, os.Rename(aside, r.Dir))
		}
		return err
	}
	return syncPath(filepath.Dir(r.Dir))
}
