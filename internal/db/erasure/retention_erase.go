package erasure

import (
	"context"
	"errors"
	"maps"
	"math"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/erasure"
)

// dueQueries select the ids of a kind's objects that were made before a time, oldest first.
var dueQueries = map[erasure.Kind]string{
	erasure.Session: "SELECT id FROM sessions WHERE tenant_id = ? AND created_at < ? ORDER BY created_at, no LIMIT ?",
	erasure.Document: `SELECT d.id FROM documents d JOIN sessions s ON s.tenant_id = d.tenant_id AND s.no = d.session_no
		WHERE d.tenant_id = ? AND s.created_at < ? AND d.status <> 'erased'
		ORDER BY s.created_at, s.no, d.position LIMIT ?`,
	erasure.Bundle: `SELECT bundle_id FROM evidence_bundles WHERE tenant_id = ? AND created_at < ?
		ORDER BY created_at, no LIMIT ?`,
	erasure.Artifact: `SELECT path FROM lake_artifacts WHERE tenant_id = ? AND created_at < ?
		ORDER BY created_at, path LIMIT ?`,
	erasure.Library: `SELECT id FROM library_documents WHERE tenant_id = ? AND changed_at < ?
		ORDER BY changed_at, no LIMIT ?`,
	erasure.Upload: `SELECT id FROM jobs WHERE tenant_id = ? AND created_at < ? AND state NOT IN ('queued', 'running')
		AND name <> '–'
		ORDER BY created_at, rowid LIMIT ?`,
}

// DueForErasure lists what a tenant's retention periods have ended for, with what keeps it; at most limit of each kind.
// It is the dry run of EraseDue. Periods in try stand in place of the stored ones.
func (store *Store) DueForErasure(ctx context.Context, tenant string, try []erasure.Period,
	limit int) (out []erasure.Due, err error) {
	if err := erasure.CheckPeriods(try); err != nil {
		return nil, err
	}
	err = store.Read(ctx, "DueForErasure", func(t *sqldb.Tx) error {
		all, err := periods(t, tenant)
		if err == nil {
			out, err = store.due(t, tenant, erasure.With(all, try), limit)
		}
		return err
	})
	return out, err
}

// DueAnew counts, by kind, what would be due with the periods in try and is not due with the stored ones, whatever keeps
// it. It counts all of it.
func (store *Store) DueAnew(ctx context.Context, tenant string, try []erasure.Period) (map[erasure.Kind]int, error) {
	out := map[erasure.Kind]int{}
	err := store.Read(ctx, "DueAnew", func(t *sqldb.Tx) error {
		stored, err := periods(t, tenant)
		if err != nil {
			return err
		}
		for sign, all := range map[int][]erasure.Period{-1: stored, 1: erasure.With(stored, try)} {
			for _, p := range all {
				if p.Days == 0 {
					continue
				}
				n := 0
				if err := t.Row("SELECT count(*) FROM ("+dueQueries[p.Kind]+") AS due",
					[]any{tenant, sqldb.Stamp(p.Before(store.Now())), math.MaxInt32}, &n); err != nil {
					return err
				}
				out[p.Kind] += sign * n
			}
		}
		maps.DeleteFunc(out, func(_ erasure.Kind, n int) bool { return n <= 0 })
		return nil
	})
	return sqldb.OrZero(out, err)
}

func (store *Store) due(t *sqldb.Tx, tenant string, all []erasure.Period, limit int) (out []erasure.Due, err error) {
	for _, p := range all {
		if p.Days == 0 {
			continue
		}
		ids, err := sqldb.Collect(t, dueQueries[p.Kind], []any{tenant, sqldb.Stamp(p.Before(store.Now())), limit},
			sqldb.ScanText)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			plan, err := store.planErasure(t, tenant, p.Kind, id)
			if err != nil {
				return nil, err
			}
			out = append(out, erasure.Due{Request: plan.Request, Obstacles: plan.obstacles})
		}
	}
	return out, nil
}

// EraseDue erases, in every tenant, what its retention periods have ended for and nothing keeps. The caller then calls
// FinishErasures. It returns how many objects it erased.
func (store *Store) EraseDue(ctx context.Context) (erased int, err error) {
	tenants, err := store.bySlug(ctx)
	if err != nil {
		return 0, err
	}
	var errs []error
	for _, tenant := range tenants { // the log of one may be read-only
		n, err := store.eraseDueOf(ctx, tenant)
		erased, errs = erased+n, append(errs, err)
	}
	return erased, errors.Join(errs...)
}

// bySlug lists the ids of the tenants that have members, by their short names.
func (store *Store) bySlug(ctx context.Context) (ids []string, err error) {
	err = store.Read(ctx, "EraseDue", func(t *sqldb.Tx) error {
		ids, err = sqldb.Collect(t, "SELECT id FROM tenants WHERE id <> ? ORDER BY slug", []any{reads.SystemTenant},
			sqldb.ScanText)
		return err
	})
	return ids, err
}

// eraseDueOf is EraseDue for one tenant. Each object has a transaction of its own, so that others can write in between.
func (store *Store) eraseDueOf(ctx context.Context, tenant string) (erased int, err error) {
	all, err := store.Periods(ctx, tenant)
	if err != nil {
		return 0, err
	}
	for _, p := range all {
		if p.Days == 0 {
			continue
		}
		var ids []string
		err := store.Read(ctx, "EraseDue", func(t *sqldb.Tx) error {
			ids, err = sqldb.Collect(t, dueQueries[p.Kind],
				[]any{tenant, sqldb.Stamp(p.Before(store.Now())), math.MaxInt32}, sqldb.ScanText)
			return err
		})
		if err != nil {
			return erased, err
		}
		for _, id := range ids {
			done, err := store.eraseDue(ctx, tenant, p.Kind, id)
			if err != nil {
				return erased, err
			}
			if done {
				erased++
			}
		}
	}
	return erased, nil
}

// eraseDue erases one object, unless it is gone by now, or something keeps it now.
func (store *Store) eraseDue(ctx context.Context, tenant string, kind erasure.Kind, id string) (done bool, err error) {
	var p *erasePlan
	free := func(t *sqldb.Tx) error {
		waiting := 0
		if err := t.Row(`SELECT count(*) FROM erasures WHERE tenant_id = ? AND kind = ? AND object_id = ?
			AND state IN ('asked', 'erasing')`,
			[]any{tenant, string(kind), id}, &waiting); err != nil {
			return err
		}
		p, err = store.planErasure(t, tenant, kind, id)
		if sqldb.NoRow(err) || waiting > 0 || err == nil && len(p.obstacles) > 0 {
			p, err = nil, nil // it is gone, two people are deciding it, or something keeps it
		}
		return err
	}
	if err := store.Read(ctx, "EraseDue", free); err != nil || p == nil { // most take no write lock
		return false, err
	}
	a := auditlog.SystemActor(tenant)
	err = store.Write(ctx, sqldb.EveryTenant, "EraseDue", func(t *sqldb.Tx) error {
		if err := free(t); err != nil || p == nil {
			return err
		}
		r := p.Request
		r.ID, r.State, r.Retention = store.NewID(), erasure.Erasing, true
		r.AskedBy, r.AskedAt, r.ConfirmedAt = a.ID, store.Now().UTC(), store.Now().UTC()
		if err := insertErasure(t, tenant, &r); err != nil {
			return err
		}
		done = true
		return store.erase(t, a, &r)
	})
	return done, err
}
