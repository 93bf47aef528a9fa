package people_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
)

func TestAddTenant(t *testing.T) {
	p := dbtest.NewPeople(t)
	third, err := p.AddTenant(p.Ctx, "third-3", "الإدارة الثالثة")
	require.NoError(t, err)
	got, err := p.TenantBySlug(p.Ctx, "third-3")
	require.NoError(t, err)
	require.Equal(t, third, got)
	all, err := p.Tenants(p.Ctx)
	require.NoError(t, err)
	require.Equal(t, []db.Tenant{p.Tenant, p.Other, third}, all)
	require.Equal(t, []string{"tenant.added"}, p.Actions(t, third.ID))
	_, err = p.TenantBySlug(p.Ctx, "system")
	dbtest.RequireNotFound(t, err)

	_, err = p.AddTenant(p.Ctx, "main", "Again")
	dbtest.RequireKind(t, domain.Conflict, err)
	for _, slug := range []string{"", "system", "Main", "a b", "a_b", "é", strings.Repeat("a", 41)} {
		_, err := p.AddTenant(p.Ctx, slug, "Name")
		dbtest.RequireKind(t, domain.Invalid, err)
	}
	_, err = p.AddTenant(p.Ctx, "fourth", "")
	dbtest.RequireKind(t, domain.Invalid, err)
}

func TestChangeTenant(t *testing.T) {
	p := dbtest.NewPeople(t)
	by := access.AtCommandLine(p.Tenant.ID)
	for _, months := range []int{0, -1, 121} {
		dbtest.RequireKind(t, domain.Invalid, p.SetFreshness(p.Ctx, by, months))
	}
	dbtest.RequireKind(t, domain.Invalid, p.RenameTenant(p.Ctx, by, "\n"))
	for range 2 { // the second time changes nothing
		require.NoError(t, p.SetFreshness(p.Ctx, by, 120))
		require.NoError(t, p.RenameTenant(p.Ctx, by, "Ministry"))
	}
	got, err := p.Store.Tenant(p.Ctx, p.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, db.Tenant{ID: p.Tenant.ID, Slug: "main", Name: "Ministry", FreshnessMonths: 120,
		Remind: due.RemindByDefault}, got)
	require.Equal(t, []string{"tenant.changed", "tenant.changed"}, p.Actions(t, p.Tenant.ID))
	dbtest.RequireNotFound(t, p.SetFreshness(p.Ctx, access.AtCommandLine("nope"), 12))
	dbtest.RequireNotFound(t, p.RenameTenant(p.Ctx, access.AtCommandLine(db.SystemTenant), "Mine"))
	untouched, err := p.Store.Tenant(p.Ctx, p.Other.ID)
	require.NoError(t, err)
	require.Equal(t, p.Other, untouched)
}
