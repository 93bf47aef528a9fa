package webtest

import (
	"context"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain/access"
)

// Person is a user with their own login and token. The name says who they are:
//
//	viewer, reviewer, approver, admin   of the tenant main
//	foreign                             an admin of the tenant other
//	disabled, shut.out                  admins, disabled by the operator or in their tenant after they signed in
//	expired                             an admin whose login and token have run out
type Person struct {
	db.User
	Cookie, Token string
}

const Password = "correct horse battery"

// Phc is the hash of Password, computed once.
var Phc = sync.OnceValue(func() string {
	hash, err := auth.NewHasher(1).Hash(context.Background(), Password)
	if err != nil {
		panic(err)
	}
	return hash
})

// people are those whom a test has named; requests of the same moment may name the same one.
type people struct {
	mu    sync.Mutex
	known map[string]func() *Person
}

// get returns the person of a name; of several who ask for a new one at the same moment one makes them.
func (p *people) get(name string, create func() *Person) *Person {
	p.mu.Lock()
	get, known := p.known[name]
	if !known {
		get = sync.OnceValue(create)
		p.known[name] = get
	}
	p.mu.Unlock()
	return get()
}

// Person returns a person, and creates them at the first call with that name.
func (s *Server) Person(name string) *Person {
	s.T.Helper()
	return s.people.get(name, func() *Person { return s.known(name) })
}

// SetPerson says who a name means from now on.
func (s *Server) SetPerson(name string, p *Person) {
	s.people.mu.Lock()
	defer s.people.mu.Unlock()
	s.people.known[name] = func() *Person { return p }
}

// known creates one of those whom Person describes.
func (s *Server) known(name string) *Person {
	s.T.Helper()
	role, tenant := access.Role(name), s.Tenant.ID
	switch name {
	case "foreign":
		role, tenant = access.Admin, s.Other.ID
	case "disabled", "shut.out", "expired":
		role = access.Approver // not another administrator, who would have to confirm what "admin" does
	}
	return s.AddPerson(name, tenant, role)
}

// AddPerson creates somebody whom Person and As know by their login from then on.
func (s *Server) AddPerson(name, tenant string, role access.Role) *Person {
	s.T.Helper()
	ctx, by := context.Background(), access.AtCommandLine(tenant)
	if name == "expired" {
		s.Clock.Move(-9 * time.Hour)
		defer s.Clock.Move(9 * time.Hour)
	}
	u, err := s.Store.AddUser(ctx, by, db.User{Login: name, Name: "The " + name, Password: Phc()}, role)
	require.NoError(s.T, err)
	p := &Person{User: u}
	s.SetPerson(name, p)
	p.Cookie, p.Token = s.NewLogin(u.ID, tenant), s.NewToken(u.ID, tenant, role)
	switch name {
	case "disabled":
		s.Person("admin") // the last administrator cannot be disabled
		require.NoError(s.T, s.Store.SetUserDisabled(ctx, by, u.ID, true))
	case "shut.out":
		s.Person("admin")
		require.NoError(s.T, s.Store.SetMemberDisabled(ctx, by, u.ID, true))
	}
	return p
}

// NewLogin signs a user in without the login page and returns the cookie's value.
func (s *Server) NewLogin(userID, tenant string) string {
	s.T.Helper()
	secret, at := auth.NewSecret(), s.Clock.Now()
	err := s.Store.CreateLogin(context.Background(), access.Actor{Tenant: tenant, ID: userID, Human: true}, access.Login{
		TokenHash: db.HashToken(secret), UserID: userID, TenantID: tenant, CreatedAt: at, SeenAt: at, FreshAt: at,
	})
	require.NoError(s.T, err)
	return secret
}

// NewToken returns a new token of a user, valid for one hour.
func (s *Server) NewToken(userID, tenant string, role access.Role) string {
	s.T.Helper()
	return s.newToken(userID, tenant, role)
}

// NarrowedToken is NewToken in the server's tenant for one that is narrowed to scopes.
func (s *Server) NarrowedToken(userID string, role access.Role, scopes ...access.Scope) string {
	s.T.Helper()
	return s.newToken(userID, s.Tenant.ID, role, scopes...)
}

func (s *Server) newToken(userID, tenant string, role access.Role, scopes ...access.Scope) string {
	s.T.Helper()
	secret := auth.NewToken()
	_, err := s.Store.AddToken(context.Background(), access.AtCommandLine(tenant), access.Token{UserID: userID,
		Name: "test", Role: role, Hash: db.HashToken(secret), ExpiresAt: s.Clock.Now().Add(time.Hour), Scopes: scopes})
	require.NoError(s.T, err)
	return secret
}
