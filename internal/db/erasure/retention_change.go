package erasure

import (
	"context"
	"slices"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
)

// Periods returns a tenant's retention periods, one for each kind that may have one; 0 days if none is set.
func (store *Store) Periods(ctx context.Context, tenant string) (out []erasure.Period, err error) {
	err = store.Read(ctx, "Periods", func(t *sqldb.Tx) error {
		out, err = periods(t, tenant)
		return err
	})
	return out, err
}

func periods(t *sqldb.Tx, tenant string) ([]erasure.Period, error) {
	set, err := sqldb.Collect(t, "SELECT kind, days FROM retention_periods WHERE tenant_id = ?", []any{tenant},
		func(r sqldb.Scanner, p *erasure.Period) error { return r.Scan(&p.Kind, &p.Days) })
	out := make([]erasure.Period, len(erasure.Retained))
	for i, kind := range erasure.Retained {
		out[i] = erasure.Period{Kind: kind}
		if at := slices.IndexFunc(set, func(p erasure.Period) bool { return p.Kind == kind }); at >= 0 {
			out[i] = set[at]
		}
	}
	return out, err
}

// SetPeriods changes a tenant's retention periods; kinds that are not named keep theirs. Where a
// second administrator is demanded, a new or shorter period waits for that one.
func (store *Store) SetPeriods(ctx context.Context, a access.Actor, want []erasure.Period) error {
	if err := erasure.CheckPeriods(want); err != nil {
		return err
	}
	c := &access.Change{Kind: access.ChangeRetention}
	return store.Needs.Second.Change(ctx, "SetPeriods", a, c, func(t *sqldb.Tx) error {
		now, err := periods(t, a.Tenant)
		if err != nil {
			return err
		}
		changed, sooner := erasure.Changes(now, want)
		c.On, c.Days = !sooner, map[string]int{}
		for _, p := range changed {
			c.Days[string(p.Kind)] = p.Days
		}
		return store.ChangePeriods(t, a, c)
	})
}

// ChangePeriods carries out a change of retention periods that a second administrator has granted, or that needs none.
func (store *Store) ChangePeriods(t *sqldb.Tx, a access.Actor, c *access.Change) error {
	if !a.Human || !a.Role.AtLeast(access.Admin) {
		return domain.Refuse(domain.Denied, "", "refused_retention_person")
	}
	now, err := periods(t, a.Tenant)
	if err != nil {
		return err
	}
	changed := map[string]any{}
	for _, p := range now {
		days, named := c.Days[string(p.Kind)]
		if !named || days == p.Days {
			continue
		}
		p.Days = days
		changed[string(p.Kind)] = days
		query, args := "DELETE FROM retention_periods WHERE tenant_id = ? AND kind = ?", []any{a.Tenant, string(p.Kind)}
		ref := auditlog.Deleted("retention_periods", string(p.Kind))
		if p.Days > 0 {
			query = `INSERT INTO retention_periods (tenant_id, kind, days, set_by, set_at) VALUES (?, ?, ?, ?, ?)
				ON CONFLICT (tenant_id, kind) DO UPDATE SET days = excluded.days, set_by = excluded.set_by, set_at = excluded.set_at`
			args = append(args, p.Days, a.ID, sqldb.Stamp(store.Now()))
			ref = auditlog.Wrote("retention_periods", []any{string(p.Kind)})
		}
		auditlog.Record(t, a.Tenant, ref)
		if _, err := t.Exec(query, args...); err != nil {
			return err
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return store.AppendEvent(t, a, auditlog.Event{Action: "tenant.retention_changed", Kind: "tenant",
		ObjectID: a.Tenant,
		Details:  map[string]any{"days": changed}})
}
