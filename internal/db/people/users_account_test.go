package people_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
)

func TestWhoMayChangeAnAccount(t *testing.T) {
	p := dbtest.NewPeople(t)
	admin, user := p.AddPerson(t, p.Tenant, "admin", access.Admin), p.AddPerson(t, p.Tenant, "user", access.Viewer)
	salem := p.AddPerson(t, p.Other, "salem", access.Admin)
	set := func(by access.Actor, phc string) error {
		err := p.SetPassword(p.Ctx, by, user.ID, db.NewPassword{PHC: phc})
		require.Equal(t, domain.KindOf(err), domain.KindOf(p.SetTOTP(p.Ctx, by, user.ID, nil, nil)))
		got, e := p.UserByLogin(p.Ctx, "user")
		require.NoError(t, e)
		require.Equal(t, err == nil, got.Password == phc)
		return err
	}
	require.NoError(t, set(dbtest.As(p.Tenant, admin, access.Admin), "1"))
	dbtest.RequireNotFound(t, set(dbtest.As(p.Other, salem, access.Admin), "2"))
	p.AlsoMember(t, p.Other, user, access.Viewer)
	dbtest.RequireKind(t, domain.Denied, set(dbtest.As(p.Tenant, admin, access.Admin), "3"))
	dbtest.RequireKind(t, domain.Denied, set(dbtest.As(p.Other, salem, access.Admin), "4"))
	require.NoError(t, set(dbtest.As(p.Tenant, user, access.Viewer), "5"))
	require.NoError(t, set(access.AtCommandLine(p.Other.ID), "6"))
	dbtest.RequireNotFound(t, p.SetPassword(p.Ctx, access.AtCommandLine(p.Tenant.ID), "nobody",
		db.NewPassword{PHC: "x"}))

	dbtest.RequireKind(t, domain.Denied,
		p.SetTOTP(p.Ctx, dbtest.As(p.Tenant, admin, access.Admin), user.ID, []byte("7"), nil))
	require.NoError(t, p.SetTOTP(p.Ctx, dbtest.As(p.Tenant, user, access.Viewer), user.ID, []byte("8"), nil))
	got, err := p.UserByLogin(p.Ctx, "user")
	require.NoError(t, err)
	require.Equal(t, "8", string(got.TOTP))

	for _, tenant := range []string{p.Tenant.ID, p.Other.ID} {
		require.Contains(t, p.Actions(t, tenant), "user.password_changed")
		require.Contains(t, p.Actions(t, tenant), "user.totp_changed")
	}
}

func TestANewPasswordEndsTheOtherLogins(t *testing.T) {
	p := dbtest.NewPeople(t)
	u, v := p.AddPerson(t, p.Tenant, "u", access.Viewer), p.AddPerson(t, p.Tenant, "v", access.Viewer)
	here, there, another := p.SignIn(t, p.Tenant, u, "here"), p.SignIn(t, p.Tenant, u, "there"), p.SignIn(t, p.Tenant,
		v, "another")
	require.NoError(t, p.SetPassword(p.Ctx, dbtest.As(p.Tenant, u, access.Viewer), u.ID,
		db.NewPassword{PHC: "new", KeepLogin: here.ID}))
	require.Equal(t, []bool{true, false, true},
		[]bool{p.IsSignedIn(t, here), p.IsSignedIn(t, there), p.IsSignedIn(t, another)})
	require.NoError(t, p.SetPassword(p.Ctx, dbtest.As(p.Tenant, u, access.Viewer), u.ID, db.NewPassword{PHC: "newer"}))
	require.Equal(t, []bool{false, true}, []bool{p.IsSignedIn(t, here), p.IsSignedIn(t, another)})
}

