package db

import (
	"context"
	"database/sql"
	"errors"

	"sanad/internal/domain/ledger"
)

// Tenant is one organisation; nothing crosses from one to another.
type Tenant struct {
	ID              string
	Slug            string // short name, unique
	Name            string
	FreshnessMonths int // how old a source may be (ledger.Assess)
}

const tenantColumns = "id, slug, name, freshness_months"

func (t *Tenant) fields() []any { return []any{&t.ID, &t.Slug, &t.Name, &t.FreshnessMonths} }

// Tenant gives a tenant by its id.
func (s *Store) Tenant(ctx context.Context, id string) (Tenant, error) {
	var out Tenant
	err := s.read(ctx, "Tenant", func(t *tx) error {
		return t.row("SELECT "+tenantColumns+" FROM tenants WHERE id = ?", []any{id}, out.fields()...)
	})
	return out, err
}

// EnsureTenant gives the tenant with this slug and makes it where there is none; one that is there keeps its name.
func (s *Store) EnsureTenant(ctx context.Context, slug, name string) (Tenant, error) {
	var out Tenant
	find := func(t *tx) error {
		return t.row("SELECT "+tenantColumns+" FROM tenants WHERE slug = ?", []any{slug}, out.fields()...)
	}
	err := s.write(ctx, "EnsureTenant", func(t *tx) error {
		err := find(t)
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		out = Tenant{s.newID(), slug, name, ledger.DefaultFreshness}
		_, err = t.exec("INSERT INTO tenants ("+tenantColumns+", created_at) VALUES (?, ?, ?, ?, ?)",
			out.ID, out.Slug, out.Name, out.FreshnessMonths, stamp(s.now()))
		return err
	})
	return out, err
}

// known gives NotFound where the tenant does not exist.
func known(t *tx, tenant string) error {
	var one int
	return t.row("SELECT 1 FROM tenants WHERE id = ?", []any{tenant}, &one)
}
