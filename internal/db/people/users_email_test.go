package people_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// The operator sets the address of an account of the whole installation, and nobody else does; it is nobody else's.
func TestSetEmail(t *testing.T) {
	p := dbtest.NewPeople(t)
	operator := access.AtCommandLine(db.SystemTenant)
	u, other := p.AddPerson(t, p.Tenant, "u", access.Viewer), p.AddPerson(t, p.Tenant, "other", access.Viewer)
	require.NoError(t, p.SetEmail(p.Ctx, operator, u.ID, "New@Example.com"))
	found, err := p.UserByLogin(p.Ctx, "new@example.com")
	require.NoError(t, err)
	require.Equal(t, u.ID, found.ID)
	require.Equal(t, "user.email_changed", p.Actions(t, p.Tenant.ID)[len(p.Actions(t, p.Tenant.ID))-1])
	dbtest.RequireKind(t, domain.Conflict, p.SetEmail(p.Ctx, operator, other.ID, "new@example.com"))
	dbtest.RequireKind(t, domain.Conflict, p.SetEmail(p.Ctx, operator, u.ID, other.Email))
	dbtest.RequireKind(t, domain.Invalid, p.SetEmail(p.Ctx, operator, u.ID, "no address"))
	dbtest.RequireKind(t, domain.Denied, p.SetEmail(p.Ctx, dbtest.As(p.Tenant, u, access.Admin), u.ID, "x@example.com"))
	dbtest.RequireNotFound(t, p.SetEmail(p.Ctx, operator, "nobody", "x@example.com"))
	require.NoError(t, p.SetEmail(p.Ctx, operator, u.ID, ""))
	_, err = p.UserByLogin(p.Ctx, "new@example.com")
	dbtest.RequireNotFound(t, err)

	admin := p.AddPerson(t, p.Tenant, "root", access.Admin)
	scoped, err := p.AddUser(p.Ctx, dbtest.As(p.Tenant, admin, access.Admin), db.User{Login: "mona", Name: "M"},
		access.Viewer)
	require.NoError(t, err)
	require.Contains(t, scoped.Login, "@")
	dbtest.RequireKind(t, domain.Invalid, p.SetEmail(p.Ctx, operator, scoped.ID, "mona@example.com"))
}
