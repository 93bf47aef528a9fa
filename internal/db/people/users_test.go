package people_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

func TestAddUser(t *testing.T) {
	p := dbtest.NewPeople(t)
	by := access.AtCommandLine(p.Tenant.ID)
	u, err := p.AddUser(p.Ctx, by, db.User{
		Login: " Noura@Example.Test ", Name: "نورة الكعبي", Email: "Noura@Example.Test", Password: "phc",
	}, access.Admin)
	require.NoError(t, err)
	require.Equal(t, "noura@example.test", u.Login)
	for _, login := range []string{"noura@example.test", " NOURA@EXAMPLE.TEST"} {
		got, err := p.UserByLogin(p.Ctx, login)
		require.NoError(t, err)
		require.Equal(t, u, got)
	}
	_, err = p.UserByLogin(p.Ctx, "nobody")
	dbtest.RequireNotFound(t, err)

	good := db.User{Login: "a", Name: "A"}
	for name, c := range map[string]struct {
		user db.User
		role access.Role
		by   access.Actor
		want domain.Kind
	}{
		"login taken": {
			user: db.User{Login: "NOURA@example.test", Name: "Other"}, role: access.Viewer, by: by,
			want: domain.Conflict,
		},
		"no login": {user: db.User{Name: "A"}, role: access.Viewer, by: by, want: domain.Invalid},
		"login with space": {
			user: db.User{Login: "a b", Name: "A"}, role: access.Viewer, by: by, want: domain.Invalid,
		},
		"login that looks": {
			user: db.User{Login: "nоura", Name: "A"}, role: access.Viewer, by: by, want: domain.Invalid,
		}, // with a Cyrillic o
		"no name": {
			user: db.User{Login: "a", Name: " "}, role: access.Viewer, by: by, want: domain.Invalid,
		},
		"name turned round": {
			user: db.User{Login: "a", Name: "A\u202e"}, role: access.Viewer, by: by, want: domain.Invalid,
		},
		"bad address": {
			user: db.User{Login: "a", Name: "A", Email: "x"}, role: access.Viewer, by: by,
			want: domain.Invalid,
		},
		"no role":      {user: good, by: by, want: domain.Invalid},
		"made-up role": {user: good, role: "owner", by: by, want: domain.Invalid},
		"unknown tenant": {
			user: good, role: access.Viewer, by: access.AtCommandLine("nope"), want: domain.NotFound,
		},
		"the system": {
			user: good, role: access.Viewer, by: access.AtCommandLine(db.SystemTenant), want: domain.NotFound,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := p.AddUser(p.Ctx, c.by, c.user, c.role)
			dbtest.RequireKind(t, c.want, err)
		})
	}
	_, err = p.UserByLogin(p.Ctx, "a")
	dbtest.RequireNotFound(t, err) // nothing was left behind
	require.Equal(t, []string{"user.added"}, p.Actions(t, p.Tenant.ID))
}

func TestMembers(t *testing.T) {
	p := dbtest.NewPeople(t)
	noura, ali := p.AddPerson(t, p.Tenant, "noura", access.Admin), p.AddPerson(t, p.Tenant, "ali", access.Viewer)
	p.AddPerson(t, p.Other, "salem", access.Admin)
	p.AlsoMember(t, p.Other, ali, access.Approver)
	p.SignIn(t, p.Tenant, noura, "one")
	p.SignIn(t, p.Other, ali, "two") // logins elsewhere are not visible to this tenant

	got, err := p.Members(p.Ctx, p.Tenant.ID)
	require.NoError(t, err)
	inBoth, seen := dbtest.Member(ali, access.Viewer), dbtest.Member(noura, access.Admin)
	inBoth.Others, seen.SeenAt = 1, p.At
	require.Equal(t, []access.Member{inBoth, seen}, got)

	mine, err := p.Memberships(p.Ctx, ali.ID)
	require.NoError(t, err)
	require.Equal(t, []db.Membership{{
		Tenant: p.Tenant, Role: access.Viewer,
	}, {Tenant: p.Other, Role: access.Approver}}, mine)

	require.NoError(t, p.SetMemberDisabled(p.Ctx, access.AtCommandLine(p.Other.ID), ali.ID, true))
	mine, err = p.Memberships(p.Ctx, ali.ID)
	require.NoError(t, err)
	require.False(t, mine[0].Disabled)
	require.True(t, mine[1].Disabled)
	require.NoError(t, p.SetUserDisabled(p.Ctx, access.AtCommandLine(p.Tenant.ID), ali.ID, true))
	got, err = p.Members(p.Ctx, p.Tenant.ID)
	require.NoError(t, err)
	require.True(t, got[0].Disabled && got[0].Everywhere)
	require.False(t, got[1].Disabled)
	p.Pass(access.LoginIdle)
	got, err = p.Members(p.Ctx, p.Tenant.ID)
	require.NoError(t, err)
	require.True(t, got[1].SeenAt.IsZero(), "that login has ended")
}

