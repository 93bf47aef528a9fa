package db

import (
	"context"
	"fmt"
	"sync"
)

// lock says which transactions a writing transaction may not run beside. SQLite has one writer anyway; on PostgreSQL
// each lock is one of the server, which holds for all processes. A transaction takes one lock only, so that no two can
// wait for each other.
type lock string

const (
	// everyTenant is the lock of what concerns several tenants, none, or accounts: no other transaction runs meanwhile.
	everyTenant lock = ""
	// singleRow is for one statement that changes at most one row, and decides by that row alone. It waits only for
	// everyTenant.
	singleRow lock = "row"
	// fleeting is singleRow for what may be lost when a server fails: when a login or a token was seen last, and that a
	// worker lives. Nobody waits until it is on disk, or at a standby: who only reads must not wait for one that is gone.
	fleeting lock = "fleeting"
	// The others wait for their own kind and for everyTenant.
	jobQueue      lock = "jobs"           // one job of any tenant is taken
	limitUse      lock = "limits"         // the rows of the table limit_use; they may be lost like what is fleeting
	failureCounts lock = "login failures" // the rows of the table login_failures
)

// ofTenant is the lock of a transaction that changes rows of one tenant only, and decides by rows of this tenant and by
// those that only change under everyTenant.
func ofTenant(id string) lock { return lock("tenant " + id) }

// repeats reports whether transactions with the lock can be run again as they are: they only change rows.
func (l lock) repeats() bool {
	return l == singleRow || l == fleeting || l == jobQueue || l == limitUse || l == failureCounts
}

// covers returns an error if the transaction may not append to the tenant's log, as it does not hold its lock.
func (t *tx) covers(tenant string) error {
	if t.lock == everyTenant || t.lock == ofTenant(tenant) {
		return nil
	}
	return fmt.Errorf("a transaction with the lock %q changes tenant %s", t.lock, tenant)
}

// numberSpace is a column whose numbers are given in ranges over all tenants. PostgreSQL counts them by the sequence of
// the column number of the table counter.
type numberSpace struct{ table, column, counter, number string }

var (
	claimNumbers = numberSpace{table: "claims", column: "no", counter: "claims", number: "no"}
	// FTS5 can't look up its own last row: the index's table of sizes can
	findNumbers = numberSpace{table: "find_search_docsize", column: "id", counter: "find_runs", number: "first"}
)

// queues lets transactions of one process that need the same lock wait here, so that of all connections for writing
// only one waits for a tenant.
type queues struct {
	mu sync.Mutex
	of map[lock]*queue
}

type queue struct {
	free  chan struct{} // has one element while nobody has its turn
	users int           // who has it and who waits
}

// take waits for the turn of a lock; done gives it back.
func (x *queues) take(ctx context.Context, l lock) (done func(), err error) {
	if l == singleRow || l == fleeting {
		return func() {}, nil
	}
	x.mu.Lock()
	if x.of == nil {
		x.of = map[lock]*queue{}
	}
	n := x.of[l]
	if n == nil {
		n = &queue{free: make(chan struct{}, 1)}
		n.free <- struct{}{}
		x.of[l] = n
	}
	n.users++
	x.mu.Unlock()
	leave := func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		if n.users--; n.users == 0 {
			delete(x.of, l)
		}
	}
	select {
	case <-n.free:
		return func() { n.free <- struct{}{}; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}
