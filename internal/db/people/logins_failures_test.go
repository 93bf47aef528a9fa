package people_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
)

// failures returns the numbers of failures that the events of a log stand for.
func failures(t *testing.T, p *dbtest.People, tenant string) (out []int) {
	t.Helper()
	events, err := p.Events(p.Ctx, tenant, 0, 1000)
	require.NoError(t, err)
	for _, e := range events {
		if e.Action != "login.failed" {
			continue
		}
		n := 1
		if _, after, counted := strings.Cut(string(e.Bytes), `"failures":`); counted {
			_, err := fmt.Sscan(strings.NewReplacer("}", " ", ",", " ").Replace(after), &n)
			require.NoError(t, err)
		}
		out = append(out, n)
	}
	return out
}

func fail(t *testing.T, p *dbtest.People, n int, key, user string) {
	t.Helper()
	for i := range n {
		require.NoError(t, p.LoginFailed(p.Ctx, access.Actor{From: fmt.Sprintf("192.0.2.%d", i%250)}, key, user))
		require.NoError(t, p.LogFailures(p.Ctx))
	}
}

// Strangers cannot fill a permanent log: the first failure is logged, then one event a minute with their number; none
// is lost.
func TestFailuresAreSampled(t *testing.T) {
	p := dbtest.NewPeople(t)
	u := p.AddPerson(t, p.Tenant, "u", access.Viewer)
	for name, c := range map[string]struct{ user, log string }{
		"unknown names": {"", db.SystemTenant}, "an account": {u.ID, p.Tenant.ID},
	} {
		t.Run(name, func(t *testing.T) {
			fail(t, p, 200, name, c.user)
			require.Equal(t, []int{1}, failures(t, p, c.log))
			p.Pass(59 * time.Second)
			require.NoError(t, p.LogFailures(p.Ctx))
			require.Equal(t, []int{1}, failures(t, p, c.log))
			p.Pass(time.Second)
			require.NoError(t, p.LogFailures(p.Ctx))
			require.Equal(t, []int{1, 199}, failures(t, p, c.log))
			p.Pass(time.Hour)
			fail(t, p, 1, name, c.user)
			require.Equal(t, []int{1, 199, 1}, failures(t, p, c.log), "a quiet account is logged at once again")
		})
	}
}

// Failures of many accounts have a bound in each log too; every account's turn comes.
func TestFailuresOfManyAccounts(t *testing.T) {
	p := dbtest.NewPeople(t)
	const accounts = 25
	for i := range accounts {
		u := p.AddPerson(t, p.Tenant, fmt.Sprintf("u%d", i), access.Viewer)
		fail(t, p, 2, u.ID, u.ID)
	}
	v := p.AddPerson(t, p.Other, "v", access.Viewer)
	fail(t, p, 1, v.ID, v.ID)
	require.Len(t, failures(t, p, p.Tenant.ID), 10)
	require.Len(t, failures(t, p, p.Other.ID), 1, "another tenant's log has its own bound")
	var sum int
	for range 10 {
		p.Pass(time.Minute)
		before := len(failures(t, p, p.Tenant.ID))
		require.NoError(t, p.LogFailures(p.Ctx))
		require.LessOrEqual(t, len(failures(t, p, p.Tenant.ID))-before, 10)
	}
	for _, n := range failures(t, p, p.Tenant.ID) {
		sum += n
	}
	require.Equal(t, 2*accounts, sum, "none is lost")
}

// What is not logged yet when the server stops is logged then.
func TestFailuresAreLoggedAtTheEnd(t *testing.T) {
	p := dbtest.NewPeople(t)
	fail(t, p, 5, "k", "")
	ctx, cancel := context.WithCancel(p.Ctx)
	cancel()
	p.WatchFailures(ctx)
	require.Equal(t, []int{1, 4}, failures(t, p, db.SystemTenant))
}
