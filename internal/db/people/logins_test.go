package people_test

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
	p := dbtest.NewPeople(t)
	u := p.AddPerson(t, p.Tenant, "u", access.Approver)
	l := p.SignIn(t, p.Tenant, u, "one")
	before := p.QueryCount()
	got, err := p.SignedIn(p.Ctx, l.TokenHash)
	require.NoError(t, err)
	require.Equal(t, int64(1), p.QueryCount()-before, "one query")
	l.CreatedAt, l.SeenAt = p.At, p.At
	require.Equal(t, &db.SignedIn{Login: l, User: u, Role: access.Approver, Tenant: p.Tenant}, got)
	require.Equal(t, access.Actor{Tenant: p.Tenant.ID, ID: u.ID, User: u.Name, Role: access.Approver, Human: true},
		got.Actor())
	for _, hash := range []string{"", "one", "' OR 1=1 --"} {
		_, err := p.SignedIn(p.Ctx, hash)
		dbtest.RequireNotFound(t, err)
	}
}

func TestLoginExpires(t *testing.T) {
	p := dbtest.NewPeople(t)
	u := p.AddPerson(t, p.Tenant, "u", access.Viewer)

	idle := p.SignIn(t, p.Tenant, u, "idle")
	p.Pass(access.LoginIdle - 1)
	require.True(t, p.IsSignedIn(t, idle))
	p.Pass(1)
	require.False(t, p.IsSignedIn(t, idle))
	require.NoError(t, p.SeeLogin(p.Ctx, idle.ID))
	require.False(t, p.IsSignedIn(t, idle), "a late request does not revive a login")

	busy := p.SignIn(t, p.Tenant, u, "busy")
	began := p.At
	for p.At.Sub(began) < access.LoginAbsolute {
		require.True(t, p.IsSignedIn(t, busy), p.At.Sub(began))
		require.NoError(t, p.SeeLogin(p.Ctx, busy.ID))
		p.Pass(20 * time.Minute)
	}
	require.False(t, p.IsSignedIn(t, busy))
	require.NoError(t, p.SeeLogin(p.Ctx, busy.ID))
	self := dbtest.As(p.Tenant, u, access.Viewer)
	dbtest.RequireNotFound(t, p.FreshenLogin(p.Ctx, self, busy.ID, "new"))
	all, err := p.Logins(p.Ctx, u.ID)
	require.NoError(t, err)
	require.Empty(t, all)
}

func TestEndedLoginsAreDeleted(t *testing.T) {
	p := dbtest.NewPeople(t)
	u := p.AddPerson(t, p.Tenant, "u", access.Viewer)
	d := dbtest.Raw(t, p.Dir)
	for i := range 5 {
		p.SignIn(t, p.Tenant, u, strings.Repeat("x", i+1))
	}
	require.Equal(t, 5, dbtest.Count(t, d, "logins"))
	p.Pass(access.LoginIdle)
	p.SignIn(t, p.Tenant, u, "new")
	require.Equal(t, 1, dbtest.Count(t, d, "logins"))
}