func TestOnlyTheOperatorAddsMembers(t *testing.T) {
	p := dbtest.NewPeople(t)
	noura, salem := p.AddPerson(t, p.Tenant, "noura", access.Admin), p.AddPerson(t, p.Other, "salem", access.Admin)
	dbtest.RequireKind(t, domain.Denied,
		p.AddMember(p.Ctx, dbtest.As(p.Tenant, noura, access.Admin), salem.ID, access.Viewer))
	dbtest.RequireKind(t, domain.Denied,
		p.SetUserDisabled(p.Ctx, dbtest.As(p.Tenant, noura, access.Admin), noura.ID, true))
	operator := access.AtCommandLine(p.Tenant.ID)
	dbtest.RequireNotFound(t, p.AddMember(p.Ctx, operator, "nobody", access.Viewer))
	dbtest.RequireNotFound(t, p.SetUserDisabled(p.Ctx, operator, "nobody", true))
	dbtest.RequireKind(t, domain.Invalid, p.AddMember(p.Ctx, operator, salem.ID, "owner"))
	require.NoError(t, p.AddMember(p.Ctx, operator, salem.ID, access.Viewer))
	dbtest.RequireKind(t, domain.Conflict, p.AddMember(p.Ctx, operator, salem.ID, access.Admin))
}

// TestLastAdmin checks that the last administrator who can act can't be demoted or disabled.
func TestLastAdmin(t *testing.T) {
	p := dbtest.NewPeople(t)
	noura := p.AddPerson(t, p.Tenant, "noura", access.Admin)
	p.AddPerson(t, p.Other, "salem", access.Admin) // another tenant's admin does not count
	self, operator := dbtest.As(p.Tenant, noura, access.Admin), access.AtCommandLine(p.Tenant.ID)
	stuck := func() {
		t.Helper()
		dbtest.RequireKind(t, domain.Conflict, p.SetRole(p.Ctx, self, noura.ID, access.Viewer))
		dbtest.RequireKind(t, domain.Conflict, p.SetMemberDisabled(p.Ctx, self, noura.ID, true))
		dbtest.RequireKind(t, domain.Conflict,
			p.SetRole(p.Ctx, access.AtCommandLine(p.Tenant.ID), noura.ID, access.Approver))
	}
	stuck()
	ali := p.AddPerson(t, p.Tenant, "ali", access.Approver)
	stuck()
	require.NoError(t, p.SetRole(p.Ctx, self, ali.ID, access.Admin))
	require.NoError(t, p.SetMemberDisabled(p.Ctx, operator, ali.ID, true))
	stuck() // the second one is disabled in this tenant
	require.NoError(t, p.SetMemberDisabled(p.Ctx, operator, ali.ID, false))
	require.NoError(t, p.SetUserDisabled(p.Ctx, access.AtCommandLine(p.Tenant.ID), ali.ID, true))
	stuck() // or everywhere
	require.NoError(t, p.SetUserDisabled(p.Ctx, access.AtCommandLine(p.Tenant.ID), ali.ID, false))
	require.NoError(t, p.SetRole(p.Ctx, operator, noura.ID, access.Viewer), "there is another one now")
	dbtest.RequireKind(t, domain.Conflict, p.SetMemberDisabled(p.Ctx, self, ali.ID, true))
	require.NoError(t, p.SetUserDisabled(p.Ctx, access.AtCommandLine(p.Tenant.ID), ali.ID, true), "the operator may")
	require.NoError(t, p.SetRole(p.Ctx, operator, ali.ID, access.Viewer), "a disabled user can't administer")
}

