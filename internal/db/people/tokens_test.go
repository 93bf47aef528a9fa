package people_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// TestTokenRole checks that a token's role is the lower of its own and its person's, both at creation and in use.
func TestTokenRole(t *testing.T) {
	p := dbtest.NewPeople(t)
	p.AddPerson(t, p.Tenant, "root", access.Admin)
	for i, person := range access.Roles {
		u := p.AddPerson(t, p.Tenant, "u"+string(person), person)
		for j, asked := range access.Roles {
			k := p.MakeToken(t, p.Tenant, u, asked, string(person)+string(asked))
			want := access.Roles[min(i, j)]
			switch access.Auditor {
			case person:
				want = person
			case asked:
				want = map[bool]access.Role{true: asked, false: person}[person == access.Admin]
			}
			require.Equal(t, want, k.Role)
			a, err := p.TokenActor(p.Ctx, k.Hash, netip.Addr{})
			require.NoError(t, err)
			require.Equal(t, access.Actor{Tenant: p.Tenant.ID, ID: u.ID, User: u.Name, Role: want, Token: k.ID,
				Human: true}, a)
		}
	}
}

func TestMachineToken(t *testing.T) {
	p := dbtest.NewPeople(t)
	k := p.MakeToken(t, p.Tenant, db.User{}, access.Reviewer, "nightly import")
	_, err := p.TokenActor(p.Ctx, k.Hash, netip.Addr{}) // records the use
	require.NoError(t, err)
	before := p.QueryCount()
	a, err := p.TokenActor(p.Ctx, k.Hash, netip.Addr{})
	require.NoError(t, err)
	require.Equal(t, int64(1), p.QueryCount()-before, "one query")
	require.Equal(t, access.Actor{Tenant: p.Tenant.ID, ID: k.ID, User: "nightly import", Role: access.Reviewer,
		Token: k.ID}, a)
}

func TestTokenExpires(t *testing.T) {
	p := dbtest.NewPeople(t)
	k, revoked := p.MakeToken(t, p.Tenant, db.User{}, access.Viewer, "a"),
		p.MakeToken(t, p.Tenant, db.User{}, access.Viewer,
			"b")
	by := access.AtCommandLine(p.Tenant.ID)
	for range 2 { // the second time changes nothing
		require.NoError(t, p.RevokeToken(p.Ctx, by, revoked.ID))
	}
	_, err := p.TokenActor(p.Ctx, revoked.Hash, netip.Addr{})
	dbtest.RequireNotFound(t, err)
	dbtest.RequireNotFound(t, p.RevokeToken(p.Ctx, by, "nope"))
	for _, hash := range []string{"", "nope", k.ID} {
		_, err := p.TokenActor(p.Ctx, hash, netip.Addr{})
		dbtest.RequireNotFound(t, err)
	}
	p.At = k.ExpiresAt.Add(-1)
	_, err = p.TokenActor(p.Ctx, k.Hash, netip.Addr{})
	require.NoError(t, err)
	p.Pass(1)
	_, err = p.TokenActor(p.Ctx, k.Hash, netip.Addr{})
	dbtest.RequireNotFound(t, err)
	require.Equal(t, []string{"token.added", "token.added", "token.revoked"}, p.Actions(t, p.Tenant.ID))
}

func TestTokens(t *testing.T) {
	p := dbtest.NewPeople(t)
	u := p.AddPerson(t, p.Tenant, "u", access.Approver)
	first := p.MakeToken(t, p.Tenant, u, access.Viewer, "first")
	p.Pass(time.Hour)
	second := p.MakeToken(t, p.Tenant, db.User{}, access.Admin, "second")
	p.MakeToken(t, p.Other, db.User{}, access.Admin, "elsewhere")
	used := p.At
	for range 3 {
		_, err := p.TokenActor(p.Ctx, first.Hash, netip.Addr{})
		require.NoError(t, err)
		p.Pass(20 * time.Second)
	}
	require.NoError(t, p.RevokeToken(p.Ctx, access.AtCommandLine(p.Tenant.ID), second.ID))
	first.LastUsedAt, second.RevokedAt = used, p.At
	require.Equal(t, u.Name, first.UserName)
	first.Hash, second.Hash = "", ""
	got, err := p.Tokens(p.Ctx, p.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, []access.Token{second, first}, got)
	_, err = p.TokenActor(p.Ctx, "hash of first", netip.Addr{}) // a minute after the first time
	require.NoError(t, err)
	got, err = p.Tokens(p.Ctx, p.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, p.At, got[1].LastUsedAt)
}

func TestAddTokenRefuses(t *testing.T) {
	p := dbtest.NewPeople(t)
	salem := p.AddPerson(t, p.Other, "salem", access.Admin)
	good := access.Token{Name: "n", Role: access.Viewer, Hash: "h", ExpiresAt: p.At.Add(1)}
	for name, c := range map[string]struct {
		change func(k *access.Token)
		tenant string
		want   domain.Kind
	}{
		"no name":         {func(k *access.Token) { k.Name = "" }, p.Tenant.ID, domain.Invalid},
		"no role":         {func(k *access.Token) { k.Role = "" }, p.Tenant.ID, domain.Invalid},
		"expired":         {func(k *access.Token) { k.ExpiresAt = p.At }, p.Tenant.ID, domain.Invalid},
		"no expiry":       {func(k *access.Token) { k.ExpiresAt = time.Time{} }, p.Tenant.ID, domain.Invalid},
		"another tenants": {func(k *access.Token) { k.UserID = salem.ID }, p.Tenant.ID, domain.NotFound},
		"nobody":          {func(k *access.Token) { k.UserID = "x" }, p.Tenant.ID, domain.NotFound},
		"unknown tenant":  {func(*access.Token) {}, "x", domain.NotFound},
		"the system":      {func(*access.Token) {}, db.SystemTenant, domain.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			k := good
			c.change(&k)
			_, err := p.AddToken(p.Ctx, access.AtCommandLine(c.tenant), k)
			dbtest.RequireKind(t, c.want, err)
		})
	}
}