// TestAccessEndsAtTheNextRequest checks that each way to withdraw access takes effect at the next request, whichever
// way it is made.
func TestAccessEndsAtTheNextRequest(t *testing.T) {
	for name, c := range map[string]struct {
		shut    func(p *dbtest.People, u db.User, off bool) error
		inOther bool // the other tenant is still accessible
	}{
		"the member": {func(p *dbtest.People, u db.User, off bool) error {
			return p.SetMemberDisabled(p.Ctx, access.AtCommandLine(p.Tenant.ID), u.ID, off)
		}, true},
		"the user": {func(p *dbtest.People, u db.User, off bool) error {
			return p.SetUserDisabled(p.Ctx, access.AtCommandLine(p.Tenant.ID), u.ID, off)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := dbtest.NewPeople(t)
			u := p.AddPerson(t, p.Tenant, "u", access.Approver)
			p.AlsoMember(t, p.Other, u, access.Viewer)
			here, there := p.SignIn(t, p.Tenant, u, "here"), p.SignIn(t, p.Other, u, "there")
			k := p.MakeToken(t, p.Tenant, u, access.Viewer, "k")
			require.True(t, p.IsSignedIn(t, here) && p.IsSignedIn(t, there))
			require.NoError(t, c.shut(p, u, true))
			require.False(t, p.IsSignedIn(t, here))
			require.Equal(t, c.inOther, p.IsSignedIn(t, there))
			_, err := p.TokenActor(p.Ctx, k.Hash, netip.Addr{})
			dbtest.RequireNotFound(t, err)
			dbtest.RequireNotFound(t, p.CreateLogin(p.Ctx, dbtest.As(p.Tenant, u, access.Viewer),
				access.Login{TokenHash: "n", UserID: u.ID, TenantID: p.Tenant.ID}))
			dbtest.RequireNotFound(t, p.SwitchTenant(p.Ctx, dbtest.As(p.Other, u, access.Viewer), there.ID,
				p.Tenant.ID))
			_, err = p.AddToken(p.Ctx, access.AtCommandLine(p.Tenant.ID),
				access.Token{UserID: u.ID, Name: "n", Role: access.Viewer, Hash: "n", ExpiresAt: p.At.Add(1)})
			dbtest.RequireNotFound(t, err)

			require.NoError(t, c.shut(p, u, false))
			require.False(t, p.IsSignedIn(t, here), "an enabled user must sign in again")
			require.Equal(t, c.inOther, p.IsSignedIn(t, there))
			_, err = p.TokenActor(p.Ctx, k.Hash, netip.Addr{})
			require.NoError(t, err)
		})
	}
}

// TestSignedInAsksForUserAndMembership checks that the one query tests user and membership, even if the login's row is
// still there.
func TestSignedInAsksForUserAndMembership(t *testing.T) {
	p := dbtest.NewPeople(t)
	u := p.AddPerson(t, p.Tenant, "u", access.Approver)
	l, k := p.SignIn(t, p.Tenant, u, "l"), p.MakeToken(t, p.Tenant, u, access.Approver, "k")
	d := dbtest.Raw(t, p.Dir)
	for _, table := range []string{"users", "memberships"} {
		_, err := d.Exec("UPDATE " + table + " SET disabled_at = 'x'")
		require.NoError(t, err)
		require.False(t, p.IsSignedIn(t, l), table)
		_, err = p.TokenActor(p.Ctx, k.Hash, netip.Addr{})
		dbtest.RequireNotFound(t, err)
		_, err = d.Exec("UPDATE " + table + " SET disabled_at = ''")
		require.NoError(t, err)
		require.True(t, p.IsSignedIn(t, l), table)
	}
}

func TestANewRoleOnTheNextRequest(t *testing.T) {
	p := dbtest.NewPeople(t)
	u := p.AddPerson(t, p.Tenant, "u", access.Approver)
	l, k := p.SignIn(t, p.Tenant, u, "l"), p.MakeToken(t, p.Tenant, u, access.Approver, "k")
	for _, role := range []access.Role{access.Viewer, access.Reviewer, access.Approver, access.Admin} {
		require.NoError(t, p.SetRole(p.Ctx, access.AtCommandLine(p.Tenant.ID), u.ID, role))
		got, err := p.SignedIn(p.Ctx, l.TokenHash)
		require.NoError(t, err)
		require.Equal(t, role, got.Actor().Role)
		a, err := p.TokenActor(p.Ctx, k.Hash, netip.Addr{})
		require.NoError(t, err)
		require.Equal(t, role.AtMost(access.Approver), a.Role)
	}
}

