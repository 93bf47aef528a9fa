package db_test

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// together runs do n times concurrently and returns how often it was true.
func together(n int, do func(i int) bool) int {
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

func TestWhoMayChangeAnAccount(t *testing.T) {
	p := newPeople(t)
	admin, user := p.add(t, p.tenant, "admin", access.Admin), p.add(t, p.tenant, "user", access.Viewer)
	salem := p.add(t, p.other, "salem", access.Admin)
	set := func(by access.Actor, phc string) error {
		err := p.SetPassword(p.ctx, by, user.ID, db.NewPassword{PHC: phc})
		require.Equal(t, domain.KindOf(err), domain.KindOf(p.SetTOTP(p.ctx, by, user.ID, nil, nil)))
		got, e := p.UserByLogin(p.ctx, "user")
		require.NoError(t, e)
		require.Equal(t, err == nil, got.Password == phc)
		return err
	}
	require.NoError(t, set(as(p.tenant, admin, access.Admin), "1"))
	isNotFound(t, set(as(p.other, salem, access.Admin), "2"))
	p.also(t, p.other, user, access.Viewer)
	is(t, domain.Denied, set(as(p.tenant, admin, access.Admin), "3"))
	is(t, domain.Denied, set(as(p.other, salem, access.Admin), "4"))
	require.NoError(t, set(as(p.tenant, user, access.Viewer), "5"))
	require.NoError(t, set(access.AtCommandLine(p.other.ID), "6"))
	isNotFound(t, p.SetPassword(p.ctx, access.AtCommandLine(p.tenant.ID), "nobody", db.NewPassword{PHC: "x"}))

	is(t, domain.Denied, p.SetTOTP(p.ctx, as(p.tenant, admin, access.Admin), user.ID, []byte("7"), nil))
	require.NoError(t, p.SetTOTP(p.ctx, as(p.tenant, user, access.Viewer), user.ID, []byte("8"), nil))
	got, err := p.UserByLogin(p.ctx, "user")
	require.NoError(t, err)
	require.Equal(t, "8", string(got.TOTP))

	for _, tenant := range []string{p.tenant.ID, p.other.ID} {
		require.Contains(t, p.actions(t, tenant), "user.password_changed")
		require.Contains(t, p.actions(t, tenant), "user.totp_changed")
	}
}

func TestANewPasswordEndsTheOtherLogins(t *testing.T) {
	p := newPeople(t)
	u, v := p.add(t, p.tenant, "u", access.Viewer), p.add(t, p.tenant, "v", access.Viewer)
	here, there, another := p.signIn(t, p.tenant, u, "here"), p.signIn(t, p.tenant, u, "there"), p.signIn(t, p.tenant,
		v, "another")
	require.NoError(t, p.SetPassword(p.ctx, as(p.tenant, u, access.Viewer), u.ID,
		db.NewPassword{PHC: "new", KeepLogin: here.ID}))
	require.Equal(t, []bool{true, false, true}, []bool{p.in(t, here), p.in(t, there), p.in(t, another)})
	require.NoError(t, p.SetPassword(p.ctx, as(p.tenant, u, access.Viewer), u.ID, db.NewPassword{PHC: "newer"}))
	require.Equal(t, []bool{false, true}, []bool{p.in(t, here), p.in(t, another)})
}

// A new password ends the tokens that act as the person, in every tenant, with an event for each; others' stay.
func TestANewPasswordEndsTheTokens(t *testing.T) {
	p := newPeople(t)
	u, v := p.add(t, p.tenant, "u", access.Viewer), p.add(t, p.tenant, "v", access.Viewer)
	p.also(t, p.other, u, access.Reviewer)
	here, there := p.token(t, p.tenant, u, access.Viewer, "here"), p.token(t, p.other, u, access.Reviewer, "there")
	another := p.token(t, p.tenant, v, access.Viewer, "another")
	machine := p.token(t, p.tenant, db.User{}, access.Viewer, "machine")
	valid := func() (out []bool) {
		for _, k := range []access.Token{here, there, another, machine} {
			_, err := p.TokenActor(p.ctx, k.Hash, netip.Addr{})
			out = append(out, err == nil)
		}
		return out
	}
	ended := func() (n int) {
		for _, action := range append(p.actions(t, p.tenant.ID), p.actions(t, p.other.ID)...) {
			if action == "token.revoked" {
				n++
			}
		}
		return n
	}
	self := as(p.tenant, u, access.Viewer)
	require.NoError(t, p.SetPassword(p.ctx, self, u.ID, db.NewPassword{PHC: "1", KeepTokens: true}))
	require.Equal(t, []bool{true, true, true, true}, valid())
	require.Zero(t, ended())
	require.NoError(t, p.SetPassword(p.ctx, self, u.ID, db.NewPassword{PHC: "2"}))
	require.Equal(t, []bool{false, false, true, true}, valid())
	require.Equal(t, 2, ended())
	require.NoError(t, p.SetPassword(p.ctx, access.AtCommandLine(p.tenant.ID), v.ID, db.NewPassword{PHC: "3"}))
	require.Equal(t, []bool{false, false, false, true}, valid())
}

func TestATimeStepCountsOnce(t *testing.T) {
	p := newPeople(t)
	u := p.add(t, p.tenant, "u", access.Viewer)
	use := func(step int64) bool {
		ok, err := p.UseTOTPStep(p.ctx, u.ID, step)
		require.NoError(t, err)
		return ok
	}
	require.True(t, use(100))
	require.False(t, use(100))
	require.False(t, use(99))
	require.True(t, use(101))
	require.NoError(t, p.SetTOTP(p.ctx, as(p.tenant, u, access.Viewer), u.ID, []byte("new secret"), nil))
	require.False(t, use(101), "nor after a new secret")
	require.Equal(t, 1, together(20, func(int) bool {
		ok, err := p.UseTOTPStep(p.ctx, u.ID, 200)
		return ok && err == nil
	}))
	ok, err := p.UseTOTPStep(p.ctx, "nobody", 1)
	require.NoError(t, err)
	require.False(t, ok)
}

func TestARecoveryCodeCountsOnce(t *testing.T) {
	p := newPeople(t)
	u, v := p.add(t, p.tenant, "u", access.Viewer), p.add(t, p.tenant, "v", access.Viewer)
	self := as(p.tenant, u, access.Viewer)
	use := func(user, hash string) bool {
		ok, err := p.UseRecoveryCode(p.ctx, self, user, hash)
		require.NoError(t, err)
		return ok
	}
	require.NoError(t, p.SetTOTP(p.ctx, self, u.ID, []byte("s"), []string{"a", "b", "c"}))
	require.False(t, use(u.ID, "x"))
	require.False(t, use(v.ID, "a"), "it is another's")
	require.True(t, use(u.ID, "a"))
	require.False(t, use(u.ID, "a"))
	require.Equal(t, 1, together(20, func(int) bool {
		ok, err := p.UseRecoveryCode(p.ctx, self, u.ID, "b")
		return ok && err == nil
	}))
	require.NoError(t, p.SetTOTP(p.ctx, self, u.ID, []byte("t"), []string{"d"}))
	require.False(t, use(u.ID, "c"), "new codes replace the old ones")
	require.NoError(t, p.SetTOTP(p.ctx, self, u.ID, nil, nil))
	require.False(t, use(u.ID, "d"))
	got, err := p.UserByLogin(p.ctx, "u")
	require.NoError(t, err)
	require.Nil(t, got.TOTP)
	used := 0
	for _, a := range p.actions(t, p.tenant.ID) {
		if a == "login.recovery_used" {
			used++
		}
	}
	require.Equal(t, 2, used)
}

func TestFailures(t *testing.T) {
	p := newPeople(t)
	u := p.add(t, p.tenant, "u", access.Viewer)
	p.also(t, p.other, u, access.Viewer)
	failures := func(key string) (int, time.Time) {
		n, last, err := p.Failures(p.ctx, key)
		require.NoError(t, err)
		return n, last
	}
	n, last := failures("k")
	require.Zero(t, n)
	require.True(t, last.IsZero())
	for range 3 {
		p.pass(time.Minute)
		require.NoError(t, p.LoginFailed(p.ctx, access.Actor{From: "192.0.2.7"}, "k", u.ID))
		require.NoError(t, p.LogFailures(p.ctx))
	}
	at := p.now
	require.NoError(t, p.LoginFailed(p.ctx, access.Actor{From: "192.0.2.7"}, "nobody's", ""))
	require.NoError(t, p.LogFailures(p.ctx))
	n, last = failures("k")
	require.Equal(t, 3, n)
	require.Equal(t, at, last)
	require.NoError(t, p.LoginSucceeded(p.ctx, "k"))
	n, _ = failures("k")
	require.Zero(t, n)
	n, _ = failures("nobody's")
	require.Equal(t, 1, n, "another user's success does not reset the count")

	for _, tenant := range []string{p.tenant.ID, p.other.ID} {
		require.Equal(t, []string{"user.added", "login.failed", "login.failed", "login.failed"}, p.actions(t, tenant))
	}
	require.Equal(t, []string{"login.failed"}, p.actions(t, db.SystemTenant))
	p.pass(24 * time.Hour)
	n, _ = failures("nobody's")
	require.Zero(t, n, "no failure for a day")
	require.NoError(t, p.LoginFailed(p.ctx, access.Actor{From: "192.0.2.7"}, "k", u.ID))
	require.Equal(t, 1, count(t, dbtest.Raw(t, p.dir), "login_failures"), "and the row is gone")
	require.Equal(t, 20, together(20,
		func(int) bool { return p.LoginFailed(p.ctx, access.Actor{From: "192.0.2.7"}, "many", "") == nil }))
	n, _ = failures("many")
	require.Equal(t, 20, n)
}
