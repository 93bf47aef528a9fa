package people

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
	"sanad/internal/domain/ledger"
)

// AddTenant creates a tenant and logs that, with the operator as actor, as the first event of the tenant's log.
// Conflict if the short name is taken.
func (store *Store) AddTenant(ctx context.Context, slug, name string) (Tenant, error) {
	out := Tenant{ID: store.NewID(), Slug: slug, Name: name, FreshnessMonths: ledger.DefaultFreshness,
		Remind: due.RemindByDefault}
	if err := access.CheckSlug(slug); err != nil {
		return Tenant{}, err
	}
	if err := access.CheckName("name", name); err != nil {
		return Tenant{}, err
	}
	err := store.Write(ctx, sqldb.EveryTenant, "AddTenant", func(t *sqldb.Tx) error {
		err := store.insertTenant(t, out)
		if err != nil {
			return sqldb.RefuseTaken(err, domain.Refuse(domain.Conflict, "", "refused_tenant", "Name", slug))
		}
		auditlog.Record(t, out.ID, auditlog.Wrote("tenants", []any{out.ID}))
		return store.AppendEvent(t, access.AtCommandLine(out.ID), tenantEvent("tenant.added", out.ID, nil))
	})
	return out, err
}

// EnsureTenant returns the tenant with this slug, and creates it if necessary, without logging that. An existing tenant
// keeps its name. Tests use it; commands use AddTenant.
func (store *Store) EnsureTenant(ctx context.Context, slug, name string) (Tenant, error) {
	var out Tenant
	err := store.Write(ctx, sqldb.EveryTenant, "EnsureTenant", func(t *sqldb.Tx) error {
		err := t.Row("SELECT "+tenantColumns+" FROM tenants WHERE slug = ?", []any{slug}, out.fields()...)
		if !sqldb.NoRow(err) {
			return err
		}
		out = Tenant{ID: store.NewID(), Slug: slug, Name: name, FreshnessMonths: ledger.DefaultFreshness,
			Remind: due.RemindByDefault}
		return store.insertTenant(t, out)
	})
	return out, err
}

func (store *Store) insertTenant(t *sqldb.Tx, n Tenant) error {
	_, err := t.Exec(`INSERT INTO tenants (id, slug, name, freshness_months, second_review, second_factor, time_zone,
		week_start, calendar, remind_after, remind_every, remind_most, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		n.ID, n.Slug, n.Name, n.FreshnessMonths, string(n.Second), n.SecondFactor, n.TimeZone,
		string(n.WeekStart), string(n.Calendar), n.Remind.After, n.Remind.Every, n.Remind.Most, sqldb.Stamp(store.Now()))
	return err
}
