package people_test

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
	*dbtest.People
	victim db.User
	rival  access.Actor
}

func newRivals(t *testing.T) *rivals {
	t.Helper()
	r := &rivals{People: dbtest.NewPeople(t)}
	r.victim = r.AddPerson(t, r.Other, "salem", access.Approver)
	r.rival = dbtest.As(r.Tenant, r.AddPerson(t, r.Tenant, "rival", access.Admin), access.Admin)
	return r
}

// adds has the rival add an account, and returns it.
func (r *rivals) adds(t *testing.T, login, email string) db.User {
	t.Helper()
	u, err := r.AddUser(r.Ctx, r.rival, db.User{Login: login, Name: "New", Email: email, Password: "phc"},
		access.Viewer)
	require.NoError(t, err)
	return u
}

// stays checks that whoever types the victim's names gets to the victim's account.
func (r *rivals) stays(t *testing.T) {
	t.Helper()
	for _, typed := range []string{r.victim.Login, r.victim.Email} {
		u, err := r.UserByLogin(r.Ctx, typed)
		require.NoError(t, err)
		require.Equal(t, r.victim, u, typed)
	}
}

// An administrator chose the victim's login e-mail as a login name, and got the victim's logins by it.
func TestNoTakeoverByLoginName(t *testing.T) {
	r := newRivals(t)
	for _, typed := range []string{r.victim.Email, "nobody@example.test", "salem@other", "nobody@other", "x@nowhere"} {
		_, err := r.AddUser(r.Ctx, r.rival, db.User{Login: typed, Name: "New"}, access.Viewer)
		dbtest.RequireKind(t, domain.Invalid, err) // whoever has it
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
	m, err := r.Member(r.Ctx, r.Tenant.ID, u.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"decoy@" + r.Tenant.Slug, "", r.victim.Email}, []string{m.Login, m.Email, m.Contact})
}

// An administrator gave an account the e-mail of somebody who had none here yet, and that person's first login by
// OpenID Connect led to the administrator's account.
func TestNoTakeoverByEmail(t *testing.T) {
	r := newRivals(t)
	r.adds(t, "decoy", "minister@example.test")
	_, err := r.UserByLogin(r.Ctx, "minister@example.test")
	dbtest.RequireNotFound(t, err)
}

func TestContactLinksNoIdentity(t *testing.T) {
	r := newRivals(t)
	r.adds(t, "decoy", "minister@example.test")
	r.adds(t, "decoy2", r.victim.Email)
	_, err := r.UserByIdentity(r.Ctx, "https://id.test", "s1", "minister@example.test")
	dbtest.RequireNotFound(t, err)
	u, err := r.UserByIdentity(r.Ctx, "https://id.test", "s2", r.victim.Email)
	require.NoError(t, err, "the decoy does not block the victim's first login there either")
	require.Equal(t, r.victim, u)
}

// A name that somebody has elsewhere is as free as any other; one of the own tenant is taken.
func TestAddingTellsNoName(t *testing.T) {
	r := newRivals(t)
	require.Equal(t, "salem@"+r.Tenant.Slug, r.adds(t, " Salem ", "").Login)
	require.Equal(t, "nobody@"+r.Tenant.Slug, r.adds(t, "nobody@"+r.Tenant.Slug, "").Login, "typed in full")
	_, err := r.AddUser(r.Ctx, r.rival, db.User{Login: "nobody", Name: "New"}, access.Viewer)
	dbtest.RequireKind(t, domain.Conflict, err)
	r.stays(t)
}

