package db_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
)

func TestSignedIn(t *testing.T) {
	p := newPeople(t)
	u := p.add(t, p.tenant, "u", access.Approver)
	l := p.signIn(t, p.tenant, u, "one")
	before := p.QueryCount()
	got, err := p.SignedIn(p.ctx, l.TokenHash)
	require.NoError(t, err)
	require.Equal(t, int64(1), p.QueryCount()-before, "one query")
	l.CreatedAt, l.SeenAt = p.now, p.now
	require.Equal(t, &db.SignedIn{Login: l, User: u, Role: access.Approver, Tenant: p.tenant}, got)
	require.Equal(t, access.Actor{Tenant: p.tenant.ID, ID: u.ID, User: u.Name, Role: access.Approver, Human: true},
		got.Actor())
	for _, hash := range []string{"", "one", "' OR 1=1 --"} {
		_, err := p.SignedIn(p.ctx, hash)
		isNotFound(t, err)
	}
}

func TestLoginExpires(t *testing.T) {
	p := newPeople(t)
	u := p.add(t, p.tenant, "u", access.Viewer)

	idle := p.signIn(t, p.tenant, u, "idle")
	p.pass(access.LoginIdle - 1)
	require.True(t, p.in(t, idle))
	p.pass(1)
	require.False(t, p.in(t, idle))
	require.NoError(t, p.SeeLogin(p.ctx, idle.ID))
	require.False(t, p.in(t, idle), "a late request does not revive a login")

	busy := p.signIn(t, p.tenant, u, "busy")
	began := p.now
	for p.now.Sub(began) < access.LoginAbsolute {
		require.True(t, p.in(t, busy), p.now.Sub(began))
		require.NoError(t, p.SeeLogin(p.ctx, busy.ID))
		p.pass(20 * time.Minute)
	}
	require.False(t, p.in(t, busy))
	require.NoError(t, p.SeeLogin(p.ctx, busy.ID))
	self := as(p.tenant, u, access.Viewer)
	isNotFound(t, p.FreshenLogin(p.ctx, self, busy.ID, "new"))
	all, err := p.Logins(p.ctx, u.ID)
	require.NoError(t, err)
	require.Empty(t, all)
}

func TestEndedLoginsAreDeleted(t *testing.T) {
	p := newPeople(t)
	u := p.add(t, p.tenant, "u", access.Viewer)
	d := dbtest.Raw(t, p.dir)
	for i := range 5 {
		p.signIn(t, p.tenant, u, strings.Repeat("x", i+1))
	}
	require.Equal(t, 5, count(t, d, "logins"))
	p.pass(access.LoginIdle)
	p.signIn(t, p.tenant, u, "new")
	require.Equal(t, 1, count(t, d, "logins"))
}

// TestAccessEndsAtTheNextRequest checks that each way to withdraw access takes effect at the next request, whichever
// way it is made.
func TestAccessEndsAtTheNextRequest(t *testing.T) {
	for name, c := range map[string]struct {
		shut    func(p *people, u db.User, off bool) error
		inOther bool // the other tenant is still accessible
	}{
		"the member": {func(p *people, u db.User, off bool) error {
			return p.SetMemberDisabled(p.ctx, access.AtCommandLine(p.tenant.ID), u.ID, off)
		}, true},
		"the user": {func(p *people, u db.User, off bool) error {
			return p.SetUserDisabled(p.ctx, access.AtCommandLine(p.tenant.ID), u.ID, off)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeople(t)
			u := p.add(t, p.tenant, "u", access.Approver)
			p.also(t, p.other, u, access.Viewer)
			here, there := p.signIn(t, p.tenant, u, "here"), p.signIn(t, p.other, u, "there")
			k := p.token(t, p.tenant, u, access.Viewer, "k")
			require.True(t, p.in(t, here) && p.in(t, there))
			require.NoError(t, c.shut(p, u, true))
			require.False(t, p.in(t, here))
			require.Equal(t, c.inOther, p.in(t, there))
			_, err := p.TokenActor(p.ctx, k.Hash, netip.Addr{})
			isNotFound(t, err)
			isNotFound(t, p.CreateLogin(p.ctx, as(p.tenant, u, access.Viewer),
				access.Login{TokenHash: "n", UserID: u.ID, TenantID: p.tenant.ID}))
			isNotFound(t, p.SwitchTenant(p.ctx, as(p.other, u, access.Viewer), there.ID, p.tenant.ID))
			_, err = p.AddToken(p.ctx, access.AtCommandLine(p.tenant.ID),
				access.Token{UserID: u.ID, Name: "n", Role: access.Viewer, Hash: "n", ExpiresAt: p.now.Add(1)})
			isNotFound(t, err)

			require.NoError(t, c.shut(p, u, false))
			require.False(t, p.in(t, here), "an enabled user must sign in again")
			require.Equal(t, c.inOther, p.in(t, there))
			_, err = p.TokenActor(p.ctx, k.Hash, netip.Addr{})
			require.NoError(t, err)
		})
	}
}

