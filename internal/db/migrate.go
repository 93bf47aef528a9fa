package db

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
)

//go:embed migrations/*.sql migrations/postgres/*.sql
var migrationFiles embed.FS

// Migration is an applied step of the schema.
type Migration struct {
	Version   int
	Name      string // of the file
	Hash      string // SHA-256 hex of the file
	AppliedAt string // RFC 3339
}

// earlierTexts has the hashes of migrations whose text has changed since they were first applied, by version. A text is
// only changed so that newer versions of SQLite do what it did when it was written, so either hash is accepted.
var earlierTexts = map[int]string{
	14: "f16c9955b4b101bce6dd6a948a0beada1bdabbb99712773c7dd9854efb9c637e", // before SQLite 3.54
}

// sameAs reports whether an applied step is the one that this program knows, by its hash now or earlier.
func (m Migration) sameAs(known Migration) bool {
	return m.Version == known.Version && (m.Hash == known.Hash || m.Hash == earlierTexts[m.Version])
}

// Migrations lists the applied steps, oldest first.
func (s *Store) Migrations(ctx context.Context) ([]Migration, error) {
	var out []Migration
	err := s.read(ctx, "Migrations", func(t *tx) (err error) {
		out, err = applied(t)
		return err
	})
	return out, err
}

func applied(t *tx) ([]Migration, error) {
	return collect(t, "SELECT version, name, hash, applied_at FROM schema_migrations ORDER BY version", nil,
		func(r scanner, m *Migration) error { return r.Scan(&m.Version, &m.Name, &m.Hash, &m.AppliedAt) })
}

// migrate applies missing steps, each in its own transaction, and makes the partitions that were asked for. It refuses
// a database with steps that this program does not know.
func (s *Store) migrate(ctx context.Context) error {
	err := s.write(ctx, everyTenant, "migrate", func(t *tx) error {
		if err := t.to.fresh(t); err != nil {
			return err
		}
		_, err := t.exec(`CREATE TABLE IF NOT EXISTS schema_migrations (
			version INTEGER PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL, applied_at TEXT NOT NULL)` + t.to.strict())
		return err
	})
	if err != nil {
		return err
	}
	steps, err := s.engine.migrations()
	if err != nil {
		return err
	}
	for done := false; !done; {
		err := s.write(ctx, everyTenant, "migrate", func(t *tx) (err error) {
			done, err = s.step(t, steps)
			return err
		})
		if err != nil {
			return err
		}
	}
	if s.partitions == 0 {
		return nil
	}
	return s.write(ctx, everyTenant, "partition", func(t *tx) error { return t.to.partition(t, s.partitions) })
}

// step applies the first missing migration; done reports that none is missing. Another process may migrate at the same
// time: the write lock decides, so the applied steps are read again each time.
func (s *Store) step(t *tx, steps []migrationFile) (done bool, err error) {
	old, err := applied(t)
	if err != nil {
		return false, err
	}
	if len(old) > len(steps) {
		return false, fmt.Errorf("%w: it has schema %d, this program knows %d", errNewer, old[len(old)-1].Version,
			steps[len(steps)-1].version)
	}
	for i, file := range steps {
		m := file.migration()
		if i < len(old) {
			if !old[i].sameAs(m) {
				return false, fmt.Errorf("migration %s of this program is not the one that made this database (%s, SHA-256 %s)",
					m.Name, old[i].Name, old[i].Hash)
			}
			continue
		}
		if err := t.script(string(file.text)); err != nil {
			return false, fmt.Errorf("migration %s: %w", m.Name, err)
		}
		if more := afterSQL[m.Version]; more != nil {
			if err := more(s, t); err != nil {
				return false, fmt.Errorf("migration %s: %w", m.Name, err)
			}
		}
		_, err = t.exec("INSERT INTO schema_migrations (version, name, hash, applied_at) VALUES (?, ?, ?, ?)",
			m.Version, m.Name, m.Hash, stamp(s.now()))
		return false, err
	}
	return true, nil
}

func (f *migrationFile) migration() Migration {
	sum := sha256.Sum256(f.text)
	return Migration{Version: f.version, Name: f.name, Hash: hex.EncodeToString(sum[:])}
}

// knownMigrations lists the steps that this program knows for an engine.
func knownMigrations(e engine) ([]Migration, error) {
	files, err := e.migrations()
	if err != nil {
		return nil, err
	}
	out := make([]Migration, len(files))
	for i := range files {
		out[i] = files[i].migration()
	}
	return out, nil
}
