package live

import (
	"context"
	"slices"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/live"
)

// LiveRules returns a tenant's rules of traces, the default if it has set none.
func (store *Store) LiveRules(ctx context.Context, tenant string) (r live.Rules, err error) {
	err = store.Read(ctx, "LiveRules", func(t *sqldb.Tx) error {
		r, err = liveRules(t, tenant)
		return err
	})
	return r, err
}

func liveRules(t *sqldb.Tx, tenant string) (live.Rules, error) {
	found, err := sqldb.Collect(t, "SELECT revision, rules FROM live_rules WHERE tenant_id = ?", []any{tenant},
		func(r sqldb.Scanner, x *live.Rules) error { return r.Scan(&x.Revision, sqldb.JSONInto(&x.List)) })
	if err != nil || len(found) == 0 {
		return live.DefaultRules(), err
	}
	return found[0], nil
}

// SetLiveRules replaces the tenant's rules of traces: Conflict if revision is not that of the ones in force. Setting
// the same rules is not a change.
func (store *Store) SetLiveRules(ctx context.Context, a access.Actor, revision int,
	list []live.Rule) (out live.Rules, err error) {
	next := live.Rules{Revision: revision + 1, List: append([]live.Rule{}, list...)}
	if err := next.Check(); err != nil {
		return out, err
	}
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "SetLiveRules", func(t *sqldb.Tx) error {
		if err := reads.TenantExists(t, a.Tenant); err != nil {
			return err
		}
		now, err := liveRules(t, a.Tenant)
		if err != nil {
			return err
		}
		if now.Revision != revision {
			return domain.Refuse(domain.Conflict, "", "refused_trace_overtaken")
		}
		if out = now; now.Revision > 0 && slices.Equal(now.List, next.List) {
			return nil
		}
		text, err := sqldb.JSONText(next.List)
		if err != nil {
			return err
		}
		if _, err := t.Exec(`INSERT INTO live_rules (tenant_id, revision, rules, actor, at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (tenant_id) DO UPDATE SET revision = excluded.revision, rules = excluded.rules, actor = excluded.actor,
			at = excluded.at`, a.Tenant, next.Revision, text, a.ID, sqldb.Stamp(store.Now())); err != nil {
			return err
		}
		out = next
		auditlog.Record(t, a.Tenant, auditlog.Wrote("live_rules", []any{a.Tenant}))
		return store.AppendEvent(t, a, auditlog.Event{Action: "tenant.trace_rules_changed", Kind: "tenant",
			ObjectID: a.Tenant,
			Details:  map[string]any{"revision": next.Revision, "rules": next.List}})
	})
	return out, err
}
