package people_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// Who requires a second factor has one. Where a second administrator is demanded, one alone does not stop requiring it.
func TestSetSecondFactor(t *testing.T) {
	p := newPair(t)
	required := func() bool {
		tenant, err := p.Store.Tenant(p.Ctx, p.Tenant.ID)
		require.NoError(t, err)
		return tenant.SecondFactor
	}
	dbtest.RequireKind(t, domain.Conflict, p.SetSecondFactor(p.Ctx, p.first, true))
	machine := access.Actor{Tenant: p.Tenant.ID, ID: "machine", Role: access.Admin}
	dbtest.RequireKind(t, domain.Conflict, p.SetSecondFactor(p.Ctx, machine, true))
	require.NoError(t, p.SetTOTP(p.Ctx, p.first, p.first.ID, []byte("sealed"), nil))
	dbtest.RequireKind(t, domain.Denied, p.SetSecondFactor(p.Ctx,
		access.Actor{Tenant: p.Tenant.ID, ID: p.first.ID, Role: access.Approver},
		true))
	require.False(t, required())
	require.NoError(t, p.SetSecondFactor(p.Ctx, p.first, true), "switching it on needs nobody else")
	require.NoError(t, p.SetSecondFactor(p.Ctx, p.first, true), "again it changes nothing")
	require.True(t, required())

	first := p.first
	first.Why = "The telephones are late."
	r := dbtest.RequireAsked(t, p.SetSecondFactor(p.Ctx, first, false))
	require.True(t, required())
	_, err := p.ConfirmChange(p.Ctx, p.second, r.ID)
	require.NoError(t, err)
	require.False(t, required())
}

// While a second factor is required, a machine has that of the person who made its token, and the last administrator
// with codes keeps theirs.
func TestSecondFactorAtItsEdges(t *testing.T) {
	p := newPair(t)
	operator := access.AtCommandLine(p.Tenant.ID)
	unproven := func(by access.Actor, name string) func() bool {
		_, err := p.AddToken(p.Ctx, by, access.Token{Name: name, Role: access.Admin, Hash: name,
			ExpiresAt: p.At.Add(1e12)})
		require.NoError(t, err)
		return func() bool {
			a, err := p.TokenActor(p.Ctx, name, netip.Addr{})
			require.NoError(t, err)
			return a.Unproven
		}
	}
	first, second, operators := unproven(p.first, "first"), unproven(p.second, "second"), unproven(operator, "operator")
	require.False(t, first() || second() || operators(), "nothing is required")
	require.NoError(t, p.SetTOTP(p.Ctx, p.first, p.first.ID, []byte("sealed"), nil))
	require.NoError(t, p.SetSecondFactor(p.Ctx, operator, true), "the operator has no codes, and needs none")
	require.False(t, first() || operators())
	require.True(t, second(), "made by somebody who has no codes")

	dbtest.RequireKind(t, domain.Conflict, p.SetTOTP(p.Ctx, p.first, p.first.ID, nil, nil))
	require.NoError(t, p.SetTOTP(p.Ctx, p.second, p.second.ID, []byte("sealed"), nil))
	require.False(t, second())
	require.NoError(t, p.SetTOTP(p.Ctx, p.first, p.first.ID, nil, nil), "there is another one")
	require.True(t, first())
	dbtest.RequireKind(t, domain.Conflict, p.SetTOTP(p.Ctx, p.second, p.second.ID, nil, nil))
	require.NoError(t, p.SetTOTP(p.Ctx, operator, p.second.ID, nil, nil), "the operator helps who lost the telephone")
}
