package db_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

func TestAddUser(t *testing.T) {
	p := newPeople(t)
	by := access.AtCommandLine(p.tenant.ID)
	u, err := p.AddUser(p.ctx, by, db.User{
		Login: " Noura@Example.Test ", Name: "نورة الكعبي", Email: "Noura@Example.Test", Password: "phc",
	}, access.Admin)
	require.NoError(t, err)
	require.Equal(t, "noura@example.test", u.Login)
	for _, login := range []string{"noura@example.test", " NOURA@EXAMPLE.TEST"} {
		got, err := p.UserByLogin(p.ctx, login)
		require.NoError(t, err)
		require.Equal(t, u, got)
	}
	_, err = p.UserByLogin(p.ctx, "nobody")
	isNotFound(t, err)

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
			_, err := p.AddUser(p.ctx, c.by, c.user, c.role)
			is(t, c.want, err)
		})
	}
	_, err = p.UserByLogin(p.ctx, "a")
	isNotFound(t, err) // nothing was left behind
	require.Equal(t, []string{"user.added"}, p.actions(t, p.tenant.ID))
}

func TestMembers(t *testing.T) {
	p := newPeople(t)
	noura, ali := p.add(t, p.tenant, "noura", access.Admin), p.add(t, p.tenant, "ali", access.Viewer)
	p.add(t, p.other, "salem", access.Admin)
	p.also(t, p.other, ali, access.Approver)
	p.signIn(t, p.tenant, noura, "one")
	p.signIn(t, p.other, ali, "two") // logins elsewhere are not visible to this tenant

	got, err := p.Members(p.ctx, p.tenant.ID)
	require.NoError(t, err)
	inBoth, seen := member(ali, access.Viewer), member(noura, access.Admin)
	inBoth.Others, seen.SeenAt = 1, p.now
	require.Equal(t, []access.Member{inBoth, seen}, got)

	mine, err := p.Memberships(p.ctx, ali.ID)
	require.NoError(t, err)
	require.Equal(t, []db.Membership{{
		Tenant: p.tenant, Role: access.Viewer,
	}, {Tenant: p.other, Role: access.Approver}}, mine)

	require.NoError(t, p.SetMemberDisabled(p.ctx, access.AtCommandLine(p.other.ID), ali.ID, true))
	mine, err = p.Memberships(p.ctx, ali.ID)
	require.NoError(t, err)
	require.False(t, mine[0].Disabled)
	require.True(t, mine[1].Disabled)
	require.NoError(t, p.SetUserDisabled(p.ctx, access.AtCommandLine(p.tenant.ID), ali.ID, true))
	got, err = p.Members(p.ctx, p.tenant.ID)
	require.NoError(t, err)
	require.True(t, got[0].Disabled && got[0].Everywhere)
	require.False(t, got[1].Disabled)
	p.pass(access.LoginIdle)
	got, err = p.Members(p.ctx, p.tenant.ID)
	require.NoError(t, err)
	require.True(t, got[1].SeenAt.IsZero(), "that login has ended")
}

func TestOnlyTheOperatorAddsMembers(t *testing.T) {
	p := newPeople(t)
	noura, salem := p.add(t, p.tenant, "noura", access.Admin), p.add(t, p.other, "salem", access.Admin)
	is(t, domain.Denied, p.AddMember(p.ctx, as(p.tenant, noura, access.Admin), salem.ID, access.Viewer))
	is(t, domain.Denied, p.SetUserDisabled(p.ctx, as(p.tenant, noura, access.Admin), noura.ID, true))
	operator := access.AtCommandLine(p.tenant.ID)
	isNotFound(t, p.AddMember(p.ctx, operator, "nobody", access.Viewer))
	isNotFound(t, p.SetUserDisabled(p.ctx, operator, "nobody", true))
	is(t, domain.Invalid, p.AddMember(p.ctx, operator, salem.ID, "owner"))
	require.NoError(t, p.AddMember(p.ctx, operator, salem.ID, access.Viewer))
	is(t, domain.Conflict, p.AddMember(p.ctx, operator, salem.ID, access.Admin))
}