// Somebody elsewhere has a name with this tenant's end from before there was the rule: the end changes for all names of
// the tenant, so that none of them tells which one that is.
func TestNamesFromBeforeCollideWithNone(t *testing.T) {
	r := newRivals(t)
	end := "@" + r.Tenant.Slug
	dbtest.Exec(t, dbtest.Raw(t, r.Dir), "UPDATE users SET login = ? WHERE id = ?", "khalid"+end, r.victim.ID)
	require.Equal(t, "khalid"+end+".2", r.adds(t, "khalid", "").Login)
	require.Equal(t, "free"+end+".2", r.adds(t, "free", "").Login)
	_, err := r.AddUser(r.Ctx, r.rival, db.User{Login: "khalid" + end, Name: "New"}, access.Viewer)
	dbtest.RequireKind(t, domain.Invalid, err)
	_, err = r.AddUser(r.Ctx, r.rival, db.User{Login: "free2" + end, Name: "New"}, access.Viewer)
	dbtest.RequireKind(t, domain.Invalid, err)
	u, err := r.UserByLogin(r.Ctx, "khalid"+end)
	require.NoError(t, err)
	require.Equal(t, r.victim.ID, u.ID, "accounts of before keep their names")
}

// Where there is one tenant, its administrators name accounts as the operator does; those keep their names when there
// are more tenants.
func TestOneTenantHasPlainNames(t *testing.T) {
	f := dbtest.New(t)
	p := &dbtest.People{Clocked: &dbtest.Clocked{Fixture: f, Ctx: t.Context(), At: dbtest.Now}}
	boss := dbtest.As(p.Tenant, p.AddPerson(t, p.Tenant, "boss", access.Admin), access.Admin)
	add := func(login string) (db.User, error) {
		return p.AddUser(p.Ctx, boss, db.User{Login: login, Name: "New", Email: login + "@example.test"}, access.Viewer)
	}
	first, err := add("first")
	require.NoError(t, err)
	require.Equal(t, []string{"first", "first@example.test", ""}, []string{first.Login, first.Email, first.Contact})
	_, err = add("first@" + p.Tenant.Slug)
	dbtest.RequireKind(t, domain.Invalid, err)
	_, err = p.AddTenant(p.Ctx, "second", "Second")
	require.NoError(t, err)
	u, err := p.UserByLogin(p.Ctx, "first@example.test")
	require.NoError(t, err)
	require.Equal(t, first, u)
	next, err := add("next")
	require.NoError(t, err)
	require.Equal(t, "next@"+p.Tenant.Slug, next.Login)
	_, err = p.UserByLogin(p.Ctx, "next")
	dbtest.RequireNotFound(t, err) // only the whole name is one
}

// The operator's names are of the whole installation, and are never of the form that accounts of one tenant have.
func TestOperatorsNames(t *testing.T) {
	r := newRivals(t)
	by := access.AtCommandLine(r.Tenant.ID)
	for _, login := range []string{"khalid@" + r.Tenant.Slug, "khalid@nowhere", "khalid@" + r.Tenant.Slug + ".2"} {
		_, err := r.AddUser(r.Ctx, by, db.User{Login: login, Name: "New"}, access.Viewer)
		dbtest.RequireKind(t, domain.Invalid, err)
	}
	u, err := r.AddUser(r.Ctx, by, db.User{Login: "khalid@example.test", Name: "New", Email: "k@example.test"},
		access.Viewer)
	require.NoError(t, err)
	require.Equal(t, "khalid@example.test", u.Login)
	require.Equal(t, "k@example.test", u.Email)
}

// A request that waits for a second administrator shows and makes the whole name.
func TestRequestedAccountIsOfTheTenant(t *testing.T) {
	p := newPair(t)
	_, err := p.AddUser(p.Ctx, p.first, db.User{Login: "new", Name: "New", Email: "new@example.test"}, access.Approver)
	r := dbtest.RequireAsked(t, err)
	require.Equal(t, "new@"+p.Tenant.Slug, r.Change.Object)
	_, err = p.ConfirmChange(p.Ctx, p.second, r.ID)
	require.NoError(t, err)
	u, err := p.UserByLogin(p.Ctx, "new@"+p.Tenant.Slug)
	require.NoError(t, err)
	require.Equal(t, []string{"", "new@example.test"}, []string{u.Email, u.Contact})
}
