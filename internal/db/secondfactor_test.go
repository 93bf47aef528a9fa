package db_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
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
	machine := access.Actor{Tenant: p.tenant.ID, ID: "machine", Role: access.Admin}
	is(t, domain.Conflict, p.SetSecondFactor(p.ctx, machine, true))
	require.NoError(t, p.SetTOTP(p.ctx, p.first, p.first.ID, []byte("sealed"), nil))
	is(t, domain.Denied, p.SetSecondFactor(p.ctx,
		access.Actor{Tenant: p.tenant.ID, ID: p.first.ID, Role: access.Approver},
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

// While a second factor is required, a machine has that of the person who made its token, and the last administrator
// with codes keeps theirs.
func TestSecondFactorAtItsEdges(t *testing.T) {
	p := newPair(t)
	operator := access.AtCommandLine(p.tenant.ID)
	unproven := func(by access.Actor, name string) func() bool {
		_, err := p.AddToken(p.ctx, by, access.Token{Name: name, Role: access.Admin, Hash: name,
			ExpiresAt: p.now.Add(1e12)})
		require.NoError(t, err)
		return func() bool {
			a, err := p.TokenActor(p.ctx, name, netip.Addr{})
			require.NoError(t, err)
			return a.Unproven
		}
	}
	first, second, operators := unproven(p.first, "first"), unproven(p.second, "second"), unproven(operator, "operator")
	require.False(t, first() || second() || operators(), "nothing is required")
	require.NoError(t, p.SetTOTP(p.ctx, p.first, p.first.ID, []byte("sealed"), nil))
	require.NoError(t, p.SetSecondFactor(p.ctx, operator, true), "the operator has no codes, and needs none")
	require.False(t, first() || operators())
	require.True(t, second(), "made by somebody who has no codes")

	is(t, domain.Conflict, p.SetTOTP(p.ctx, p.first, p.first.ID, nil, nil))
	require.NoError(t, p.SetTOTP(p.ctx, p.second, p.second.ID, []byte("sealed"), nil))
	require.False(t, second())
	require.NoError(t, p.SetTOTP(p.ctx, p.first, p.first.ID, nil, nil), "there is another one")
	require.True(t, first())
	is(t, domain.Conflict, p.SetTOTP(p.ctx, p.second, p.second.ID, nil, nil))
	require.NoError(t, p.SetTOTP(p.ctx, operator, p.second.ID, nil, nil), "the operator helps who lost the telephone")
}