// TestLastAdmin checks that the last administrator who can act can't be demoted or disabled.
func TestLastAdmin(t *testing.T) {
	p := newPeople(t)
	noura := p.add(t, p.tenant, "noura", access.Admin)
	p.add(t, p.other, "salem", access.Admin) // another tenant's admin does not count
	self, operator := as(p.tenant, noura, access.Admin), access.AtCommandLine(p.tenant.ID)
	stuck := func() {
		t.Helper()
		is(t, domain.Conflict, p.SetRole(p.ctx, self, noura.ID, access.Viewer))
		is(t, domain.Conflict, p.SetMemberDisabled(p.ctx, self, noura.ID, true))
		is(t, domain.Conflict, p.SetRole(p.ctx, access.AtCommandLine(p.tenant.ID), noura.ID, access.Approver))
	}
	stuck()
	ali := p.add(t, p.tenant, "ali", access.Approver)
	stuck()
	require.NoError(t, p.SetRole(p.ctx, self, ali.ID, access.Admin))
	require.NoError(t, p.SetMemberDisabled(p.ctx, operator, ali.ID, true))
	stuck() // the second one is disabled in this tenant
	require.NoError(t, p.SetMemberDisabled(p.ctx, operator, ali.ID, false))
	require.NoError(t, p.SetUserDisabled(p.ctx, access.AtCommandLine(p.tenant.ID), ali.ID, true))
	stuck() // or everywhere
	require.NoError(t, p.SetUserDisabled(p.ctx, access.AtCommandLine(p.tenant.ID), ali.ID, false))
	require.NoError(t, p.SetRole(p.ctx, operator, noura.ID, access.Viewer), "there is another one now")
	is(t, domain.Conflict, p.SetMemberDisabled(p.ctx, self, ali.ID, true))
	require.NoError(t, p.SetUserDisabled(p.ctx, access.AtCommandLine(p.tenant.ID), ali.ID, true), "the operator may")
	require.NoError(t, p.SetRole(p.ctx, operator, ali.ID, access.Viewer), "a disabled user can't administer")
}

func TestLastAdminWhenBothAreDemotedAtOnce(t *testing.T) {
	p := newPeople(t)
	a, b := p.add(t, p.tenant, "a", access.Admin), p.add(t, p.tenant, "b", access.Admin)
	won := together(2, func(i int) bool {
		return p.SetRole(p.ctx, access.AtCommandLine(p.tenant.ID), []db.User{a, b}[i].ID, access.Viewer) == nil
	})
	require.Equal(t, 1, won)
}

func TestUnchangedIsNotLogged(t *testing.T) {
	p := newPeople(t)
	u := p.add(t, p.tenant, "u", access.Admin)
	before := p.actions(t, p.tenant.ID)
	by := access.AtCommandLine(p.tenant.ID)
	require.NoError(t, p.SetRole(p.ctx, by, u.ID, access.Admin))
	require.NoError(t, p.SetMemberDisabled(p.ctx, by, u.ID, false))
	require.NoError(t, p.SetUserDisabled(p.ctx, by, u.ID, false))
	require.Equal(t, before, p.actions(t, p.tenant.ID))
}

func TestUserByIdentity(t *testing.T) {
	p := newPeople(t)
	noura := p.add(t, p.tenant, "noura", access.Viewer)
	_, err := p.UserByIdentity(p.ctx, "https://id.test", "s1", "")
	isNotFound(t, err)
	_, err = p.UserByIdentity(p.ctx, "https://id.test", "s1", "who@example.test")
	isNotFound(t, err)
	got, err := p.UserByIdentity(p.ctx, "https://id.test", "s1", "Noura@Example.test")
	require.NoError(t, err)
	require.Equal(t, noura, got)
	got, err = p.UserByIdentity(p.ctx, "https://id.test", "s1", "changed@example.test")
	require.NoError(t, err, "once linked, the subject identifies the user")
	require.Equal(t, noura, got)
	_, err = p.UserByIdentity(p.ctx, "https://id.test", "s2", "noura@example.test")
	isNotFound(t, err) // a second subject with the same address is not linked
	_, err = p.UserByIdentity(p.ctx, "https://other.test", "s1", "")
	isNotFound(t, err) // nor is the same subject of another issuer
	require.Equal(t, []string{"user.added", "identity.linked"}, p.actions(t, p.tenant.ID))

	by := access.AtCommandLine(p.tenant.ID)
	for _, login := range []string{"twin1", "twin2"} {
		_, err := p.AddUser(p.ctx, by, db.User{Login: login, Name: login, Email: "twin@example.test"}, access.Viewer)
		require.NoError(t, err)
	}
	_, err = p.UserByIdentity(p.ctx, "https://id.test", "s3", "twin@example.test")
	isNotFound(t, err)
	gone := p.add(t, p.tenant, "gone", access.Viewer)
	require.NoError(t, p.SetUserDisabled(p.ctx, by, gone.ID, true))
	_, err = p.UserByIdentity(p.ctx, "https://id.test", "s4", gone.Email)
	isNotFound(t, err)
}
