package db_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
)

// failures returns the numbers of failures that the events of a log stand for.
func (p *people) failures(t *testing.T, tenant string) (out []int) {
	t.Helper()
	events, err := p.Events(p.ctx, tenant, 0, 1000)
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

func (p *people) fail(t *testing.T, n int, key, user string) {
	t.Helper()
	for i := range n {
		require.NoError(t, p.LoginFailed(p.ctx, access.Actor{From: fmt.Sprintf("192.0.2.%d", i%250)}, key, user))
		require.NoError(t, p.LogFailures(p.ctx))
	}
}

// Strangers cannot fill a permanent log: the first failure is logged, then one event a minute with their number; none
// is lost.
func TestFailuresAreSampled(t *testing.T) {
	p := newPeople(t)
	u := p.add(t, p.tenant, "u", access.Viewer)
	for name, c := range map[string]struct{ user, log string }{
		"unknown names": {"", db.SystemTenant}, "an account": {u.ID, p.tenant.ID},
	} {
		t.Run(name, func(t *testing.T) {
			p.fail(t, 200, name, c.user)
			require.Equal(t, []int{1}, p.failures(t, c.log))
			p.pass(59 * time.Second)
			require.NoError(t, p.LogFailures(p.ctx))
			require.Equal(t, []int{1}, p.failures(t, c.log))
			p.pass(time.Second)
			require.NoError(t, p.LogFailures(p.ctx))
			require.Equal(t, []int{1, 199}, p.failures(t, c.log))
			p.pass(time.Hour)
			p.fail(t, 1, name, c.user)
			require.Equal(t, []int{1, 199, 1}, p.failures(t, c.log), "a quiet account is logged at once again")
		})
	}
}

// Failures of many accounts have a bound in each log too; every account's turn comes.
func TestFailuresOfManyAccounts(t *testing.T) {
	p := newPeople(t)
	const accounts = 25
	for i := range accounts {
		u := p.add(t, p.tenant, fmt.Sprintf("u%d", i), access.Viewer)
		p.fail(t, 2, u.ID, u.ID)
	}
	v := p.add(t, p.other, "v", access.Viewer)
	p.fail(t, 1, v.ID, v.ID)
	require.Len(t, p.failures(t, p.tenant.ID), 10)
	require.Len(t, p.failures(t, p.other.ID), 1, "another tenant's log has its own bound")
	var sum int
	for range 10 {
		p.pass(time.Minute)
		before := len(p.failures(t, p.tenant.ID))
		require.NoError(t, p.LogFailures(p.ctx))
		require.LessOrEqual(t, len(p.failures(t, p.tenant.ID))-before, 10)
	}
	for _, n := range p.failures(t, p.tenant.ID) {
		sum += n
	}
	require.Equal(t, 2*accounts, sum, "none is lost")
}

// What is not logged yet when the server stops is logged then.
func TestFailuresAreLoggedAtTheEnd(t *testing.T) {
	p := newPeople(t)
	p.fail(t, 5, "k", "")
	ctx, cancel := context.WithCancel(p.ctx)
	cancel()
	p.WatchFailures(ctx)
	require.Equal(t, []int{1, 4}, p.failures(t, db.SystemTenant))
}
