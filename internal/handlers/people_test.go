package handlers_test

import (
	"context"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
)

// person is somebody with a login and a token of their own. Who is who says the name:
//
//	viewer, reviewer, approver, admin   of the tenant main
//	foreign                             an admin of the tenant other
//	disabled, shut.out                  admins, disabled by the operator or in their tenant after they signed in
//	expired                             an admin whose login and token have run out
type person struct {
	db.User
	cookie, token string
}

const password = "correct horse battery"

// phc is the hash of password, made once.
var phc = sync.OnceValue(func() string {
	hash, err := auth.NewHasher(1).Hash(context.Background(), password)
	if err != nil {
		panic(err)
	}
	return hash
})

// person makes somebody at the first mention.
func (s *server) person(name string) *person {
	s.t.Helper()
	if p, known := s.people[name]; known {
		return p
	}
	role, tenant := domain.Role(name), s.tenant.ID
	switch name {
	case "foreign":
		role, tenant = domain.Admin, s.other.ID
	case "disabled", "shut.out", "expired":
		role = domain.Admin
	}
	p := s.addPerson(name, tenant, role)
	s.people[name] = p
	return p
}

func (s *server) addPerson(name, tenant string, role domain.Role) *person {
	s.t.Helper()
	ctx, by := context.Background(), domain.AtCommandLine(tenant)
	if name == "expired" {
		s.clock.move(-9 * time.Hour)
		defer s.clock.move(9 * time.Hour)
	}
	u, err := s.store.AddUser(ctx, by, db.User{Login: name, Name: "The " + name, Password: phc()}, role)
	require.NoError(s.t, err)
	p := &person{User: u}
	p.cookie, p.token = s.newLogin(u.ID, tenant), s.newToken(u.ID, tenant, role)
	switch name {
	case "disabled":
		s.person("admin") // the last one would stay
		require.NoError(s.t, s.store.SetUserDisabled(ctx, by, u.ID, true))
	case "shut.out":
		s.person("admin")
		require.NoError(s.t, s.store.SetMemberDisabled(ctx, by, u.ID, true))
	}
	return p
}

// newLogin signs a user in without the login page and gives the cookie's value.
func (s *server) newLogin(userID, tenant string) string {
	s.t.Helper()
	secret, at := auth.NewSecret(), s.clock.now()
	err := s.store.CreateLogin(context.Background(), domain.Actor{Tenant: tenant, ID: userID, Human: true}, db.Login{
		TokenHash: db.HashToken(secret), UserID: userID, TenantID: tenant, CreatedAt: at, SeenAt: at, FreshAt: at,
	})
	require.NoError(s.t, err)
	return secret
}

// newToken gives a token of a user for one hour.
func (s *server) newToken(userID, tenant string, role domain.Role) string {
	s.t.Helper()
	secret := auth.NewToken()
	_, err := s.store.AddToken(context.Background(), domain.AtCommandLine(tenant), db.Token{
		UserID: userID, Name: "test", Role: role, Hash: db.HashToken(secret), ExpiresAt: s.clock.now().Add(time.Hour),
	})
	require.NoError(s.t, err)
	return secret
}
