package backup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"sanad/internal/db"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// locked is the store to be replaced, locked against all other processes.
type locked struct {
	dir     string
	db      *sqldb.DB // nil if there is no readable database
	damaged error     // why there is one and it cannot be read
	once    sync.Once
}

// LockStore prevents others from opening the store in dir, if there is one, until release. It takes an exclusive lock
// by leaving WAL mode. A database too damaged to be locked by SQLite is not an obstacle.
func LockStore(ctx context.Context, dir string) (*locked, error) {
	l := &locked{dir: dir}
	path := filepath.Join(dir, db.DatabaseFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return l, emptyOrMissing(dir)
	} else if err != nil {
		return nil, err
	}
	var err error
	if l.db, err = sqldb.OpenLocked(ctx, path, db.Schema); err == nil {
		return l, nil
	}
	switch sqldb.FaultOf(err) {
	case sqldb.LockedFault:
		return nil, fmt.Errorf("%s is open: stop the server, and every command that works on it, first", dir)
	case sqldb.DamagedFault:
		l.damaged = err
		return l, nil
	}
	return nil, fmt.Errorf("%s cannot be locked: %w; move the folder away, then restore again", dir, err)
}

// emptyOrMissing refuses a folder that has files but no store, as a mistyped path would move it away.
func emptyOrMissing(dir string) error {
	found, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("%s is not empty and has no %s: give the folder of the store, or a new one", dir,
			db.DatabaseFile)
	}
	return err
}

// Release lets others open the store. It may be called more than once.
func (l *locked) Release() {
	l.once.Do(func() {
		if l.db != nil {
			_ = l.db.Close() // nothing was written
		}
	})
}

// storedHead is the newest checkpoint of a log in the database to be replaced.
type storedHead struct {
	audit.Checkpoint
	text string
}

// heads returns the newest checkpoints in the database to be replaced, and which cannot be read: one that is damaged
// keeps no other log from being compared.
func (l *locked) heads(ctx context.Context) (heads []storedHead, unread []Unread) {
	if l.damaged != nil {
		return nil, []Unread{{Why: l.damaged.Error()}}
	}
	if l.db == nil {
		return nil, nil
	}
	err := l.db.Read(ctx, "Restore", func(t *sqldb.Tx) error {
		return t.Each("SELECT tenant_id, checkpoint FROM log_heads", nil, func(r sqldb.Scanner) error {
			var tenant, text sql.NullString
			err := r.Scan(&tenant, &text)
			if err == nil && text.Valid && text.String == "" { // an empty log
				return nil
			}
			h := storedHead{text: text.String}
			if err == nil {
				h.Checkpoint, err = audit.Claimed(h.text)
			}
			if err == nil && h.Tenant != tenant.String {
				err = errors.New("it is another log's")
			}
			if err != nil {
				unread = append(unread, Unread{Tenant: tenant.String, Why: err.Error()})
			} else {
				heads = append(heads, h)
			}
			return nil
		})
	})
	if err != nil {
		unread = append(unread, Unread{Why: err.Error()})
	}
	return heads, unread
}

// copyOthers copies the other files of the folder, such as a demo's master key.
func (l *locked) copyOthers(to string) error {
	found, err := os.ReadDir(l.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, f := range found {
		if !f.Type().IsRegular() || strings.HasPrefix(f.Name(), db.DatabaseFile) {
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

// swap renames the old folder, if there is one, and moves the new one into its place.
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