// TestSignedInAsksForUserAndMembership checks that the one query tests user and membership, even if the login's row is
// still there.
func TestSignedInAsksForUserAndMembership(t *testing.T) {
	p := newPeople(t)
	u := p.add(t, p.tenant, "u", access.Approver)
	l, k := p.signIn(t, p.tenant, u, "l"), p.token(t, p.tenant, u, access.Approver, "k")
	d := dbtest.Raw(t, p.dir)
	for _, table := range []string{"users", "memberships"} {
		_, err := d.Exec("UPDATE " + table + " SET disabled_at = 'x'")
		require.NoError(t, err)
		require.False(t, p.in(t, l), table)
		_, err = p.TokenActor(p.ctx, k.Hash, netip.Addr{})
		isNotFound(t, err)
		_, err = d.Exec("UPDATE " + table + " SET disabled_at = ''")
		require.NoError(t, err)
		require.True(t, p.in(t, l), table)
	}
}

func TestANewRoleOnTheNextRequest(t *testing.T) {
	p := newPeople(t)
	u := p.add(t, p.tenant, "u", access.Approver)
	l, k := p.signIn(t, p.tenant, u, "l"), p.token(t, p.tenant, u, access.Approver, "k")
	for _, role := range []access.Role{access.Viewer, access.Reviewer, access.Approver, access.Admin} {
		require.NoError(t, p.SetRole(p.ctx, access.AtCommandLine(p.tenant.ID), u.ID, role))
		got, err := p.SignedIn(p.ctx, l.TokenHash)
		require.NoError(t, err)
		require.Equal(t, role, got.Actor().Role)
		a, err := p.TokenActor(p.ctx, k.Hash, netip.Addr{})
		require.NoError(t, err)
		require.Equal(t, role.AtMost(access.Approver), a.Role)
	}
}

func TestEndLogin(t *testing.T) {
	p := newPeople(t)
	u, v := p.add(t, p.tenant, "u", access.Viewer), p.add(t, p.tenant, "v", access.Admin)
	p.also(t, p.other, u, access.Viewer)
	l, there := p.signIn(t, p.tenant, u, "l"), p.signIn(t, p.other, u, "there")
	isNotFound(t, p.EndLogin(p.ctx, as(p.tenant, v, access.Admin), l.ID))
	isNotFound(t, p.EndLogin(p.ctx, as(p.tenant, u, access.Viewer), "nope"))
	all, err := p.Logins(p.ctx, u.ID)
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.NoError(t, p.EndLogin(p.ctx, as(p.tenant, u, access.Viewer), l.ID))
	require.NoError(t, p.EndLogin(p.ctx, as(p.tenant, u, access.Viewer), there.ID))
	require.False(t, p.in(t, l) || p.in(t, there))
	isNotFound(t, p.EndLogin(p.ctx, as(p.tenant, u, access.Viewer), l.ID))
	require.Equal(t, []string{"user.added", "login.succeeded", "login.ended"}, p.actions(t, p.other.ID),
		"logged in the login's tenant")
}

func TestFreshenLogin(t *testing.T) {
	p := newPeople(t)
	u, v := p.add(t, p.tenant, "u", access.Viewer), p.add(t, p.tenant, "v", access.Admin)
	l := p.signIn(t, p.tenant, u, "l")
	p.pass(10 * time.Minute)
	isNotFound(t, p.FreshenLogin(p.ctx, as(p.tenant, v, access.Admin), l.ID, "stolen"))
	require.NoError(t, p.FreshenLogin(p.ctx, as(p.tenant, u, access.Viewer), l.ID, "new"))
	require.False(t, p.in(t, l), "the old cookie is invalid")
	got, err := p.SignedIn(p.ctx, "new")
	require.NoError(t, err)
	require.Equal(t, []time.Time{p.now, p.now, p.now.Add(-10 * time.Minute)},
		[]time.Time{got.FreshAt, got.SeenAt, got.CreatedAt})
}

func TestSwitchTenant(t *testing.T) {
	p := newPeople(t)
	u, v := p.add(t, p.tenant, "u", access.Viewer), p.add(t, p.tenant, "v", access.Admin)
	l := p.signIn(t, p.tenant, u, "l")
	self := as(p.tenant, u, access.Viewer)
	for _, tenant := range []string{p.other.ID, db.SystemTenant, "nope", ""} {
		isNotFound(t, p.SwitchTenant(p.ctx, self, l.ID, tenant))
	}
	p.also(t, p.other, u, access.Approver)
	p.also(t, p.other, v, access.Approver)
	isNotFound(t, p.SwitchTenant(p.ctx, as(p.tenant, v, access.Admin), l.ID, p.other.ID))
	require.NoError(t, p.SwitchTenant(p.ctx, self, l.ID, p.other.ID))
	got, err := p.SignedIn(p.ctx, l.TokenHash)
	require.NoError(t, err)
	require.Equal(t, p.other, got.Tenant)
	require.Equal(t, access.Approver, got.Role)
	require.Equal(t, "login.switched", last(p.actions(t, p.tenant.ID)))
	require.Equal(t, "login.switched", last(p.actions(t, p.other.ID)))
	p.pass(access.LoginIdle)
	isNotFound(t, p.SwitchTenant(p.ctx, as(p.other, u, access.Viewer), l.ID, p.tenant.ID))
}

