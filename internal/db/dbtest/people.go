package dbtest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// RequireAsked returns the request that a change became.
func RequireAsked(t *testing.T, err error) access.Request {
	t.Helper()
	var waits *db.AskedError
	require.ErrorAs(t, err, &waits)
	require.Empty(t, waits.Request.Change.Password)
	return waits.Request
}

// OddID returns an id of a single control character: a NUL, except where PostgreSQL refuses it (TestTextWithNUL).
func OddID() string {
	if OnPostgres() {
		return "\x01"
	}
	return "\x00"
}

// Last is the last of a list.
func Last(s []string) string { return s[len(s)-1] }

// Clocked is a fixture with a clock that moves.
type Clocked struct {
	*Fixture
	Ctx context.Context
	At  time.Time
}

// NewClocked opens a store with a tenant whose clock shows At.
func NewClocked(t testing.TB) *Clocked {
	t.Helper()
	c := &Clocked{Fixture: New(t), Ctx: context.Background(), At: Now}
	c.SetClock(func() time.Time { return c.At })
	return c
}

// People is a fixture with a clock that moves, and two tenants.
type People struct {
	*Clocked
	Other db.Tenant
}

// NewPeople opens a store with two tenants.
func NewPeople(t testing.TB) *People {
	t.Helper()
	p := &People{Clocked: NewClocked(t)}
	p.Other, _ = p.NewTenant(t, "other")
	return p
}

// Pass lets time pass.
func (people *People) Pass(d time.Duration) { people.At = people.At.Add(d) }

// AddPerson makes a user with a role in a tenant.
func (people *People) AddPerson(t testing.TB, tenant db.Tenant, login string, role access.Role) db.User {
	t.Helper()
	u, err := people.AddUser(people.Ctx, access.AtCommandLine(tenant.ID), db.User{
		Login: login, Name: "Name-of-" + login, Email: login + "@example.test", Password: "$argon2id$" + login,
	}, role)
	require.NoError(t, err)
	return u
}

// AlsoMember gives a user a role in a second tenant.
func (people *People) AlsoMember(t testing.TB, tenant db.Tenant, u db.User, role access.Role) {
	t.Helper()
	require.NoError(t, people.AddMember(people.Ctx, access.AtCommandLine(tenant.ID), u.ID, role))
}

// As returns a user as an actor in a tenant; the store does not trust the role given here.
func As(tenant db.Tenant, u db.User, role access.Role) access.Actor {
	return access.Actor{Tenant: tenant.ID, ID: u.ID, User: u.Name, Role: role, Human: true}
}

// Member returns a user as lists of a tenant show them.
func Member(u db.User, role access.Role) access.Member {
	return access.Member{ID: u.ID, Login: u.Login, Name: u.Name, Email: u.Email, Role: role}
}

// SignIn creates a login; its id and its cookie's hash are name and "hash of name".
func (people *People) SignIn(t testing.TB, tenant db.Tenant, u db.User, name string) access.Login {
	t.Helper()
	l := access.Login{ID: name, TokenHash: "hash of " + name, UserID: u.ID, TenantID: tenant.ID, FreshAt: people.At,
		Agent: "Agent-of-" + name, Address: "192.0.2.7"}
	require.NoError(t, people.CreateLogin(people.Ctx, As(tenant, u, access.Viewer), l))
	return l
}

// IsSignedIn reports whether a login is still valid.
func (people *People) IsSignedIn(t testing.TB, l access.Login) bool {
	t.Helper()
	_, err := people.SignedIn(people.Ctx, l.TokenHash)
	if err != nil {
		RequireNotFound(t, err)
	}
	return err == nil
}

// MakeToken creates a token; person is the zero User for a machine's.
func (people *People) MakeToken(t testing.TB, tenant db.Tenant, person db.User, role access.Role,
	name string) access.Token {
	t.Helper()
	k, err := people.AddToken(people.Ctx, access.AtCommandLine(tenant.ID), access.Token{
		UserID: person.ID, Name: name, Role: role, Hash: "hash of " + name,
		ExpiresAt: people.At.Add(90 * 24 * time.Hour),
	})
	require.NoError(t, err)
	return k
}

// Actions returns the actions in a tenant's log, oldest first.
func (people *People) Actions(t testing.TB, tenant string) (out []string) {
	t.Helper()
	events, err := people.Events(people.Ctx, tenant, 0, 1000)
	require.NoError(t, err)
	for _, e := range events {
		out = append(out, e.Action)
	}
	return out
}

// RequireNotFound fails unless the error says that nothing has the address.
func RequireNotFound(t testing.TB, err error) {
	t.Helper()
	require.Equal(t, domain.Refuse(domain.NotFound, "", "refused_nothing_address"), err)
}

// RequireKind fails unless an error is of a kind.
func RequireKind(t testing.TB, kind domain.Kind, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, kind, domain.KindOf(err), err)
}

// State returns everything stored about people.
func (people *People) State(t *testing.T) (out []string) {
	t.Helper()
	d := Raw(t, people.Dir)
	for _, table := range []string{"tenants", "users", "memberships", "identities", "recovery_codes", "logins",
		"login_failures", "api_tokens"} {
		rows, err := d.QueryContext(context.Background(), "SELECT * FROM "+table)
		require.NoError(t, err)
		columns, err := rows.Columns()
		require.NoError(t, err)
		for rows.Next() {
			cells := make([]any, len(columns))
			for i := range cells {
				cells[i] = new(any)
			}
			require.NoError(t, rows.Scan(cells...))
			line := table
			for _, c := range cells {
				line += fmt.Sprintf("|%v", *c.(*any))
			}
			out = append(out, line)
		}
		require.NoError(t, rows.Err())
		require.NoError(t, rows.Close())
	}
	return out
}

// Together runs do n times concurrently and returns how often it was true.
func Together(n int, do func(i int) bool) int {
	var won atomic.Int64
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			if do(i) {
				won.Add(1)
			}
		})
	}
	close(start)
	wg.Wait()
	return int(won.Load())
}

// Silence is how long a worker may say nothing of its job.
const Silence = 15 * time.Second