func TestEndLogin(t *testing.T) {
	p := dbtest.NewPeople(t)
	u, v := p.AddPerson(t, p.Tenant, "u", access.Viewer), p.AddPerson(t, p.Tenant, "v", access.Admin)
	p.AlsoMember(t, p.Other, u, access.Viewer)
	l, there := p.SignIn(t, p.Tenant, u, "l"), p.SignIn(t, p.Other, u, "there")
	dbtest.RequireNotFound(t, p.EndLogin(p.Ctx, dbtest.As(p.Tenant, v, access.Admin), l.ID))
	dbtest.RequireNotFound(t, p.EndLogin(p.Ctx, dbtest.As(p.Tenant, u, access.Viewer), "nope"))
	all, err := p.Logins(p.Ctx, u.ID)
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.NoError(t, p.EndLogin(p.Ctx, dbtest.As(p.Tenant, u, access.Viewer), l.ID))
	require.NoError(t, p.EndLogin(p.Ctx, dbtest.As(p.Tenant, u, access.Viewer), there.ID))
	require.False(t, p.IsSignedIn(t, l) || p.IsSignedIn(t, there))
	dbtest.RequireNotFound(t, p.EndLogin(p.Ctx, dbtest.As(p.Tenant, u, access.Viewer), l.ID))
	require.Equal(t, []string{"user.added", "login.succeeded", "login.ended"}, p.Actions(t, p.Other.ID),
		"logged in the login's tenant")
}

func TestFreshenLogin(t *testing.T) {
	p := dbtest.NewPeople(t)
	u, v := p.AddPerson(t, p.Tenant, "u", access.Viewer), p.AddPerson(t, p.Tenant, "v", access.Admin)
	l := p.SignIn(t, p.Tenant, u, "l")
	p.Pass(10 * time.Minute)
	dbtest.RequireNotFound(t, p.FreshenLogin(p.Ctx, dbtest.As(p.Tenant, v, access.Admin), l.ID, "stolen"))
	require.NoError(t, p.FreshenLogin(p.Ctx, dbtest.As(p.Tenant, u, access.Viewer), l.ID, "new"))
	require.False(t, p.IsSignedIn(t, l), "the old cookie is invalid")
	got, err := p.SignedIn(p.Ctx, "new")
	require.NoError(t, err)
	require.Equal(t, []time.Time{p.At, p.At, p.At.Add(-10 * time.Minute)},
		[]time.Time{got.FreshAt, got.SeenAt, got.CreatedAt})
}

func TestSwitchTenant(t *testing.T) {
	p := dbtest.NewPeople(t)
	u, v := p.AddPerson(t, p.Tenant, "u", access.Viewer), p.AddPerson(t, p.Tenant, "v", access.Admin)
	l := p.SignIn(t, p.Tenant, u, "l")
	self := dbtest.As(p.Tenant, u, access.Viewer)
	for _, tenant := range []string{p.Other.ID, db.SystemTenant, "nope", ""} {
		dbtest.RequireNotFound(t, p.SwitchTenant(p.Ctx, self, l.ID, tenant))
	}
	p.AlsoMember(t, p.Other, u, access.Approver)
	p.AlsoMember(t, p.Other, v, access.Approver)
	dbtest.RequireNotFound(t, p.SwitchTenant(p.Ctx, dbtest.As(p.Tenant, v, access.Admin), l.ID, p.Other.ID))
	require.NoError(t, p.SwitchTenant(p.Ctx, self, l.ID, p.Other.ID))
	got, err := p.SignedIn(p.Ctx, l.TokenHash)
	require.NoError(t, err)
	require.Equal(t, p.Other, got.Tenant)
	require.Equal(t, access.Approver, got.Role)
	require.Equal(t, "login.switched", dbtest.Last(p.Actions(t, p.Tenant.ID)))
	require.Equal(t, "login.switched", dbtest.Last(p.Actions(t, p.Other.ID)))
	p.Pass(access.LoginIdle)
	dbtest.RequireNotFound(t, p.SwitchTenant(p.Ctx, dbtest.As(p.Other, u, access.Viewer), l.ID, p.Tenant.ID))
}

func TestBrowserDescriptionIsCut(t *testing.T) {
	p := dbtest.NewPeople(t)
	u := p.AddPerson(t, p.Tenant, "u", access.Viewer)
	require.NoError(t, p.CreateLogin(p.Ctx, dbtest.As(p.Tenant, u, access.Viewer), access.Login{
		TokenHash: "h", UserID: u.ID, TenantID: p.Tenant.ID, Agent: "\xff" + strings.Repeat("م", 500),
		FreshAt: p.At.Add(time.Hour),
	}))
	all, err := p.Logins(p.Ctx, u.ID)
	require.NoError(t, err)
	require.Equal(t, "\uFFFD"+strings.Repeat("م", 199), all[0].Agent)
	require.NotEmpty(t, all[0].ID)
	require.Equal(t, p.At, all[0].FreshAt, "FreshAt is never in the future")
}

