package db_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// rivals are a person of one tenant, whose account is of the whole installation, and an administrator of another
// tenant.
type rivals struct {
	*people
	victim db.User
	rival  access.Actor
}

func newRivals(t *testing.T) *rivals {
	t.Helper()
	r := &rivals{people: newPeople(t)}
	r.victim = r.add(t, r.other, "salem", access.Approver)
	r.rival = as(r.tenant, r.add(t, r.tenant, "rival", access.Admin), access.Admin)
	return r
}

// adds has the rival add an account, and returns it.
func (r *rivals) adds(t *testing.T, login, email string) db.User {
	t.Helper()
	u, err := r.AddUser(r.ctx, r.rival, db.User{Login: login, Name: "New", Email: email, Password: "phc"},
		access.Viewer)
	require.NoError(t, err)
	return u
}

// stays checks that whoever types the victim's names gets to the victim's account.
func (r *rivals) stays(t *testing.T) {
	t.Helper()
	for _, typed := range []string{r.victim.Login, r.victim.Email} {
		u, err := r.UserByLogin(r.ctx, typed)
		require.NoError(t, err)
		require.Equal(t, r.victim, u, typed)
	}
}

// An administrator chose the victim's login e-mail as a login name, and got the victim's logins by it.
func TestNoTakeoverByLoginName(t *testing.T) {
	r := newRivals(t)
	for _, typed := range []string{r.victim.Email, "nobody@example.test", "salem@other", "nobody@other", "x@nowhere"} {
		_, err := r.AddUser(r.ctx, r.rival, db.User{Login: typed, Name: "New"}, access.Viewer)
		is(t, domain.Invalid, err) // whoever has it
	}
	r.stays(t)
}

// An administrator gave an account the victim's e-mail; neither was found by it any more.
func TestNoBlockingByEmail(t *testing.T) {
	r := newRivals(t)
	u := r.adds(t, "decoy", r.victim.Email)
	require.Empty(t, u.Email)
	require.Equal(t, r.victim.Email, u.Contact)
	r.stays(t)
	m, err := r.Member(r.ctx, r.tenant.ID, u.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"decoy@" + r.tenant.Slug, "", r.victim.Email}, []string{m.Login, m.Email, m.Contact})
}

// An administrator gave an account the e-mail of somebody who had none here yet, and that person's first login by
// OpenID Connect led to the administrator's account.
func TestNoTakeoverByEmail(t *testing.T) {
	r := newRivals(t)
	r.adds(t, "decoy", "minister@example.test")
	_, err := r.UserByLogin(r.ctx, "minister@example.test")
	isNotFound(t, err)
}

func TestContactLinksNoIdentity(t *testing.T) {
	r := newRivals(t)
	r.adds(t, "decoy", "minister@example.test")
	r.adds(t, "decoy2", r.victim.Email)
	_, err := r.UserByIdentity(r.ctx, "https://id.test", "s1", "minister@example.test")
	isNotFound(t, err)
	u, err := r.UserByIdentity(r.ctx, "https://id.test", "s2", r.victim.Email)
	require.NoError(t, err, "the decoy does not block the victim's first login there either")
	require.Equal(t, r.victim, u)
}

// A name that somebody has elsewhere is as free as any other; one of the own tenant is taken.
func TestAddingTellsNoName(t *testing.T) {
	r := newRivals(t)
	require.Equal(t, "salem@"+r.tenant.Slug, r.adds(t, " Salem ", "").Login)
	require.Equal(t, "nobody@"+r.tenant.Slug, r.adds(t, "nobody@"+r.tenant.Slug, "").Login, "typed in full")
	_, err := r.AddUser(r.ctx, r.rival, db.User{Login: "nobody", Name: "New"}, access.Viewer)
	is(t, domain.Conflict, err)
	r.stays(t)
}

