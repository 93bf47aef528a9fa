package policies

import (
	"context"
	"slices"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/redact"
)

// Patterns lists a tenant's own redaction patterns, in their order.
func (store *Store) Patterns(ctx context.Context, tenant string) (out []redact.Pattern, err error) {
	err = store.Read(ctx, "Patterns", func(t *sqldb.Tx) error {
		out, err = patterns(t, tenant)
		return err
	})
	return out, err
}

func patterns(t *sqldb.Tx, tenant string) ([]redact.Pattern, error) {
	return sqldb.Collect(t, "SELECT kind, expr FROM redaction_patterns WHERE tenant_id = ? ORDER BY n", []any{tenant},
		func(r sqldb.Scanner, p *redact.Pattern) error { return r.Scan(&p.Kind, &p.Expr) })
}

// SetPatterns replaces the tenant's patterns. If somebody changed them since old was read, nothing happens and it is a
// Conflict. Setting the same patterns is not a change.
func (store *Store) SetPatterns(ctx context.Context, a access.Actor, old, own []redact.Pattern) error {
	made, err := redact.New(own)
	if err != nil {
		return err
	}
	return store.Write(ctx, sqldb.OfTenant(a.Tenant), "SetPatterns", func(t *sqldb.Tx) error {
		if err := reads.TenantExists(t, a.Tenant); err != nil {
			return err
		}
		now, err := patterns(t, a.Tenant)
		if err != nil || slices.Equal(now, own) {
			return err
		}
		if !slices.Equal(now, old) {
			return domain.Refuse(domain.Conflict, "", "refused_somebody_else_changed_patterns")
		}
		if _, err := t.Exec("DELETE FROM redaction_patterns WHERE tenant_id = ?", a.Tenant); err != nil {
			return err
		}
		for n := range now {
			auditlog.Record(t, a.Tenant, auditlog.Deleted("redaction_patterns", n))
		}
		for n, p := range own {
			auditlog.Record(t, a.Tenant, auditlog.Wrote("redaction_patterns", []any{n}))
			if _, err := t.Exec("INSERT INTO redaction_patterns (tenant_id, n, kind, expr) VALUES (?, ?, ?, ?)",
				a.Tenant, n, p.Kind, p.Expr); err != nil {
				return err
			}
		}
		return store.AppendEvent(t, a,
			auditlog.Event{Action: "tenant.redaction_changed", Kind: "tenant", ObjectID: a.Tenant,
				Details: map[string]any{
					"patterns": len(own), "profile": made.Profile(),
				}})
	})
}
