package sqldb

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Lock says which other transactions a writing transaction excludes. SQLite has one writer anyway; on PostgreSQL each
// Lock is an advisory lock of the server, which excludes transactions of all processes. A transaction takes one lock,
// or those of several tenants in an order that is the same everywhere, so that no deadlock is possible.
type Lock string

const (
	// EveryTenant is the lock of what concerns several tenants, none, or accounts: no other transaction runs meanwhile.
	EveryTenant Lock = ""
	// SingleRow is for one statement that changes at most one row, and decides by that row alone. It waits only for
	// EveryTenant.
	SingleRow Lock = "row"
	// AsyncRow is SingleRow with an asynchronous commit, for what may be lost when a server fails: when a login or a
	// token was last seen, and a worker's heartbeat. Its commit does not wait for the disk or a standby, so that
	// requests that only read don't wait for a standby that is gone.
	AsyncRow Lock = "async row"
	// heartbeats is for the rows that say which processes serve. It waits for its own kind and for EveryTenant; so does
	// any other name that a room gives to a lock of its own. It also has an asynchronous commit.
	heartbeats Lock = "heartbeats"
)

// OfTenant is the lock of a transaction that changes rows of one tenant only, and decides by rows of this tenant and by
// those that only change under EveryTenant.
func OfTenant(id string) Lock { return Lock("tenant " + id) }

const severalTenants = "tenants "

// ofTenants is the lock of a transaction that changes rows of some tenants, like OfTenant.
func ofTenants(ids ...string) Lock {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	if len(ids) == 1 {
		return OfTenant(ids[0])
	}
	return Lock(severalTenants + strings.Join(ids, " "))
}

// each lists the locks of single tenants that a lock is made of, in the order in which they are taken.
func (lock Lock) each() []Lock {
	ids, several := strings.CutPrefix(string(lock), severalTenants)
	if !several {
		return []Lock{lock}
	}
	var out []Lock
	for id := range strings.SplitSeq(ids, " ") {
		out = append(out, OfTenant(id))
	}
	slices.SortFunc(out, func(a, b Lock) int { return cmp.Compare(a.key(), b.key()) })
	return out
}

// key is the number of a lock of PostgreSQL. If two tenants had the same, they would wait for each other, and no more.
func (lock Lock) key() int64 {
	sum := sha256.Sum256([]byte("sanad " + lock))
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// WriteOf runs do with the locks of the tenants that which finds. If which finds others once these are locked, it takes
// the lock of the store instead.
func (db *DB) WriteOf(ctx context.Context, op string, which func(*Tx) ([]string, error), do func(*Tx) error) error {
	var ids []string
	err := db.Read(ctx, op, func(t *Tx) (err error) {
		ids, err = which(t)
		return err
	})
	if err != nil {
		return err
	}
	l, others := ofTenants(ids...), false
	err = db.Write(ctx, l, op, func(t *Tx) error {
		now, err := which(t)
		if err != nil {
			return err
		}
		if others = ofTenants(now...) != l; others {
			return errors.New("other tenants are concerned than those that were locked")
		}
		return do(t)
	})
	if others {
		err = db.Write(ctx, EveryTenant, op, do)
	}
	return err
}

// Prune deletes old rows of all tenants, and returns how many. The statement deletes those from before a time, but no
// more than a batch; it is run until none is left, each time in a transaction of its own, so that nobody waits for
// long.
func (db *DB) Prune(ctx context.Context, op, statement, before string, batch int64) (pruned int64, err error) {
	for n := batch; n == batch && err == nil; pruned += n {
		n = 0
		err = db.Write(ctx, EveryTenant, op, func(t *Tx) (err error) {
			n, err = t.Exec(statement, before, batch)
			return err
		})
	}
	return pruned, err
}

// repeats reports whether a transaction with the lock is run again where the server ended it for a conflict with
// another. These locks let others change the same rows meanwhile, and what runs under them changes rows only, so that a
// second run finds nothing left of the first. Under the lock of a tenant, what a caller passed in may have kept more.
func (lock Lock) repeats() bool {
	return lock != EveryTenant && !strings.HasPrefix(string(lock), "tenant")
}

// Covers returns an error if the transaction may not append to the tenant's log, as it does not hold its lock.
func (tx *Tx) Covers(tenant string) error {
	if tx.lock == EveryTenant || slices.Contains(tx.lock.each(), OfTenant(tenant)) {
		return nil
	}
	return fmt.Errorf("a transaction with the lock %q changes tenant %s", tx.lock, tenant)
}

// NumberSpace is a column whose numbers are given in ranges over all tenants. PostgreSQL counts them by the sequence of
// the column number of the table counter.
type NumberSpace struct{ Table, Column, Counter, Number string }

// queues lets transactions of one process that need the same lock wait here, so that no more than one connection of the
// pool waits for the lock of a tenant.
type queues struct {
	mu sync.Mutex
	of map[Lock]*queue
}

type queue struct {
	free  chan struct{} // has one element while nobody has its turn
	users int           // who has it and who waits
}

// take waits for the turn of a lock; done gives it back.
func (x *queues) take(ctx context.Context, l Lock) (done func(), err error) {
	if l == SingleRow || l == AsyncRow {
		return func() {}, nil
	}
	var taken []func()
	done = func() {
		for _, give := range slices.Backward(taken) {
			give()
		}
	}
	for _, one := range l.each() {
		give, err := x.takeOne(ctx, one)
		if err != nil {
			done()
			return nil, err
		}
		taken = append(taken, give)
	}
	return done, nil
}

func (x *queues) takeOne(ctx context.Context, l Lock) (done func(), err error) {
	x.mu.Lock()
	if x.of == nil {
		x.of = map[Lock]*queue{}
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
