package people

import (
	"cmp"
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
	"sanad/internal/domain/ledger"
)

// Tenant is one organisation; tenants share no data.
type Tenant struct {
	ID              string
	Slug            string // short name, unique
	Name            string
	FreshnessMonths int                 // maximum age of a source (ledger.Assess)
	Second          ledger.SecondReview // for sessions imported from now on
	SecondFactor    bool                // approvers and administrators need a second factor (rule SEC-25)
	TimeZone        string              // in which days end (rule N-4), "" for UTC
}

// maxFreshness is the maximum of Tenant.FreshnessMonths.
const maxFreshness = 120

const tenantColumns = "id, slug, name, freshness_months, second_review, second_factor, time_zone"

func (t *Tenant) fields() []any {
	return []any{&t.ID, &t.Slug, &t.Name, &t.FreshnessMonths, &t.Second, &t.SecondFactor, &t.TimeZone}
}

// Tenant returns a tenant by its id.
func (s *Store) Tenant(ctx context.Context, id string) (Tenant, error) {
	var out Tenant
	err := s.Read(ctx, "Tenant", func(t *sqldb.Tx) error {
		return t.Row("SELECT "+tenantColumns+" FROM tenants WHERE id = ?", []any{id}, out.fields()...)
	})
	return out, err
}

// TenantBySlug returns a tenant by its short name; NotFound for the system tenant.
func (s *Store) TenantBySlug(ctx context.Context, slug string) (Tenant, error) {
	var out Tenant
	err := s.Read(ctx, "TenantBySlug", func(t *sqldb.Tx) error {
		return t.Row("SELECT "+tenantColumns+" FROM tenants WHERE slug = ? AND id <> ?",
			[]any{slug, reads.SystemTenant},
			out.fields()...)
	})
	return out, err
}

// Tenants lists all tenants except the system tenant by short name.
func (s *Store) Tenants(ctx context.Context) (out []Tenant, err error) {
	err = s.Read(ctx, "Tenants", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, "SELECT "+tenantColumns+" FROM tenants WHERE id <> ? ORDER BY slug",
			[]any{reads.SystemTenant},
			func(r sqldb.Scanner, t *Tenant) error { return r.Scan(t.fields()...) })
		return err
	})
	return out, err
}

// AddTenant creates a tenant and logs that, with the operator as actor, as the first event of the tenant's log.
// Conflict if the short name is taken.
func (s *Store) AddTenant(ctx context.Context, slug, name string) (Tenant, error) {
	out := Tenant{ID: s.NewID(), Slug: slug, Name: name, FreshnessMonths: ledger.DefaultFreshness}
	if err := access.CheckSlug(slug); err != nil {
		return Tenant{}, err
	}
	if err := access.CheckName("name", name); err != nil {
		return Tenant{}, err
	}
	err := s.Write(ctx, sqldb.EveryTenant, "AddTenant", func(t *sqldb.Tx) error {
		err := s.insertTenant(t, out)
		if err != nil {
			return sqldb.RefuseTaken(err, domain.Refuse(domain.Conflict, "", "refused_tenant", "Name", slug))
		}
		auditlog.Record(t, out.ID, auditlog.Wrote("tenants", []any{out.ID}))
		return s.AppendEvent(t, access.AtCommandLine(out.ID), tenantEvent("tenant.added", out.ID, nil))
	})
	return out, err
}

// EnsureTenant returns the tenant with this slug, and creates it if necessary, without logging that. An existing tenant
// keeps its name. Tests use it; commands use AddTenant.
func (s *Store) EnsureTenant(ctx context.Context, slug, name string) (Tenant, error) {
	var out Tenant
	err := s.Write(ctx, sqldb.EveryTenant, "EnsureTenant", func(t *sqldb.Tx) error {
		err := t.Row("SELECT "+tenantColumns+" FROM tenants WHERE slug = ?", []any{slug}, out.fields()...)
		if !sqldb.NoRow(err) {
			return err
		}
		out = Tenant{ID: s.NewID(), Slug: slug, Name: name, FreshnessMonths: ledger.DefaultFreshness}
		return s.insertTenant(t, out)
	})
	return out, err
}

func (s *Store) insertTenant(t *sqldb.Tx, n Tenant) error {
	_, err := t.Exec("INSERT INTO tenants ("+tenantColumns+", created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		n.ID, n.Slug, n.Name, n.FreshnessMonths, string(n.Second), n.SecondFactor, n.TimeZone, sqldb.Stamp(s.Now()))
	return err
}

// SetFreshness changes for how many months a source of by's tenant stays fresh, and logs it.
func (s *Store) SetFreshness(ctx context.Context, by access.Actor, months int) error {
	if months < 1 || months > maxFreshness {
		return domain.Refuse(domain.Invalid, "freshness_months", "refused_sources_stay_fresh", "N", maxFreshness)
	}
	return s.changeTenant(ctx, by, "freshness_months", months, map[string]any{"freshness_months": months})
}

// SetSecondReview changes whether two people review sessions of by's tenant imported from now on, and logs it.
func (s *Store) SetSecondReview(ctx context.Context, by access.Actor, second ledger.SecondReview) error {
	if !second.Valid() {
		return domain.Refuse(domain.Invalid, "second_review", "refused_choose_open_blind")
	}
	return s.changeTenant(ctx, by, "second_review", string(second), map[string]any{"second_review": second.Name()})
}

// SetTimeZone changes in which time zone days of by's tenant end, and logs it. Due dates that are set already stay as
// they are.
func (s *Store) SetTimeZone(ctx context.Context, by access.Actor, name string) error {
	zone, err := due.Zone(name)
	if err != nil {
		return err
	}
	name = due.ZoneName(zone)
	return s.changeTenant(ctx, by, "time_zone", name, map[string]any{"time_zone": cmp.Or(name, "UTC")})
}

// RenameTenant changes the display name of by's tenant, and logs it.
func (s *Store) RenameTenant(ctx context.Context, by access.Actor, name string) error {
	if err := access.CheckName("name", name); err != nil {
		return err
	}
	return s.changeTenant(ctx, by, "name", name, map[string]any{"name": true})
}

// SetMailTitles changes whether mails to people of by's tenant name the titles of sessions and packs, and logs it.
func (s *Store) SetMailTitles(ctx context.Context, by access.Actor, on bool) error {
	return s.changeTenant(ctx, by, "mail_titles", on, map[string]any{"mail_titles": on})
}

func (s *Store) changeTenant(ctx context.Context, by access.Actor, column string, v any, details map[string]any) error {
	return s.Write(ctx, sqldb.EveryTenant, "ChangeTenant", func(t *sqldb.Tx) error {
		if err := reads.AcceptsMembers(t, by.Tenant); err != nil {
			return err
		}
		n, err := t.Exec("UPDATE tenants SET "+column+" = ? WHERE id = ? AND "+column+" <> ?", v, by.Tenant, v)
		if err != nil || n == 0 {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Wrote("tenants", []any{by.Tenant}, column))
		return s.AppendEvent(t, by, tenantEvent("tenant.changed", by.Tenant, details))
	})
}

// tenantEvent returns an event about a tenant.
func tenantEvent(action, id string, details map[string]any) auditlog.Event {
	return auditlog.Event{Action: action, Kind: "tenant", ObjectID: id, Details: details}
}
