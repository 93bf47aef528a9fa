package people

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// The bounds of failed logins in the permanent log (rule SEC-3). What exceeds them is counted and logged later.
const (
	failuresEvery   = time.Minute // between two events of one account, or of all unknown names
	failuresAtOnce  = 10          // events in each log within that time
	failureKeys     = 100_000     // rows of failures that are kept, the newest ones
	lookForFailures = time.Second
)

// failedLogins are failures that are not logged yet. They are kept in memory: a killed server forgets those of its last
// minute. The zero value is ready for use.
type failedLogins struct {
	mu     sync.Mutex
	of     map[string]*failedLogin // by user id, "" for unknown names: as many as there are accounts
	since  time.Time               // begin of the time that logged counts
	logged map[string]int          // events in each tenant's log
}

type failedLogin struct {
	user     string
	count    int          // not logged yet
	from     access.Actor // of the newest
	loggedAt time.Time    // of the newest event; zero if none
}

func (f *failedLogins) add(user string, from access.Actor) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == nil {
		f.of = map[string]*failedLogin{}
	}
	if f.of[user] == nil {
		f.of[user] = &failedLogin{user: user}
	}
	f.of[user].count++
	f.of[user].from = from
}

// due returns those to log now, who have waited longest first: of each account one in failuresEvery, or all of them at
// the end. It forgets accounts without new failures.
func (f *failedLogins) due(now time.Time, all bool) (out []*failedLogin) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now.Sub(f.since) >= failuresEvery || f.logged == nil {
		f.since, f.logged = now, map[string]int{}
	}
	for user, x := range f.of {
		over := now.Sub(x.loggedAt) >= failuresEvery
		switch {
		case x.count > 0 && (over || all):
			out = append(out, x)
		case x.count == 0 && over:
			delete(f.of, user)
		}
	}
	slices.SortFunc(out, func(a, b *failedLogin) int {
		return cmp.Or(a.loggedAt.Compare(b.loggedAt), cmp.Compare(a.user, b.user))
	})
	return out
}

// take reserves an event in each of some logs, and returns the failures that it stands for; 0 if a log has enough.
func (f *failedLogins) take(x *failedLogin, tenants []string, all bool) (count int, from access.Actor) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !all && slices.ContainsFunc(tenants, func(t string) bool { return f.logged[t] >= failuresAtOnce }) {
		return 0, from
	}
	for _, t := range tenants {
		f.logged[t]++
	}
	return x.count, x.from
}

// done notes that so many failures were logged.
func (f *failedLogins) done(x *failedLogin, count int, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	x.count, x.loggedAt = x.count-count, now
}

// WatchFailures logs failed logins until ctx ends, and then those that are left.
func (s *Store) WatchFailures(ctx context.Context) {
	for ctx.Err() == nil {
		if err := s.logFailures(ctx, false); err != nil && ctx.Err() == nil {
			s.Logger.Error("failed logins were not logged", "err", err)
			_ = sqldb.Wait(ctx, failuresEvery) // only ctx ends it
		}
		_ = sqldb.Wait(ctx, lookForFailures)
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := s.logFailures(ending, true); err != nil {
		s.Logger.Error("failed logins were not logged", "err", err)
	}
}

// LogFailures logs the failed logins that it is time for. WatchFailures does it all the time.
func (s *Store) LogFailures(ctx context.Context) error { return s.logFailures(ctx, false) }

func (s *Store) logFailures(ctx context.Context, all bool) error {
	due := s.failed.due(s.Now(), all)
	if len(due) == 0 {
		return nil
	}
	if err := s.Write(ctx, failureCounts, "LogFailures", boundFailures); err != nil {
		return err
	}
	for _, x := range due {
		if err := s.logFailure(ctx, x, all); err != nil {
			return err
		}
	}
	return nil
}

// logFailure logs the failures of one account: one event in each of its tenants, with their number.
func (s *Store) logFailure(ctx context.Context, x *failedLogin, all bool) error {
	var count int
	which := func(t *sqldb.Tx) ([]string, error) { return tenantsOf(t, x.user) }
	err := s.WriteOf(ctx, "LogFailures", which, func(t *sqldb.Tx) error {
		tenants, err := tenantsOf(t, x.user)
		if err != nil {
			return err
		}
		n, from := s.failed.take(x, tenants, all)
		if n == 0 {
			return nil
		}
		var details map[string]any
		if n > 1 {
			details = map[string]any{"failures": n}
		}
		who := access.Actor{ID: access.Anonymous, From: from.From, Trace: from.Trace}
		count = n
		return s.appendEverywhere(t, who, x.user, userEvent("login.failed", x.user, details))
	})
	if err == nil && count > 0 {
		s.failed.done(x, count, s.Now())
	}
	return err
}

// tenantsOf returns the logs that appendEverywhere writes to.
func tenantsOf(t *sqldb.Tx, userID string) ([]string, error) {
	tenants, err := sqldb.Collect(t, "SELECT tenant_id FROM memberships WHERE user_id = ? ORDER BY tenant_id LIMIT ?",
		[]any{userID, auditlog.MaxTenants}, func(r sqldb.Scanner, id *string) error { return r.Scan(id) })
	if tenants == nil {
		tenants = []string{reads.SystemTenant}
	}
	return tenants, err
}

// boundFailures forgets the oldest failures of names where there are too many: strangers can type any number of names.
func boundFailures(t *sqldb.Tx) error {
	_, err := t.Exec(`DELETE FROM login_failures WHERE last_at < (
		SELECT last_at FROM login_failures ORDER BY last_at DESC LIMIT 1 OFFSET ?)`, failureKeys)
	return err
}
