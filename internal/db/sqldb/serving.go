package sqldb

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// Programs of two versions may serve one database while one replaces the other (rule DB-13). The first line of a
// migration says which level a program must know at least to go on serving after it. schema_migrations stores that in
// the column serves, so that a program can tell whether it may serve a schema that is newer than itself. By default it
// may not.

var servesLine = regexp.MustCompile(`^-- Older programs serve on: (?:none|from level ([0-9]+))\n`)

// Serves returns the lowest level that a program must know to serve once the step is applied.
func (step *Step) Serves() int {
	said := servesLine.FindSubmatch(step.Text)
	if said == nil || len(said[1]) == 0 {
		return step.Version
	}
	level, err := strconv.Atoi(string(said[1]))
	if err != nil || level > step.Version {
		return step.Version
	}
	return level
}

// NewerSchema returns the level of the schema if it is newer than this program knows, else 0. The error is ErrNewer if
// the program may not serve it.
func NewerSchema(t *Tx, known int) (level int, err error) {
	if err := t.Row("SELECT coalesce(max(version), 0) FROM schema_migrations", nil,
		&level); err != nil || level <= known {
		return 0, err
	}
	least := 0
	if err := t.Row("SELECT max(serves) FROM schema_migrations WHERE version > ?", []any{known}, &least); err != nil {
		return 0, err
	}
	if least > known {
		return 0, TooNew(level, known)
	}
	return level, nil
}

// TooNew refuses a database whose schema a newer program made.
func TooNew(level, known int) error {
	return fmt.Errorf("%w: it has schema %d, this program knows %d", ErrNewer, level, known)
}

// A process that serves the store writes the level that it knows every heartbeatInterval. One that has not done so for
// heartbeatTimeout is taken to be gone.
const (
	heartbeatInterval = 10 * time.Second
	heartbeatTimeout  = 35 * time.Second
)

// Serve writes a heartbeat, so that nobody changes the schema under this process, and deletes those of processes that
// are gone. It fails if the schema was changed since the store was opened so that this program cannot serve it.
func (db *DB) Serve(ctx context.Context, process string) error {
	return db.Write(ctx, heartbeats, "Serve", func(t *Tx) error {
		if _, err := NewerSchema(t, db.known); err != nil {
			return err
		}
		if _, err := t.Exec("DELETE FROM serving WHERE at < ?", Stamp(db.now().Add(-heartbeatTimeout))); err != nil {
			return err
		}
		_, err := t.Exec(`INSERT INTO serving (process, level, at) VALUES (?, ?, ?)
			ON CONFLICT (process) DO UPDATE SET level = excluded.level, at = excluded.at`,
			process, db.known, Stamp(db.now()))
		return err
	})
}

// KeepServing writes heartbeats until ctx ends, and then removes the row. If the schema was changed so that this
// program cannot serve it, the store writes no more and is not ready.
func (db *DB) KeepServing(ctx context.Context, process string) {
	for Wait(ctx, heartbeatInterval) == nil {
		if err := db.Serve(ctx, process); err != nil && ctx.Err() == nil {
			db.noteSchema(err)
			db.Logger.Warn("it could not be stored that this process serves", "err", err)
		}
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	err := db.Write(ending, heartbeats, "Serve", func(t *Tx) error {
		_, err := t.Exec("DELETE FROM serving WHERE process = ?", process)
		return err
	})
	if err != nil {
		db.Logger.Warn("it could not be stored that this process has ended; it counts as gone after a while", "err",
			err)
	}
}

// noteSchema stops writing if an error says that this program may not serve the schema.
func (db *DB) noteSchema(err error) {
	if errors.Is(err, ErrNewer) && db.outdated.Load() == nil {
		var ours *domain.Error
		if errors.As(err, &ours) && ours.Err != nil {
			err = ours.Err
		}
		why := err.Error() + "; this program writes no more: start the newer one in its place"
		db.outdated.Store(&why)
		db.Logger.Error("the schema was changed while this program served", "reason", why)
	}
}

// current returns an error if the schema was changed so that this program may not serve it.
func (db *DB) current() error {
	why := db.outdated.Load()
	if why == nil {
		return nil
	}
	return &domain.Error{Kind: domain.Unavailable, Op: "db.current", Err: errors.New(*why),
		Message: words.Msg("refused_server_older_database")}
}

// SchemaReady returns an error if the schema is no longer one that this program may serve. After a restore it may be
// one again.
func (db *DB) SchemaReady(t *Tx) error {
	_, err := NewerSchema(t, db.known)
	db.noteSchema(err)
	if err == nil {
		db.outdated.Store(nil)
	}
	if why := db.outdated.Load(); why != nil {
		return Unready(words.AsWritten(*why), err)
	}
	return err
}

// server is a process that serves, with its last heartbeat.
type server struct {
	process string
	level   int
	at      string
}

// servers lists the processes that serve and know a lower level than least.
func (db *DB) servers(t *Tx, least int) ([]server, error) {
	there, err := t.Engine.HasTable(t, "serving")
	if err != nil || !there {
		return nil, err
	}
	return Collect(t, "SELECT process, level, at FROM serving WHERE level < ? AND at >= ? ORDER BY process",
		[]any{least, Stamp(db.now().Add(-heartbeatTimeout))},
		func(r Scanner, x *server) error { return r.Scan(&x.process, &x.level, &x.at) })
}

// servedByOlder is the error of a migration that would stop programs that serve.
type servedByOlder struct {
	step string
	by   []server
	most int // level that the step asks for
}

func (e *servedByOlder) Error() string {
	x := e.by[0]
	return fmt.Sprintf("step %s changes the database so that programs of a version before cannot go on with it, and %s "+
		"serves it (%d in all; its schema is %d): stop every process of the version before, then start again; nothing was "+
		"changed", e.step, x.process, len(e.by), x.level)
}

// checkServers returns a servedByOlder while programs serve that cannot go on after a migration.
func (db *DB) checkServers(t *Tx, step *Step) error {
	by, err := db.servers(t, step.Serves())
	if err == nil && len(by) > 0 {
		err = &servedByOlder{step: step.Name, by: by, most: step.Serves()}
	}
	return err
}

// awaitServersGone waits until the processes are gone. It returns by if one of them writes another heartbeat.
func (db *DB) awaitServersGone(ctx context.Context, by *servedByOlder) error {
	was := map[string]string{}
	for _, x := range by.by {
		was[x.process] = x.at
	}
	for range heartbeatTimeout / time.Second {
		if err := Wait(ctx, time.Second); err != nil {
			return err
		}
		var now []server
		if err := db.Look(ctx, func(t *Tx) (err error) {
			now, err = db.servers(t, by.most)
			return err
		}); err != nil {
			return err
		}
		if len(now) == 0 {
			return nil
		}
		for _, x := range now {
			if x.at != was[x.process] {
				return by
			}
		}
	}
	return by
}

type brieflyKey struct{}

// briefly makes writing transactions wait for locks for a short time only; their statements have no timeout.
func briefly(ctx context.Context) context.Context { return context.WithValue(ctx, brieflyKey{}, true) }