// TestNothingAboutPeopleIsScanned checks that identifying a request uses an index, however many people there are.
func TestNothingAboutPeopleIsScanned(t *testing.T) {
	dbtest.SQLiteOnly(t, "it reads SQLite's query plans")
	p := dbtest.NewPeople(t)
	u := p.AddPerson(t, p.Tenant, "u", access.Viewer)
	l, k := p.SignIn(t, p.Tenant, u, "l"), p.MakeToken(t, p.Tenant, u, access.Viewer, "k")
	self := dbtest.As(p.Tenant, u, access.Viewer)
	d := dbtest.Raw(t, p.Dir)
	for name, call := range map[string]func() error{
		"SignedIn":       func() error { _, err := p.SignedIn(p.Ctx, l.TokenHash); return err },
		"TokenActor":     func() error { _, err := p.TokenActor(p.Ctx, k.Hash, netip.Addr{}); return err },
		"UserByLogin":    func() error { _, err := p.UserByLogin(p.Ctx, "u"); return err },
		"UserByIdentity": func() error { _, err := p.UserByIdentity(p.Ctx, "i", "s", u.Email); return err },
		"Logins":         func() error { _, err := p.Logins(p.Ctx, u.ID); return err },
		"Members":        func() error { _, err := p.Members(p.Ctx, p.Tenant.ID); return err },
		"MembersPage":    func() error { _, _, err := p.MembersPage(p.Ctx, p.Tenant.ID, u.ID, 9); return err },
		"Member":         func() error { _, err := p.Member(p.Ctx, p.Tenant.ID, u.ID); return err },
		"TokensPage":     func() error { _, _, err := p.TokensPage(p.Ctx, p.Tenant.ID, k.ID, 9); return err },
		"Token":          func() error { _, err := p.Token(p.Ctx, p.Tenant.ID, k.ID); return err },
		"ActorNames":     func() error { _, err := p.ActorNames(p.Ctx, p.Tenant.ID, []string{u.ID, k.ID}); return err },
		"MemberNames":    func() error { _, err := p.MemberNames(p.Ctx, p.Tenant.ID, 9); return err },
		"Memberships":    func() error { _, err := p.Memberships(p.Ctx, u.ID); return err },
		"Tokens":         func() error { _, err := p.Tokens(p.Ctx, p.Tenant.ID); return err },
		"Failures":       func() error { _, _, err := p.Failures(p.Ctx, "key"); return err },
		"LoginFailed":    func() error { return p.LoginFailed(p.Ctx, access.Actor{From: "192.0.2.7"}, "key", u.ID) },
		"SetRole":        func() error { return p.SetRole(p.Ctx, self, u.ID, access.Admin) },
		"SeeLogin":       func() error { return p.SeeLogin(p.Ctx, l.ID) },
		"SetPassword": func() error {
			return p.SetPassword(p.Ctx, self, u.ID, db.NewPassword{PHC: "x", KeepLogin: l.ID, KeepTokens: true})
		},
		"CreateLogin": func() error {
			return p.CreateLogin(p.Ctx, self, access.Login{TokenHash: "n", UserID: u.ID, TenantID: p.Tenant.ID})
		},
	} {
		var sent []string
		var all [][]any
		stop := p.Trace(func(query string, args []any) { sent, all = append(sent, query), append(all, args) })
		require.NoError(t, call(), name)
		stop()
		require.NotEmpty(t, sent)
		for i, q := range sent {
			for _, step := range dbtest.Plan(t, d, q, all[i]) {
				require.NotRegexp(t, `^SCAN (u|m|l|k|t|o|i|users|memberships|logins|api_tokens|login_failures)( |$)`,
					step, "%s: %s", name, q)
			}
		}
	}
}
