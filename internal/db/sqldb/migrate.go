package sqldb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

// Migration is an applied step of the schema.
type Migration struct {
	Version   int
	Name      string // of the file
	Hash      string // SHA-256 hex of the file
	AppliedAt string // RFC 3339
}

// SameAs reports whether an applied step is the one that this program knows.
func (m Migration) SameAs(known Migration) bool {
	return m.Version == known.Version && m.Hash == known.Hash
}

// ErrUnreleased is the refusal of a store or backup whose first step is not this program's baseline: until the first
// release the baseline is edited in place, so no other program has one that differs.
var ErrUnreleased = errors.New("it was made before the first release, by a version that was never released, and no " +
	"program reads it; nothing was changed: begin a new store")

// CheckBaseline returns ErrUnreleased for steps that begin otherwise than with the baseline.
func CheckBaseline(done []Migration, known Migration) error {
	if len(done) > 0 && done[0].Hash != known.Hash {
		return ErrUnreleased
	}
	return nil
}

// Migrations lists the applied steps, oldest first.
func (db *DB) Migrations(ctx context.Context) ([]Migration, error) {
	var out []Migration
	err := db.Read(ctx, "Migrations", func(t *Tx) (err error) {
		out, err = Applied(t)
		return err
	})
	return out, err
}

// Applied returns the steps that a database records.
func Applied(t *Tx) ([]Migration, error) {
	return Collect(t, "SELECT version, name, hash, applied_at FROM schema_migrations ORDER BY version", nil,
		func(r Scanner, m *Migration) error { return r.Scan(&m.Version, &m.Name, &m.Hash, &m.AppliedAt) })
}

// Migrate applies missing steps, each in its own transaction. A database with steps that this program does not know is
// left as it is, if the program may serve it, and refused otherwise (rule DB-13).
func (db *DB) Migrate(ctx context.Context) error {
	steps, err := db.Engine.Migrations()
	if err != nil {
		return err
	}
	steps = append(steps, db.later...)
	db.known = steps[len(steps)-1].Version
	whole := false
	err = db.Look(ctx, func(t *Tx) (err error) {
		whole, err = db.isWhole(t, steps)
		return err
	})
	if err != nil || whole {
		return err
	}
	return db.applyMissing(ctx, steps)
}

// isWhole reports whether no step is missing. A start then takes no lock that others would wait for.
func (db *DB) isWhole(t *Tx, steps []Step) (bool, error) {
	there, err := t.Engine.HasTable(t, "schema_migrations")
	if err != nil || !there {
		return false, err
	}
	next, err := db.missing(t, steps)
	return next == nil, err
}

// applyMissing applies the missing steps. Another process may migrate at the same time: the write lock decides, so the
// Applied steps are read again each time.
func (db *DB) applyMissing(ctx context.Context, steps []Step) error {
	err := db.patiently(ctx, func(t *Tx) error {
		if err := t.Engine.checkOwner(t); err != nil {
			return err
		}
		_, err := t.Exec(`CREATE TABLE IF NOT EXISTS schema_migrations (
			version INTEGER PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL, applied_at TEXT NOT NULL,
			serves INTEGER NOT NULL)` + t.Engine.tableOptions())
		return err
	})
	for done := false; err == nil && !done; {
		err = db.patiently(ctx, func(t *Tx) (err error) {
			done, err = db.step(t, steps)
			return err
		})
	}
	return err
}

// How long a step waits for tables that others use. Each try is short, because later transactions queue behind it; the
// pause between tries doubles up to a bound, for some five minutes in all.
const (
	stepTries    = 60
	stepPause    = 100 * time.Millisecond
	stepPauseMax = 5 * time.Second
)

// patiently runs a step of the schema while others serve. It tries again while they use the tables, and waits until the
// processes are gone that could not serve on.
func (db *DB) patiently(ctx context.Context, do func(*Tx) error) error {
	pause := stepPause
	for n := 1; ; n++ {
		err := db.Write(briefly(ctx), EveryTenant, "migrate", do)
		var by *servedByOlder
		switch {
		case errors.As(err, &by):
			if err := db.awaitServersGone(ctx, by); err != nil {
				return err
			}
		case !IsFault(err, LockedFault) && !IsFault(err, conflictFault):
			return err
		case n == stepTries:
			return fmt.Errorf("%w: the schema was not changed, because others kept its tables in use, such as a backup or a "+
				"long import; start again", err)
		}
		if err := Wait(ctx, pause); err != nil {
			return err
		}
		pause = min(2*pause, stepPauseMax)
	}
}

// missing returns the first step that was not applied, nil if none is missing. It refuses a database from before the
// baseline, one that others made, and one of a newer schema that this program may not serve.
func (db *DB) missing(t *Tx, steps []Step) (*Step, error) {
	old, err := Applied(t)
	if err == nil {
		err = CheckBaseline(old, steps[0].migration())
	}
	if err != nil {
		return nil, err
	}
	for i := range steps {
		m := steps[i].migration()
		if i >= len(old) {
			return &steps[i], nil
		}
		if !old[i].SameAs(m) {
			return nil, fmt.Errorf("migration %s of this program is not the one that made this database (%s, SHA-256 %s)",
				m.Name, old[i].Name, old[i].Hash)
		}
	}
	if len(old) == len(steps) {
		return nil, nil
	}
	if db.exclusive {
		return nil, TooNew(old[len(old)-1].Version, db.known)
	}
	_, err = NewerSchema(t, db.known)
	return nil, err
}

// step applies the first missing migration; done reports that none is missing.
func (db *DB) step(t *Tx, steps []Step) (done bool, err error) {
	next, err := db.missing(t, steps)
	if err != nil || next == nil {
		return err == nil, err
	}
	m := next.migration()
	if err := db.checkServers(t, next); err != nil {
		return false, err
	}
	if err := t.script(string(next.Text)); err != nil {
		return false, fmt.Errorf("migration %s: %w", m.Name, err)
	}
	_, err = t.Exec("INSERT INTO schema_migrations (version, name, hash, applied_at, serves) VALUES (?, ?, ?, ?, ?)",
		m.Version, m.Name, m.Hash, Stamp(db.now()), next.Serves())
	return false, err
}

func (step *Step) migration() Migration {
	sum := sha256.Sum256(step.Text)
	return Migration{Version: step.Version, Name: step.Name, Hash: hex.EncodeToString(sum[:])}
}

// KnownMigrations lists the steps that this program knows for an engine.
func KnownMigrations(e Engine) ([]Migration, error) {
	files, err := e.Migrations()
	if err != nil {
		return nil, err
	}
	out := make([]Migration, len(files))
	for i := range files {
		out[i] = files[i].migration()
	}
	return out, nil
}
