package db_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// people is a fixture with a clock that moves, and two tenants.
type people struct {
	*fixture
	ctx   context.Context
	now   time.Time
	other db.Tenant
}

func newPeople(t testing.TB) *people {
	t.Helper()
	p := &people{fixture: newFixture(t), ctx: context.Background(), now: now}
	p.SetClock(func() time.Time { return p.now })
	p.other, _ = p.newTenant(t, "other")
	return p
}

func (p *people) pass(d time.Duration) { p.now = p.now.Add(d) }

// add makes a user with a role in a tenant.
func (p *people) add(t testing.TB, tenant db.Tenant, login string, role access.Role) db.User {
	t.Helper()
	u, err := p.AddUser(p.ctx, access.AtCommandLine(tenant.ID), db.User{
		Login: login, Name: "Name-of-" + login, Email: login + "@example.test", Password: "$argon2id$" + login,
	}, role)
	require.NoError(t, err)
	return u
}

// also gives a user a role in a second tenant.
func (p *people) also(t testing.TB, tenant db.Tenant, u db.User, role access.Role) {
	t.Helper()
	require.NoError(t, p.AddMember(p.ctx, access.AtCommandLine(tenant.ID), u.ID, role))
}

// as returns a user as an actor in a tenant; the store does not trust the role given here.
func as(tenant db.Tenant, u db.User, role access.Role) access.Actor {
	return access.Actor{Tenant: tenant.ID, ID: u.ID, User: u.Name, Role: role, Human: true}
}

// member returns a user as lists of a tenant show them.
func member(u db.User, role access.Role) access.Member {
	return access.Member{ID: u.ID, Login: u.Login, Name: u.Name, Email: u.Email, Role: role}
}

// signIn creates a login; its id and its cookie's hash are name and "hash of name".
func (p *people) signIn(t testing.TB, tenant db.Tenant, u db.User, name string) access.Login {
	t.Helper()
	l := access.Login{ID: name, TokenHash: "hash of " + name, UserID: u.ID, TenantID: tenant.ID, FreshAt: p.now,
		Agent: "Agent-of-" + name, Address: "192.0.2.7"}
	require.NoError(t, p.CreateLogin(p.ctx, as(tenant, u, access.Viewer), l))
	return l
}

// in reports whether a login is still valid.
func (p *people) in(t testing.TB, l access.Login) bool {
	t.Helper()
	_, err := p.SignedIn(p.ctx, l.TokenHash)
	if err != nil {
		isNotFound(t, err)
	}
	return err == nil
}

// token creates a token; person is the zero User for a machine's.
func (p *people) token(t testing.TB, tenant db.Tenant, person db.User, role access.Role, name string) access.Token {
	t.Helper()
	k, err := p.AddToken(p.ctx, access.AtCommandLine(tenant.ID), access.Token{
		UserID: person.ID, Name: name, Role: role, Hash: "hash of " + name, ExpiresAt: p.now.Add(90 * 24 * time.Hour),
	})
	require.NoError(t, err)
	return k
}

// actions returns the actions in a tenant's log, oldest first.
func (p *people) actions(t testing.TB, tenant string) (out []string) {
	t.Helper()
	events, err := p.Events(p.ctx, tenant, 0, 1000)
	require.NoError(t, err)
	for _, e := range events {
		out = append(out, e.Action)
	}
	return out
}

func isNotFound(t testing.TB, err error) {
	t.Helper()
	require.Equal(t, domain.Refuse(domain.NotFound, "", "refused_nothing_address"), err)
}

func is(t testing.TB, kind domain.Kind, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, kind, domain.KindOf(err), err)
}
