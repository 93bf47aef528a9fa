package people

import (
	"context"
	"encoding/base64"
	"time"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/letterhead"
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
	WeekStart       access.WeekStart
	Calendar        access.Calendar
	Remind          due.Reminders         // of packs that wait for approval
	Letter          letterhead.Letterhead // at the head of its PDFs; read by Store.Tenant alone
}

// Zone returns the organisation's time zone. One that this program does not know is UTC.
func (t *Tenant) Zone() *time.Location {
	zone, err := due.Zone(t.TimeZone)
	if err != nil {
		return time.UTC
	}
	return zone
}

const tenantColumns = "id, slug, name, freshness_months, second_review, second_factor, time_zone, week_start, calendar, " +
	"remind_after, remind_every, remind_most"

func (t *Tenant) fields() []any {
	return []any{&t.ID, &t.Slug, &t.Name, &t.FreshnessMonths, &t.Second, &t.SecondFactor, &t.TimeZone, &t.WeekStart,
		&t.Calendar, &t.Remind.After, &t.Remind.Every, &t.Remind.Most}
}

// logoInto scans a logo, which is stored in base64.
type logoInto struct{ logo *[]byte }

// Scan implements sql.Scanner.
func (into logoInto) Scan(v any) (err error) {
	var stored string
	switch v := v.(type) {
	case string:
		stored = v
	case []byte:
		stored = string(v)
	}
	if *into.logo = nil; stored != "" {
		*into.logo, err = base64.StdEncoding.DecodeString(stored)
	}
	return err
}

// Tenant returns a tenant by its id, with its letterhead. A logo has up to 128 KiB, so that no other query reads it:
// every request of a person reads their tenant.
func (store *Store) Tenant(ctx context.Context, id string) (Tenant, error) {
	var out Tenant
	err := store.Read(ctx, "Tenant", func(t *sqldb.Tx) error {
		return t.Row("SELECT "+tenantColumns+", letter_name, letter_address, letter_logo FROM tenants WHERE id = ?",
			[]any{id}, append(out.fields(), &out.Letter.Name, &out.Letter.Address, logoInto{&out.Letter.Logo})...)
	})
	return out, err
}

// TenantBySlug returns a tenant by its short name; NotFound for the system tenant.
func (store *Store) TenantBySlug(ctx context.Context, slug string) (Tenant, error) {
	var out Tenant
	err := store.Read(ctx, "TenantBySlug", func(t *sqldb.Tx) error {
		return t.Row("SELECT "+tenantColumns+" FROM tenants WHERE slug = ? AND id <> ?",
			[]any{slug, reads.SystemTenant},
			out.fields()...)
	})
	return out, err
}

// Tenants lists all tenants except the system tenant by short name.
func (store *Store) Tenants(ctx context.Context) (out []Tenant, err error) {
	err = store.Read(ctx, "Tenants", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, "SELECT "+tenantColumns+" FROM tenants WHERE id <> ? ORDER BY slug",
			[]any{reads.SystemTenant},
			func(r sqldb.Scanner, t *Tenant) error { return r.Scan(t.fields()...) })
		return err
	})
	return out, err
}