// Somebody elsewhere has a name with this tenant's end from before there was the rule: the end changes for all names of
// the tenant, so that none of them tells which one that is.
func TestNamesFromBeforeCollideWithNone(t *testing.T) {
	r := newRivals(t)
	end := "@" + r.tenant.Slug
	must(t, dbtest.Raw(t, r.dir), "UPDATE users SET login = ? WHERE id = ?", "khalid"+end, r.victim.ID)
	require.Equal(t, "khalid"+end+".2", r.adds(t, "khalid", "").Login)
	require.Equal(t, "free"+end+".2", r.adds(t, "free", "").Login)
	_, err := r.AddUser(r.ctx, r.rival, db.User{Login: "khalid" + end, Name: "New"}, access.Viewer)
	is(t, domain.Invalid, err)
	_, err = r.AddUser(r.ctx, r.rival, db.User{Login: "free2" + end, Name: "New"}, access.Viewer)
	is(t, domain.Invalid, err)
	u, err := r.UserByLogin(r.ctx, "khalid"+end)
	require.NoError(t, err)
	require.Equal(t, r.victim.ID, u.ID, "accounts of before keep their names")
}

// Where there is one tenant, its administrators name accounts as the operator does; those keep their names when there
// are more tenants.
func TestOneTenantHasPlainNames(t *testing.T) {
	f := newFixture(t)
	p := &people{fixture: f, ctx: t.Context(), now: now}
	boss := as(p.tenant, p.add(t, p.tenant, "boss", access.Admin), access.Admin)
	add := func(login string) (db.User, error) {
		return p.AddUser(p.ctx, boss, db.User{Login: login, Name: "New", Email: login + "@example.test"}, access.Viewer)
	}
	first, err := add("first")
	require.NoError(t, err)
	require.Equal(t, []string{"first", "first@example.test", ""}, []string{first.Login, first.Email, first.Contact})
	_, err = add("first@" + p.tenant.Slug)
	is(t, domain.Invalid, err)
	_, err = p.AddTenant(p.ctx, "second", "Second")
	require.NoError(t, err)
	u, err := p.UserByLogin(p.ctx, "first@example.test")
	require.NoError(t, err)
	require.Equal(t, first, u)
	next, err := add("next")
	require.NoError(t, err)
	require.Equal(t, "next@"+p.tenant.Slug, next.Login)
	_, err = p.UserByLogin(p.ctx, "next")
	isNotFound(t, err) // only the whole name is one
}

// The operator's names are of the whole installation, and are never of the form that accounts of one tenant have.
func TestOperatorsNames(t *testing.T) {
	r := newRivals(t)
	by := access.AtCommandLine(r.tenant.ID)
	for _, login := range []string{"khalid@" + r.tenant.Slug, "khalid@nowhere", "khalid@" + r.tenant.Slug + ".2"} {
		_, err := r.AddUser(r.ctx, by, db.User{Login: login, Name: "New"}, access.Viewer)
		is(t, domain.Invalid, err)
	}
	u, err := r.AddUser(r.ctx, by, db.User{Login: "khalid@example.test", Name: "New", Email: "k@example.test"},
		access.Viewer)
	require.NoError(t, err)
	require.Equal(t, "khalid@example.test", u.Login)
	require.Equal(t, "k@example.test", u.Email)
}

// A request that waits for a second administrator shows and makes the whole name.
func TestRequestedAccountIsOfTheTenant(t *testing.T) {
	p := newPair(t)
	_, err := p.AddUser(p.ctx, p.first, db.User{Login: "new", Name: "New", Email: "new@example.test"}, access.Approver)
	r := asked(t, err)
	require.Equal(t, "new@"+p.tenant.Slug, r.Change.Object)
	_, err = p.ConfirmChange(p.ctx, p.second, r.ID)
	require.NoError(t, err)
	u, err := p.UserByLogin(p.ctx, "new@"+p.tenant.Slug)
	require.NoError(t, err)
	require.Equal(t, []string{"", "new@example.test"}, []string{u.Email, u.Contact})
}
