package db_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
)

// Who requires a second factor has one. Where a second administrator is demanded, one alone does not stop requiring it.
func TestSetSecondFactor(t *testing.T) {
	p := newPair(t)
	required := func() bool {
		tenant, err := p.Tenant(p.ctx, p.tenant.ID)
		require.NoError(t, err)
		return tenant.SecondFactor
	}
	is(t, domain.Conflict, p.SetSecondFactor(p.ctx, p.first, true))
	machine := domain.Actor{Tenant: p.tenant.ID, ID: "machine", Role: domain.Admin}
	is(t, domain.Conflict, p.SetSecondFactor(p.ctx, machine, true))
	require.NoError(t, p.SetTOTP(p.ctx, p.first, p.first.ID, []byte("sealed"), nil))
	is(t, domain.Denied, p.SetSecondFactor(p.ctx, domain.Actor{Tenant: p.tenant.ID, ID: p.first.ID, Role: domain.Approver},
		true))
	require.False(t, required())
	require.NoError(t, p.SetSecondFactor(p.ctx, p.first, true), "switching it on needs nobody else")
	require.NoError(t, p.SetSecondFactor(p.ctx, p.first, true), "again it changes nothing")
	require.True(t, required())

	first := p.first
	first.Why = "The telephones are late."
	r := asked(t, p.SetSecondFactor(p.ctx, first, false))
	require.True(t, required())
	_, err := p.ConfirmChange(p.ctx, p.second, r.ID)
	require.NoError(t, err)
	require.False(t, required())
}
