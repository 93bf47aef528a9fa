package db_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// TestTokenRole checks that a token's role is the lower of its own and its person's, both at creation and in use.
func TestTokenRole(t *testing.T) {
	p := newPeople(t)
	p.add(t, p.tenant, "root", access.Admin)
	for i, person := range access.Roles {
		u := p.add(t, p.tenant, "u"+string(person), person)
		for j, asked := range access.Roles {
			k := p.token(t, p.tenant, u, asked, string(person)+string(asked))
			want := access.Roles[min(i, j)]
			require.Equal(t, want, k.Role)
			a, err := p.TokenActor(p.ctx, k.Hash, netip.Addr{})
			require.NoError(t, err)
			require.Equal(t, access.Actor{Tenant: p.tenant.ID, ID: u.ID, User: u.Name, Role: want, Token: k.ID,
				Human: true}, a)
		}
	}
}

func TestMachineToken(t *testing.T) {
	p := newPeople(t)
	k := p.token(t, p.tenant, db.User{}, access.Reviewer, "nightly import")
	_, err := p.TokenActor(p.ctx, k.Hash, netip.Addr{}) // records the use
	require.NoError(t, err)
	before := p.QueryCount()
	a, err := p.TokenActor(p.ctx, k.Hash, netip.Addr{})
	require.NoError(t, err)
	require.Equal(t, int64(1), p.QueryCount()-before, "one query")
	require.Equal(t, access.Actor{Tenant: p.tenant.ID, ID: k.ID, User: "nightly import", Role: access.Reviewer,
		Token: k.ID}, a)
}

func TestTokenExpires(t *testing.T) {
	p := newPeople(t)
	k, revoked := p.token(t, p.tenant, db.User{}, access.Viewer, "a"), p.token(t, p.tenant, db.User{}, access.Viewer,
		"b")
	by := access.AtCommandLine(p.tenant.ID)
	for range 2 { // the second time changes nothing
		require.NoError(t, p.RevokeToken(p.ctx, by, revoked.ID))
	}
	_, err := p.TokenActor(p.ctx, revoked.Hash, netip.Addr{})
	isNotFound(t, err)
	isNotFound(t, p.RevokeToken(p.ctx, by, "nope"))
	for _, hash := range []string{"", "nope", k.ID} {
		_, err := p.TokenActor(p.ctx, hash, netip.Addr{})
		isNotFound(t, err)
	}
	p.now = k.ExpiresAt.Add(-1)
	_, err = p.TokenActor(p.ctx, k.Hash, netip.Addr{})
	require.NoError(t, err)
	p.pass(1)
	_, err = p.TokenActor(p.ctx, k.Hash, netip.Addr{})
	isNotFound(t, err)
	require.Equal(t, []string{"token.added", "token.added", "token.revoked"}, p.actions(t, p.tenant.ID))
}

func TestTokens(t *testing.T) {
	p := newPeople(t)
	u := p.add(t, p.tenant, "u", access.Approver)
	first := p.token(t, p.tenant, u, access.Viewer, "first")
	p.pass(time.Hour)
	second := p.token(t, p.tenant, db.User{}, access.Admin, "second")
	p.token(t, p.other, db.User{}, access.Admin, "elsewhere")
	used := p.now
	for range 3 {
		_, err := p.TokenActor(p.ctx, first.Hash, netip.Addr{})
		require.NoError(t, err)
		p.pass(20 * time.Second)
	}
	require.NoError(t, p.RevokeToken(p.ctx, access.AtCommandLine(p.tenant.ID), second.ID))
	first.LastUsedAt, second.RevokedAt = used, p.now
	require.Equal(t, u.Name, first.UserName)
	first.Hash, second.Hash = "", ""
	got, err := p.Tokens(p.ctx, p.tenant.ID)
	require.NoError(t, err)
	require.Equal(t, []access.Token{second, first}, got)
	_, err = p.TokenActor(p.ctx, "hash of first", netip.Addr{}) // a minute after the first time
	require.NoError(t, err)
	got, err = p.Tokens(p.ctx, p.tenant.ID)
	require.NoError(t, err)
	require.Equal(t, p.now, got[1].LastUsedAt)
}

func TestAddTokenRefuses(t *testing.T) {
	p := newPeople(t)
	salem := p.add(t, p.other, "salem", access.Admin)
	good := access.Token{Name: "n", Role: access.Viewer, Hash: "h", ExpiresAt: p.now.Add(1)}
	for name, c := range map[string]struct {
		change func(k *access.Token)
		tenant string
		want   domain.Kind
	}{
		"no name":         {func(k *access.Token) { k.Name = "" }, p.tenant.ID, domain.Invalid},
		"no role":         {func(k *access.Token) { k.Role = "" }, p.tenant.ID, domain.Invalid},
		"expired":         {func(k *access.Token) { k.ExpiresAt = p.now }, p.tenant.ID, domain.Invalid},
		"no expiry":       {func(k *access.Token) { k.ExpiresAt = time.Time{} }, p.tenant.ID, domain.Invalid},
		"another tenants": {func(k *access.Token) { k.UserID = salem.ID }, p.tenant.ID, domain.NotFound},
		"nobody":          {func(k *access.Token) { k.UserID = "x" }, p.tenant.ID, domain.NotFound},
		"unknown tenant":  {func(*access.Token) {}, "x", domain.NotFound},
		"the system":      {func(*access.Token) {}, db.SystemTenant, domain.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			k := good
			c.change(&k)
			_, err := p.AddToken(p.ctx, access.AtCommandLine(c.tenant), k)
			is(t, c.want, err)
		})
	}
}
