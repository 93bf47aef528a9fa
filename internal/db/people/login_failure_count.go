package people

import (
	"cmp"
	"slices"
	"sync"
	"time"

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
	of     map[failedOf]*failedLogin // as many as there are accounts, twice
	since  time.Time                 // begin of the time that logged counts
	logged map[string]int            // events in each tenant's log
}

type failedLogin struct {
	failedOf
	count    int          // not logged yet
	from     access.Actor // of the newest
	loggedAt time.Time    // of the newest event; zero if none
}

// failedOf is what failures are counted for apart.
type failedOf struct {
	user string // id, "" for unknown names
	own  bool   // by the account itself, which is signed in: a proof that was wrong
}

func (failures *failedLogins) add(user string, from access.Actor) {
	key := failedOf{user, user != "" && from.ID == user}
	failures.mu.Lock()
	defer failures.mu.Unlock()
	if failures.of == nil {
		failures.of = map[failedOf]*failedLogin{}
	}
	if failures.of[key] == nil {
		failures.of[key] = &failedLogin{failedOf: key}
	}
	failures.of[key].count++
	failures.of[key].from = from
}

// due returns those to log now, who have waited longest first: of each account one in failuresEvery, or all of them at
// the end. It forgets accounts without new failures.
func (failures *failedLogins) due(now time.Time, all bool) (out []*failedLogin) {
	failures.mu.Lock()
	defer failures.mu.Unlock()
	if now.Sub(failures.since) >= failuresEvery || failures.logged == nil {
		failures.since, failures.logged = now, map[string]int{}
	}
	for key, x := range failures.of {
		over := now.Sub(x.loggedAt) >= failuresEvery
		switch {
		case x.count > 0 && (over || all):
			out = append(out, x)
		case x.count == 0 && over:
			delete(failures.of, key)
		}
	}
	slices.SortFunc(out, func(a, b *failedLogin) int {
		return cmp.Or(a.loggedAt.Compare(b.loggedAt), cmp.Compare(a.user, b.user))
	})
	return out
}

// take reserves an event in each of some logs, and returns the failures that it stands for; 0 if a log has enough.
func (failures *failedLogins) take(x *failedLogin, tenants []string, all bool) (count int, from access.Actor) {
	failures.mu.Lock()
	defer failures.mu.Unlock()
	if !all && slices.ContainsFunc(tenants, func(t string) bool { return failures.logged[t] >= failuresAtOnce }) {
		return 0, from
	}
	for _, t := range tenants {
		failures.logged[t]++
	}
	return x.count, x.from
}

// done notes that so many failures were logged.
func (failures *failedLogins) done(x *failedLogin, count int, now time.Time) {
	failures.mu.Lock()
	defer failures.mu.Unlock()
	x.count, x.loggedAt = x.count-count, now
}
