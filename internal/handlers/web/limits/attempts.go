package limits

import (
	"context"
	"net/netip"
	"time"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/quota"
)

// The bounds of proofs of identity (rule SEC-3). Those of an address are LoginFailures.
const (
	nameTries  = 20              // of one name, or of one known browser or person, at once
	nameRate   = 1.0             // and then in a second
	keptTries  = 20_000          // addresses and names that are remembered; about 5 MB of either
	allTries   = 100             // of one person's known browsers, or logins and tokens, together at once
	allRate    = 0.1             // and then in a second
	proofQueue = 64              // who may wait for a check
	proofWait  = 5 * time.Second // and how long
)

// LoginFailures is how many wrong passwords an address may send: so many at once, and so many in a minute from then on.
// 0 sets no limit.
type LoginFailures struct{ PerMinute, Burst int }

// Attempts bounds what strangers can cost who sign in.
type Attempts struct {
	store *db.Store
	now   func() time.Time
	locks KeyedMutex

	addresses, names, people *quota.Buckets // right proofs are given back, so that many people may sign in from one office

	Queue *quota.Pool // as many at once as passwords are hashed, addresses take turns
}

// NewAttempts returns the bounds of a server that hashes so many passwords at once.
func NewAttempts(store *db.Store, now func() time.Time, at LoginFailures, hashes int) *Attempts {
	return &Attempts{
		store: store, now: now,
		addresses: quota.NewBuckets(float64(at.PerMinute)/60, at.Burst, keptTries),
		names:     quota.NewBuckets(nameRate, nameTries, keptTries),
		people:    quota.NewBuckets(allRate, allTries, keptTries),
		Queue:     quota.NewPool(quota.Limits{All: int64(hashes), Queue: proofQueue, Wait: proofWait}),
	}
}

// Try is a proof of identity that somebody gives.
type Try struct {
	Key    string // failures are counted under it
	UserID string // "" if the name is unknown
	// Known is a person who is signed in, or a browser that has signed in to this account before. Failures of strangers
	// don't delay it: it has a Key of its own, its address does not count, and it is checked before them.
	Known bool

	All  string // bounds the failures of all keys of the account together; "" for no such bound
	Else string // the key of a stranger, which counts while Key has to wait; "" for none
}

// Check runs prove, a proof of identity that somebody gives from the address of by. While a known browser has to wait,
// it counts as a stranger: so whoever copied its cookie delays the owner no more than strangers do.
func (a *Attempts) Check(ctx context.Context, by access.Actor, try Try, prove func() (bool, error)) (
	ok bool, wait time.Duration, err error,
) {
	ok, wait, err = a.check(ctx, by, try, prove)
	if wait > 0 && try.Else != "" {
		return a.check(ctx, by, Try{Key: try.Else, UserID: try.UserID}, prove)
	}
	return ok, wait, err
}

// check runs prove, a proof of identity, with a delay that grows with each failure under the same key. One check per
// key runs at a time: else a thousand guesses sent at once would all pass before the first failure is counted. Beyond
// the bounds of the address, the name and the queue nothing is checked, nor during the delay. The error of a full
// queue is a *quota.Refused. A failure is counted even if the client has disconnected.
func (a *Attempts) check(ctx context.Context, by access.Actor, try Try, prove func() (bool, error)) (
	ok bool, wait time.Duration, err error,
) {
	from := network(by.From)
	failed := false
	take := func(from *quota.Buckets, key string) (wait time.Duration, giveBack func()) {
		wait = from.Take(key, a.now())
		return wait, func() {
			if wait == 0 && !failed {
				from.Give(key, a.now())
			}
		}
	}
	if !try.Known { // before the lock, so that strangers don't wait for it in numbers
		wait, giveBack := take(a.names, try.Key)
		defer giveBack()
		if wait > 0 {
			return false, wait, nil
		}
		wait, giveBack = take(a.addresses, from)
		defer giveBack()
		if wait > 0 {
			return false, wait, nil
		}
	}
	unlock, err := a.locks.Lock(ctx, try.Key)
	if err != nil {
		return false, 0, err
	}
	defer unlock()
	if try.Known { // with the lock, so that a person's parallel requests with the right password don't count
		wait, giveBack := take(a.names, try.Key)
		defer giveBack()
		if wait > 0 {
			return false, wait, nil
		}
	}
	count, last, err := a.store.Failures(ctx, try.Key)
	if err != nil {
		return false, 0, err
	}
	if wait = auth.Wait(count, last, a.now()); wait > 0 {
		failed = true // else one address could ask for a name without end
		return false, wait, nil
	}
	if try.All != "" { // only what is checked counts: one key that has to wait uses nothing up
		wait, giveBack := take(a.people, try.All)
		defer giveBack()
		if wait > 0 {
			return false, wait, nil
		}
	}
	done, err := a.Queue.Acquire(ctx, quota.Ask{Person: from, Kind: "login", Weight: 1, First: try.Known})
	if err != nil {
		return false, 0, err
	}
	defer done() // only when the failure is counted: writing it takes longer than checking where the disk is slow
	ok, err = prove()
	if err != nil || ok {
		return ok, 0, err
	}
	failed = true
	return false, 0, a.store.LoginFailed(context.WithoutCancel(ctx), by, try.Key, try.UserID)
}

// network returns whose bound an address counts against: its own, or that of its /64 for IPv6, which one household or
// machine has all of.
func network(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is4() {
		return ip.String()
	}
	prefix, _ := ip.Prefix(64) // 64 fits every IPv6 address
	return prefix.String()
}
