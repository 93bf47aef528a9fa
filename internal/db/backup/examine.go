package backup

import (
	"context"
	"errors"
	"time"

	"sanad/internal/db"
	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
)

// Examination is what Examine found.
type Examination struct {
	Place    string   // the file, or the database and its server
	Missing  bool     // there is no database yet
	Level    int      // migrations that were applied
	Known    int      // migrations that this program knows
	Serves   bool     // the level is higher than that, and this program may serve it all the same
	Other    string   // a migration that is not the one that this program knows, "" if none
	Refused  error    // it was made before the first release
	Damage   []string // what SQLite's own check says
	WrongKey error    // an ErrWrongMasterKey if none of its keys opens with the master key; nil if they do
	Newest   time.Time
	Tenants  int        // as Store.Tenants lists them
	Keys     []KeyInUse // of these tenants, the oldest first
}

// KeyInUse is a tenant's key that signs now.
type KeyInUse struct {
	Tenant, Purpose string // the tenant's short name; log or sign
	CreatedAt       time.Time
}

// Examine looks at the database of a store and changes nothing; a server may be running on it. o.Keys may be nil.
func Examine(ctx context.Context, o db.Options) (e Examination, err error) {
	s, source, err := db.Inspecting(ctx, o)
	if err != nil {
		return e, err
	}
	e.Place = source.Place()
	known, err := sqldb.KnownMigrations(source)
	if err != nil {
		return e, err
	}
	e.Known = known[len(known)-1].Version
	if e.Missing = s.DB == nil; e.Missing {
		return e, nil
	}
	defer func() { err = errors.Join(err, s.DB.Close()) }()
	err = s.Read(ctx, "Examine", func(t *sqldb.Tx) error {
		if e.Damage, err = t.Engine.CheckIntegrity(t); err != nil {
			return err
		}
		steps, err := sqldb.Applied(t)
		if err != nil {
			return err
		}
		if len(steps) > 0 {
			e.Level = steps[len(steps)-1].Version
		}
		if e.Refused = sqldb.CheckBaseline(steps, known[0]); e.Refused != nil {
			return nil //nolint:nilerr // what is found is the answer; its tables are not known
		}
		for i, m := range steps[:min(len(steps), len(known))] {
			if !m.SameAs(known[i]) {
				e.Other = m.Name
			}
		}
		if e.Other != "" || e.Level == 0 {
			return nil // its tables are not known
		}
		if e.Level > e.Known {
			if _, err := sqldb.NewerSchema(t, e.Known); errors.Is(err, sqldb.ErrNewer) {
				return nil // nor are these
			} else if err != nil {
				return err
			}
			e.Serves = true
		}
		if err := t.Row("SELECT count(*) FROM tenants WHERE id <> ?", []any{reads.SystemTenant},
			&e.Tenants); err != nil {
			return err
		}
		if e.Keys, err = sqldb.Collect(t,
			`SELECT t.slug, k.purpose, k.created_at FROM keys k JOIN tenants t ON t.id = k.tenant_id
			WHERE k.retired_at = '' AND t.id <> ? ORDER BY k.created_at, t.slug, k.purpose`, []any{reads.SystemTenant},
			func(r sqldb.Scanner, k *KeyInUse) error {
				return r.Scan(&k.Tenant, &k.Purpose, sqldb.TimeInto(&k.CreatedAt))
			}); err != nil {
			return err
		}
		var newest string
		if err := t.Row("SELECT coalesce(max(at), '') FROM events", nil, &newest); err != nil {
			return err
		}
		if newest != "" {
			if e.Newest, err = time.Parse(time.RFC3339, newest); err != nil {
				return err
			}
		}
		if s.Box != nil {
			if e.WrongKey = s.CheckMasterKey(t); e.WrongKey != nil && !errors.Is(e.WrongKey,
				auditlog.ErrWrongMasterKey) {
				return e.WrongKey
			}
		}
		return nil
	})
	return e, err
}