// A new password ends the tokens that act as the person, in every tenant, with an event for each; others' stay.
func TestANewPasswordEndsTheTokens(t *testing.T) {
	p := dbtest.NewPeople(t)
	u, v := p.AddPerson(t, p.Tenant, "u", access.Viewer), p.AddPerson(t, p.Tenant, "v", access.Viewer)
	p.AlsoMember(t, p.Other, u, access.Reviewer)
	here, there := p.MakeToken(t, p.Tenant, u, access.Viewer, "here"),
		p.MakeToken(t, p.Other, u, access.Reviewer, "there")
	another := p.MakeToken(t, p.Tenant, v, access.Viewer, "another")
	machine := p.MakeToken(t, p.Tenant, db.User{}, access.Viewer, "machine")
	valid := func() (out []bool) {
		for _, k := range []access.Token{here, there, another, machine} {
			_, err := p.TokenActor(p.Ctx, k.Hash, netip.Addr{})
			out = append(out, err == nil)
		}
		return out
	}
	ended := func() (n int) {
		for _, action := range append(p.Actions(t, p.Tenant.ID), p.Actions(t, p.Other.ID)...) {
			if action == "token.revoked" {
				n++
			}
		}
		return n
	}
	self := dbtest.As(p.Tenant, u, access.Viewer)
	require.NoError(t, p.SetPassword(p.Ctx, self, u.ID, db.NewPassword{PHC: "1", KeepTokens: true}))
	require.Equal(t, []bool{true, true, true, true}, valid())
	require.Zero(t, ended())
	require.NoError(t, p.SetPassword(p.Ctx, self, u.ID, db.NewPassword{PHC: "2"}))
	require.Equal(t, []bool{false, false, true, true}, valid())
	require.Equal(t, 2, ended())
	require.NoError(t, p.SetPassword(p.Ctx, access.AtCommandLine(p.Tenant.ID), v.ID, db.NewPassword{PHC: "3"}))
	require.Equal(t, []bool{false, false, false, true}, valid())
}

func TestATimeStepCountsOnce(t *testing.T) {
	p := dbtest.NewPeople(t)
	u := p.AddPerson(t, p.Tenant, "u", access.Viewer)
	use := func(step int64) bool {
		ok, err := p.UseTOTPStep(p.Ctx, u.ID, step)
		require.NoError(t, err)
		return ok
	}
	require.True(t, use(100))
	require.False(t, use(100))
	require.False(t, use(99))
	require.True(t, use(101))
	require.NoError(t, p.SetTOTP(p.Ctx, dbtest.As(p.Tenant, u, access.Viewer), u.ID, []byte("new secret"), nil))
	require.False(t, use(101), "nor after a new secret")
	require.Equal(t, 1, dbtest.Together(20, func(int) bool {
		ok, err := p.UseTOTPStep(p.Ctx, u.ID, 200)
		return ok && err == nil
	}))
	ok, err := p.UseTOTPStep(p.Ctx, "nobody", 1)
	require.NoError(t, err)
	require.False(t, ok)
}

func TestARecoveryCodeCountsOnce(t *testing.T) {
	p := dbtest.NewPeople(t)
	u, v := p.AddPerson(t, p.Tenant, "u", access.Viewer), p.AddPerson(t, p.Tenant, "v", access.Viewer)
	self := dbtest.As(p.Tenant, u, access.Viewer)
	use := func(user, hash string) bool {
		ok, err := p.UseRecoveryCode(p.Ctx, self, user, hash)
		require.NoError(t, err)
		return ok
	}
	require.NoError(t, p.SetTOTP(p.Ctx, self, u.ID, []byte("s"), []string{"a", "b", "c"}))
	require.False(t, use(u.ID, "x"))
	require.False(t, use(v.ID, "a"), "it is another's")
	require.True(t, use(u.ID, "a"))
	require.False(t, use(u.ID, "a"))
	require.Equal(t, 1, dbtest.Together(20, func(int) bool {
		ok, err := p.UseRecoveryCode(p.Ctx, self, u.ID, "b")
		return ok && err == nil
	}))
	require.NoError(t, p.SetTOTP(p.Ctx, self, u.ID, []byte("t"), []string{"d"}))
	require.False(t, use(u.ID, "c"), "new codes replace the old ones")
	require.NoError(t, p.SetTOTP(p.Ctx, self, u.ID, nil, nil))
	require.False(t, use(u.ID, "d"))
	got, err := p.UserByLogin(p.Ctx, "u")
	require.NoError(t, err)
	require.Nil(t, got.TOTP)
	used := 0
	for _, a := range p.Actions(t, p.Tenant.ID) {
		if a == "login.recovery_used" {
			used++
		}
	}
	require.Equal(t, 2, used)
}