func last(s []string) string { return s[len(s)-1] }

func TestBrowserDescriptionIsCut(t *testing.T) {
	p := newPeople(t)
	u := p.add(t, p.tenant, "u", access.Viewer)
	require.NoError(t, p.CreateLogin(p.ctx, as(p.tenant, u, access.Viewer), access.Login{
		TokenHash: "h", UserID: u.ID, TenantID: p.tenant.ID, Agent: "\xff" + strings.Repeat("م", 500),
		FreshAt: p.now.Add(time.Hour),
	}))
	all, err := p.Logins(p.ctx, u.ID)
	require.NoError(t, err)
	require.Equal(t, "\uFFFD"+strings.Repeat("م", 199), all[0].Agent)
	require.NotEmpty(t, all[0].ID)
	require.Equal(t, p.now, all[0].FreshAt, "FreshAt is never in the future")
}

// TestNothingAboutPeopleIsScanned checks that identifying a request uses an index, however many people there are.
func TestNothingAboutPeopleIsScanned(t *testing.T) {
	dbtest.SQLiteOnly(t, "it reads SQLite's query plans")
	p := newPeople(t)
	u := p.add(t, p.tenant, "u", access.Viewer)
	l, k := p.signIn(t, p.tenant, u, "l"), p.token(t, p.tenant, u, access.Viewer, "k")
	self := as(p.tenant, u, access.Viewer)
	d := dbtest.Raw(t, p.dir)
	for name, call := range map[string]func() error{
		"SignedIn":       func() error { _, err := p.SignedIn(p.ctx, l.TokenHash); return err },
		"TokenActor":     func() error { _, err := p.TokenActor(p.ctx, k.Hash, netip.Addr{}); return err },
		"UserByLogin":    func() error { _, err := p.UserByLogin(p.ctx, "u"); return err },
		"UserByIdentity": func() error { _, err := p.UserByIdentity(p.ctx, "i", "s", u.Email); return err },
		"Logins":         func() error { _, err := p.Logins(p.ctx, u.ID); return err },
		"Members":        func() error { _, err := p.Members(p.ctx, p.tenant.ID); return err },
		"MembersPage":    func() error { _, _, err := p.MembersPage(p.ctx, p.tenant.ID, u.ID, 9); return err },
		"Member":         func() error { _, err := p.Member(p.ctx, p.tenant.ID, u.ID); return err },
		"TokensPage":     func() error { _, _, err := p.TokensPage(p.ctx, p.tenant.ID, k.ID, 9); return err },
		"Token":          func() error { _, err := p.Token(p.ctx, p.tenant.ID, k.ID); return err },
		"ActorNames":     func() error { _, err := p.ActorNames(p.ctx, p.tenant.ID, []string{u.ID, k.ID}); return err },
		"MemberNames":    func() error { _, err := p.MemberNames(p.ctx, p.tenant.ID, 9); return err },
		"Memberships":    func() error { _, err := p.Memberships(p.ctx, u.ID); return err },
		"Tokens":         func() error { _, err := p.Tokens(p.ctx, p.tenant.ID); return err },
		"Failures":       func() error { _, _, err := p.Failures(p.ctx, "key"); return err },
		"LoginFailed":    func() error { return p.LoginFailed(p.ctx, access.Actor{From: "192.0.2.7"}, "key", u.ID) },
		"SetRole":        func() error { return p.SetRole(p.ctx, self, u.ID, access.Admin) },
		"SeeLogin":       func() error { return p.SeeLogin(p.ctx, l.ID) },
		"SetPassword": func() error {
			return p.SetPassword(p.ctx, self, u.ID, db.NewPassword{PHC: "x", KeepLogin: l.ID, KeepTokens: true})
		},
		"CreateLogin": func() error {
			return p.CreateLogin(p.ctx, self, access.Login{TokenHash: "n", UserID: u.ID, TenantID: p.tenant.ID})
		},
	} {
		var sent []string
		var all [][]any
		stop := p.Trace(func(query string, args []any) { sent, all = append(sent, query), append(all, args) })
		require.NoError(t, call(), name)
		stop()
		require.NotEmpty(t, sent)
		for i, q := range sent {
			for _, step := range plan(t, d, q, all[i]) {
				require.NotRegexp(t, `^SCAN (u|m|l|k|t|o|i|users|memberships|logins|api_tokens|login_failures)( |$)`,
					step, "%s: %s", name, q)
			}
		}
	}
}