func TestLastAdminWhenBothAreDemotedAtOnce(t *testing.T) {
	p := dbtest.NewPeople(t)
	a, b := p.AddPerson(t, p.Tenant, "a", access.Admin), p.AddPerson(t, p.Tenant, "b", access.Admin)
	won := dbtest.Together(2, func(i int) bool {
		return p.SetRole(p.Ctx, access.AtCommandLine(p.Tenant.ID), []db.User{a, b}[i].ID, access.Viewer) == nil
	})
	require.Equal(t, 1, won)
}

func TestUnchangedIsNotLogged(t *testing.T) {
	p := dbtest.NewPeople(t)
	u := p.AddPerson(t, p.Tenant, "u", access.Admin)
	before := p.Actions(t, p.Tenant.ID)
	by := access.AtCommandLine(p.Tenant.ID)
	require.NoError(t, p.SetRole(p.Ctx, by, u.ID, access.Admin))
	require.NoError(t, p.SetMemberDisabled(p.Ctx, by, u.ID, false))
	require.NoError(t, p.SetUserDisabled(p.Ctx, by, u.ID, false))
	require.Equal(t, before, p.Actions(t, p.Tenant.ID))
}

func TestUserByIdentity(t *testing.T) {
	p := dbtest.NewPeople(t)
	noura := p.AddPerson(t, p.Tenant, "noura", access.Viewer)
	_, err := p.UserByIdentity(p.Ctx, "https://id.test", "s1", "")
	dbtest.RequireNotFound(t, err)
	_, err = p.UserByIdentity(p.Ctx, "https://id.test", "s1", "who@example.test")
	dbtest.RequireNotFound(t, err)
	got, err := p.UserByIdentity(p.Ctx, "https://id.test", "s1", "Noura@Example.test")
	require.NoError(t, err)
	require.Equal(t, noura, got)
	got, err = p.UserByIdentity(p.Ctx, "https://id.test", "s1", "changed@example.test")
	require.NoError(t, err, "once linked, the subject identifies the user")
	require.Equal(t, noura, got)
	_, err = p.UserByIdentity(p.Ctx, "https://id.test", "s2", "noura@example.test")
	dbtest.RequireNotFound(t, err) // a second subject with the same address is not linked
	_, err = p.UserByIdentity(p.Ctx, "https://other.test", "s1", "")
	dbtest.RequireNotFound(t, err) // nor is the same subject of another issuer
	require.Equal(t, []string{"user.added", "identity.linked"}, p.Actions(t, p.Tenant.ID))

	by := access.AtCommandLine(p.Tenant.ID)
	for _, login := range []string{"twin1", "twin2"} {
		_, err := p.AddUser(p.Ctx, by, db.User{Login: login, Name: login, Email: "twin@example.test"}, access.Viewer)
		require.NoError(t, err)
	}
	_, err = p.UserByIdentity(p.Ctx, "https://id.test", "s3", "twin@example.test")
	dbtest.RequireNotFound(t, err)
	gone := p.AddPerson(t, p.Tenant, "gone", access.Viewer)
	require.NoError(t, p.SetUserDisabled(p.Ctx, by, gone.ID, true))
	_, err = p.UserByIdentity(p.Ctx, "https://id.test", "s4", gone.Email)
	dbtest.RequireNotFound(t, err)
}