func TestFailures(t *testing.T) {
	p := dbtest.NewPeople(t)
	u := p.AddPerson(t, p.Tenant, "u", access.Viewer)
	p.AlsoMember(t, p.Other, u, access.Viewer)
	failures := func(key string) (int, time.Time) {
		n, last, err := p.Failures(p.Ctx, key)
		require.NoError(t, err)
		return n, last
	}
	n, last := failures("k")
	require.Zero(t, n)
	require.True(t, last.IsZero())
	for range 3 {
		p.Pass(time.Minute)
		require.NoError(t, p.LoginFailed(p.Ctx, access.Actor{From: "192.0.2.7"}, "k", u.ID))
		require.NoError(t, p.LogFailures(p.Ctx))
	}
	at := p.At
	require.NoError(t, p.LoginFailed(p.Ctx, access.Actor{From: "192.0.2.7"}, "nobody's", ""))
	require.NoError(t, p.LogFailures(p.Ctx))
	n, last = failures("k")
	require.Equal(t, 3, n)
	require.Equal(t, at, last)
	require.NoError(t, p.LoginSucceeded(p.Ctx, "k"))
	n, _ = failures("k")
	require.Zero(t, n)
	n, _ = failures("nobody's")
	require.Equal(t, 1, n, "another user's success does not reset the count")

	for _, tenant := range []string{p.Tenant.ID, p.Other.ID} {
		require.Equal(t, []string{"user.added", "login.failed", "login.failed", "login.failed"}, p.Actions(t, tenant))
	}
	require.Equal(t, []string{"login.failed"}, p.Actions(t, db.SystemTenant))
	p.Pass(24 * time.Hour)
	n, _ = failures("nobody's")
	require.Zero(t, n, "no failure for a day")
	require.NoError(t, p.LoginFailed(p.Ctx, access.Actor{From: "192.0.2.7"}, "k", u.ID))
	require.Equal(t, 1, dbtest.Count(t, dbtest.Raw(t, p.Dir), "login_failures"), "and the row is gone")
	require.Equal(t, 20, dbtest.Together(20,
		func(int) bool { return p.LoginFailed(p.Ctx, access.Actor{From: "192.0.2.7"}, "many", "") == nil }))
	n, _ = failures("many")
	require.Equal(t, 20, n)
}

// TestJobTitle: a job title is of one tenant; whoever asks with a login or a token of the person has it, and the log says
// that it changed, never what it is.
func TestJobTitle(t *testing.T) {
	p := dbtest.NewPeople(t)
	admin, user := p.AddPerson(t, p.Tenant, "admin", access.Admin), p.AddPerson(t, p.Tenant, "user", access.Approver)
	p.AlsoMember(t, p.Other, user, access.Viewer)
	by, self := dbtest.As(p.Tenant, admin, access.Admin), dbtest.As(p.Tenant, user, access.Approver)
	const title = "Head of Procurement · مديرة المشتريات"
	titleIn := func(tenant db.Tenant) string {
		m, err := p.Member(p.Ctx, tenant.ID, user.ID)
		require.NoError(t, err)
		return m.Title
	}
	require.Empty(t, titleIn(p.Tenant))
	require.NoError(t, p.SetTitle(p.Ctx, self, user.ID, "  "+title+" "))
	require.Equal(t, []string{title, ""}, []string{titleIn(p.Tenant), titleIn(p.Other)})

	p.SignIn(t, p.Tenant, user, "here")
	login, err := p.SignedIn(p.Ctx, "hash of here")
	require.NoError(t, err)
	_, err = p.AddToken(p.Ctx, self, access.Token{UserID: user.ID, Name: "t", Role: access.Approver, Hash: "hash of t",
		ExpiresAt: p.At.Add(time.Hour)})
	require.NoError(t, err)
	token, err := p.TokenActor(p.Ctx, "hash of t", netip.Addr{})
	require.NoError(t, err)
	require.Equal(t, []string{title, title}, []string{login.Actor().Title, token.Title})

	events, err := p.AccountEvents(p.Ctx, p.Tenant.ID, user.ID, 9)
	require.NoError(t, err)
	changed := slices.IndexFunc(events, func(e audit.StoredEvent) bool { return e.Action == "user.title_changed" })
	require.GreaterOrEqual(t, changed, 0)
	require.NotContains(t, fmt.Sprintf("%+v", events), "Procurement")

	require.NoError(t, p.SetTitle(p.Ctx, by, user.ID, strings.Repeat("م", 100)))
	dbtest.RequireKind(t, domain.Invalid, p.SetTitle(p.Ctx, by, user.ID, strings.Repeat("م", 101)))
	dbtest.RequireKind(t, domain.Invalid, p.SetTitle(p.Ctx, by, user.ID, "Head\nof"))
	dbtest.RequireNotFound(t, p.SetTitle(p.Ctx, by, "nobody", "x"))
	require.NoError(t, p.SetTitle(p.Ctx, by, user.ID, ""))
	require.Empty(t, titleIn(p.Tenant))
}
