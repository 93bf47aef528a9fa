package db

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"sanad/internal/domain"
	"sanad/internal/pattern"
)

// Programs of two versions may serve one database while one takes the other's place (rule DB-13). A step of the schema
// says in its first line from which level on a program may go on serving when it has been applied, and
// schema_migrations has that as the column serves: so a program can tell of a schema that is newer than itself whether
// it may serve it. Where nothing is said, no older program may.

var servesLine = pattern.New(`^-- Older programs serve on: (?:none|from level ([0-9]+))\n`)

// serves returns the lowest level that a program must know to serve once the step is applied.
func (f *migrationFile) serves() int {
	said := servesLine.FindSubmatch(f.text)
	if said == nil || len(said[1]) == 0 {
		return f.version
	}
	level, err := strconv.Atoi(string(said[1]))
	if err != nil || level > f.version {
		return f.version
	}
	return level
}

// hasServes reports whether the column is there: databases that were made before it get it with their next step.
func hasServes(t *tx) (bool, error) {
	with, err := t.engine.tablesWith(t, "serves")
	return slices.Contains(with, "schema_migrations"), err
}

func addServes(t *tx) error {
	has, err := hasServes(t)
	if err != nil || has {
		return err
	}
	return t.script("ALTER TABLE schema_migrations ADD COLUMN serves INTEGER")
}

// newerSchema returns the level of a schema that is newer than what this program knows, 0 if it is not. The error is an
// errNewer if the program may not serve it.
func newerSchema(t *tx, known int) (level int, err error) {
	if err := t.row("SELECT coalesce(max(version), 0) FROM schema_migrations", nil, &level); err != nil || level <= known {
		return 0, err
	}
	has, err := hasServes(t)
	if err != nil {
		return 0, err
	}
	least := level
	if has {
		if err := t.row("SELECT max(coalesce(serves, version)) FROM schema_migrations WHERE version > ?", []any{known},
			&least); err != nil {
			return 0, err
		}
	}
	if least > known {
		return 0, tooNew(level, known)
	}
	return level, nil
}

func tooNew(level, known int) error {
	return fmt.Errorf("%w: it has schema %d, this program knows %d", errNewer, level, known)
}

// How a process says that it serves the store: every beatEvery it writes the level that it knows. One that has not for
// goneAfter is gone.
const (
	beatEvery = 10 * time.Second
	goneAfter = 35 * time.Second
)

// servingKey is the key in limit_use of those that serve. They stand there with the level that they know.
const servingKey = "serving"

// servingSince is the step that made the table.
const servingSince = 30

// Serve says that this process serves the store, so that nobody changes the schema under it. It fails if somebody has,
// since the store was opened, in a way that this program cannot serve.
func (s *Store) Serve(ctx context.Context, process string) error {
	return s.write(ctx, limitUse, "Serve", func(t *tx) error {
		if _, err := newerSchema(t, s.known); err != nil {
			return err
		}
		_, err := t.exec(`INSERT INTO limit_use (key, process, used, at) VALUES (?, ?, ?, ?)
			ON CONFLICT (key, process) DO UPDATE SET used = excluded.used, at = excluded.at`,
			servingKey, process, s.known, stamp(s.now()))
		return err
	})
}

// KeepServing says it again and again until ctx ends, and then that it is over. If the schema was changed so that this
// program cannot serve it, the store writes no more and is not ready.
func (s *Store) KeepServing(ctx context.Context, process string) {
	for wait(ctx, beatEvery) == nil {
		if err := s.Serve(ctx, process); err != nil && ctx.Err() == nil {
			s.noteSchema(err)
			s.log.Warn("it could not be stored that this process serves", "err", err)
		}
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	err := s.write(ending, limitUse, "Serve", func(t *tx) error {
		_, err := t.exec("DELETE FROM limit_use WHERE key = ? AND process = ?", servingKey, process)
		return err
	})
	if err != nil {
		s.log.Warn("it could not be stored that this process has ended; it counts as gone after a while", "err", err)
	}
}

// noteSchema keeps the reason if an error says that this program may not serve the schema.
func (s *Store) noteSchema(err error) {
	if errors.Is(err, errNewer) && s.outdated.Load() == nil {
		var ours *domain.Error
		if errors.As(err, &ours) && ours.Err != nil {
			err = ours.Err
		}
		why := err.Error() + "; this program writes no more: start the newer one in its place"
		s.outdated.Store(&why)
		s.log.Error("the schema was changed while this program served", "reason", why)
	}
}

// current returns an error if the schema was changed so that this program may not serve it.
func (s *Store) current() error {
	why := s.outdated.Load()
	if why == nil {
		return nil
	}
	return &domain.Error{Kind: domain.Unavailable, Op: "db.current", Err: errors.New(*why),
		Msg: "This server is older than the database; nothing was stored. Try again in a moment."}
}

// schemaReady looks whether the schema is still one that this program may serve. A backup that was put back makes it so
// again.
func (s *Store) schemaReady(t *tx) error {
	_, err := newerSchema(t, s.known)
	s.noteSchema(err)
	if err == nil {
		s.outdated.Store(nil)
	}
	if why := s.outdated.Load(); why != nil {
		return unready(*why, err)
	}
	return err
}

// server is a process that serves, and when it last said so.
type server struct {
	process string
	level   int
	at      string
}

// servers lists the processes that serve, and know a lower level than least.
func (s *Store) servers(t *tx, least int) ([]server, error) {
	there, err := t.engine.hasTable(t, "limit_use")
	if err != nil || !there {
		return nil, err
	}
	return collect(t, "SELECT process, used, at FROM limit_use WHERE key = ? AND used < ? AND at >= ? ORDER BY process",
		[]any{servingKey, least, stamp(s.now().Add(-goneAfter))},
		func(r scanner, x *server) error { return r.Scan(&x.process, &x.level, &x.at) })
}

// stillServed says that a step is not applied because programs serve that could not go on.
type stillServed struct {
	step string
	by   []server
	most int // level that the step asks for
}

func (e *stillServed) Error() string {
	x := e.by[0]
	return fmt.Sprintf("step %s changes the database so that programs of a version before cannot go on with it, and %s "+
		"serves it (%d in all; its schema is %d): stop every process of the version before, then start again; nothing was "+
		"changed", e.step, x.process, len(e.by), x.level)
}

// unserved returns a stillServed while programs serve that may not go on after a step.
func (s *Store) unserved(t *tx, step *migrationFile) error {
	if step.version <= servingSince {
		return nil
	}
	by, err := s.servers(t, step.serves())
	if err == nil && len(by) > 0 {
		err = &stillServed{step: step.name, by: by, most: step.serves()}
	}
	return err
}

// awaitGone waits until those that serve are gone. One that says again that it serves is not: then it returns by.
func (s *Store) awaitGone(ctx context.Context, by *stillServed) error {
	was := map[string]string{}
	for _, x := range by.by {
		was[x.process] = x.at
	}
	for range goneAfter / time.Second {
		if err := wait(ctx, time.Second); err != nil {
			return err
		}
		var now []server
		if err := s.look(ctx, func(t *tx) (err error) {
			now, err = s.servers(t, by.most)
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

// briefly has writing transactions wait for locks for a short time only, and run as long as they need.
func briefly(ctx context.Context) context.Context { return context.WithValue(ctx, brieflyKey{}, true) }
