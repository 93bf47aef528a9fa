package db_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

func TestAddTenant(t *testing.T) {
	p := newPeople(t)
	third, err := p.AddTenant(p.ctx, "third-3", "الإدارة الثالثة")
	require.NoError(t, err)
	got, err := p.TenantBySlug(p.ctx, "third-3")
	require.NoError(t, err)
	require.Equal(t, third, got)
	all, err := p.Tenants(p.ctx)
	require.NoError(t, err)
	require.Equal(t, []db.Tenant{p.tenant, p.other, third}, all)
	require.Equal(t, []string{"tenant.added"}, p.actions(t, third.ID))
	_, err = p.TenantBySlug(p.ctx, "system")
	isNotFound(t, err)

	_, err = p.AddTenant(p.ctx, "main", "Again")
	is(t, domain.Conflict, err)
	for _, slug := range []string{"", "system", "Main", "a b", "a_b", "é", strings.Repeat("a", 41)} {
		_, err := p.AddTenant(p.ctx, slug, "Name")
		is(t, domain.Invalid, err)
	}
	_, err = p.AddTenant(p.ctx, "fourth", "")
	is(t, domain.Invalid, err)
}

func TestChangeTenant(t *testing.T) {
	p := newPeople(t)
	by := access.AtCommandLine(p.tenant.ID)
	for _, months := range []int{0, -1, 121} {
		is(t, domain.Invalid, p.SetFreshness(p.ctx, by, months))
	}
	is(t, domain.Invalid, p.RenameTenant(p.ctx, by, "\n"))
	for range 2 { // the second time changes nothing
		require.NoError(t, p.SetFreshness(p.ctx, by, 120))
		require.NoError(t, p.RenameTenant(p.ctx, by, "Ministry"))
	}
	got, err := p.Tenant(p.ctx, p.tenant.ID)
	require.NoError(t, err)
	require.Equal(t, db.Tenant{ID: p.tenant.ID, Slug: "main", Name: "Ministry", FreshnessMonths: 120}, got)
	require.Equal(t, []string{"tenant.changed", "tenant.changed"}, p.actions(t, p.tenant.ID))
	isNotFound(t, p.SetFreshness(p.ctx, access.AtCommandLine("nope"), 12))
	isNotFound(t, p.RenameTenant(p.ctx, access.AtCommandLine(db.SystemTenant), "Mine"))
	untouched, err := p.Tenant(p.ctx, p.other.ID)
	require.NoError(t, err)
	require.Equal(t, p.other, untouched)
}
