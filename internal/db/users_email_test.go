package db_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// The operator sets the address of an account of the whole installation, and nobody else does; it is nobody else's.
func TestSetEmail(t *testing.T) {
	p := newPeople(t)
	operator := access.AtCommandLine(db.SystemTenant)
	u, other := p.add(t, p.tenant, "u", access.Viewer), p.add(t, p.tenant, "other", access.Viewer)
	require.NoError(t, p.SetEmail(p.ctx, operator, u.ID, "New@Example.com"))
	found, err := p.UserByLogin(p.ctx, "new@example.com")
	require.NoError(t, err)
	require.Equal(t, u.ID, found.ID)
	require.Equal(t, "user.email_changed", p.actions(t, p.tenant.ID)[len(p.actions(t, p.tenant.ID))-1])
	is(t, domain.Conflict, p.SetEmail(p.ctx, operator, other.ID, "new@example.com"))
	is(t, domain.Conflict, p.SetEmail(p.ctx, operator, u.ID, other.Email))
	is(t, domain.Invalid, p.SetEmail(p.ctx, operator, u.ID, "no address"))
	is(t, domain.Denied, p.SetEmail(p.ctx, as(p.tenant, u, access.Admin), u.ID, "x@example.com"))
	isNotFound(t, p.SetEmail(p.ctx, operator, "nobody", "x@example.com"))
	require.NoError(t, p.SetEmail(p.ctx, operator, u.ID, ""))
	_, err = p.UserByLogin(p.ctx, "new@example.com")
	isNotFound(t, err)

	admin := p.add(t, p.tenant, "root", access.Admin)
	scoped, err := p.AddUser(p.ctx, as(p.tenant, admin, access.Admin), db.User{Login: "mona", Name: "M"}, access.Viewer)
	require.NoError(t, err)
	require.Contains(t, scoped.Login, "@")
	is(t, domain.Invalid, p.SetEmail(p.ctx, operator, scoped.ID, "mona@example.com"))
}
