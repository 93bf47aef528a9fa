package dbtest

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
)

// AllowUnchecked sets a tenant's sign-off policy, unless it has one: as the default, but packs without a checked claim
// may be signed.
func AllowUnchecked(t testing.TB, s *db.Store, tenant string) {
	t.Helper()
	p, err := s.Policy(context.Background(), tenant)
	require.NoError(t, err)
	if p.Version == 0 {
		Ask(t, s, tenant, pack.Warn, pack.ClaimsChecked)
	}
}

// Ask changes what a tenant's policy asks in the classes A2 and A3, by some rules.
func Ask(t testing.TB, s *db.Store, tenant string, what pack.Demand, rules ...string) {
	t.Helper()
	p, err := s.Policy(context.Background(), tenant)
	require.NoError(t, err)
	for i := range p.Rules {
		if r := &p.Rules[i]; slices.Contains(rules, r.Rule) {
			r.A2, r.A3 = what, what
		}
	}
	_, err = s.SetPolicy(context.Background(), access.AtCommandLine(tenant), p.Version, p)
	require.NoError(t, err)
}

// BulkConfirmsAll sets a tenant's policy so that bulk confirm takes critical and flagged claims too.
func BulkConfirmsAll(t testing.TB, s *db.Store, tenant string) {
	t.Helper()
	p, err := s.Policy(context.Background(), tenant)
	require.NoError(t, err)
	p.BulkConfirmsAll = true
	_, err = s.SetPolicy(context.Background(), access.AtCommandLine(tenant), p.Version, p)
	require.NoError(t, err)
}
