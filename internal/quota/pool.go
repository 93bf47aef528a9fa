// Package quota shares what a server has little of, such as memory or turns at an expensive computation, among tenants
// and people, so that nobody can take it from the others. It knows no HTTP and stores nothing.
package quota

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// Limits are the bounds of a Pool, in its unit.
type Limits struct {
	All    int64 // of everybody together
	Tenant int64 // of one tenant; 0 for All
	Person int64 // of one person; 0 for Tenant

	Queue int           // how many may wait at once
	Wait  time.Duration // how long one waits
}

// Ask is a wish for a share of a Pool.
type Ask struct {
	Tenant, Person string // who holds it; a person is counted in each tenant apart
	Kind           string // what for: one of a few, since Use counts by it
	Weight         int64  // at least 1; what exceeds a limit counts as the limit, so that it can be had at all
	Held           int64  // of Weight, what the same work holds already by an Ask around this one
	First          bool   // before those who wait without it
	Patient        bool   // waits as long as its context permits, and is never refused
}

// Whose says whose bound keeps an Ask from its share.
type Whose string

// Bounds from the narrowest to the widest.
const (
	Person Whose = "person"
	Tenant Whose = "tenant"
	Server Whose = "server"
)

// Refused is the error of an Ask that waited in vain, or found the queue full of others whose turn is before its own.
type Refused struct{ Whose Whose }

func (r *Refused) Error() string { return fmt.Sprintf("the bound of the %s is reached", r.Whose) }

// Pool is a weighted semaphore with a bounded queue. Among those who wait, who holds less is next: first by tenant,
// then by person; among equals people take turns, and each one's own wishes are met in order. A wish that only the
// pool's whole bound keeps waiting is not overtaken by smaller ones behind it. golang.org/x/sync/semaphore has one
// queue in order of arrival, which whoever asks most fills. A Pool is safe for concurrent use.
type Pool struct {
	limits Limits

	mu      sync.Mutex
	held    int64
	tenants map[string]int64     // what each holds; without zeros
	people  map[[2]string]*share // by tenant and person: those who hold something or wait
	round   int64                // the newest turn that was given
	arrived int64
	waiting []*waiter // in order of arrival

	used    map[string]int64 // held by kind
	refused map[refusal]int64
}

type refusal struct {
	kind  string
	whose Whose
}

// share is what one person holds and awaits.
type share struct {
	held    int64
	waiting int
	round   int64 // of the newest wish
}

type waiter struct {
	Ask
	share *share
	round int64
	no    int64      // in order of arrival
	turn  chan error // one value: nil when it has its share, else why not
}

// NewPool returns a pool of which nothing is held.
func NewPool(l Limits) *Pool {
	if l.Tenant <= 0 {
		l.Tenant = l.All
	}
	if l.Person <= 0 {
		l.Person = l.Tenant
	}
	return &Pool{limits: l, tenants: map[string]int64{}, people: map[[2]string]*share{}, used: map[string]int64{},
		refused: map[refusal]int64{}}
}

// Acquire waits for a share, for at most Limits.Wait unless the Ask is patient. The error is that of ctx, or a
// *Refused. release must be called once; later calls do nothing.
func (p *Pool) Acquire(ctx context.Context, a Ask) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	a.Weight = max(1, min(a.Weight, p.limits.All, p.limits.Tenant, p.limits.Person))
	if a.Held > 0 {
		a.Weight = max(0, a.Weight-a.Held)
	}
	w := p.enter(a)
	var late <-chan time.Time
	if !a.Patient {
		timer := time.NewTimer(p.limits.Wait)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case err = <-w.turn:
	case <-ctx.Done():
		err = p.leave(w, ctx.Err())
	case <-late:
		err = p.leave(w, nil)
	}
	if err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() { p.release(w) }), nil
}

// enter puts a wish into the queue, and gives it its share at once if nothing is in its way. If the queue is too long
// then, the one whose turn is last must go.
func (p *Pool) enter(a Ask) *waiter {
	p.mu.Lock()
	defer p.mu.Unlock()
	who := [2]string{a.Tenant, a.Person}
	if p.people[who] == nil {
		p.people[who] = &share{}
	}
	of := p.people[who]
	of.waiting++
	of.round = max(p.round, of.round+1)
	p.arrived++
	w := &waiter{Ask: a, share: of, round: of.round, no: p.arrived, turn: make(chan error, 1)}
	p.waiting = append(p.waiting, w)
	p.admit()
	if impatient := p.impatient(); len(impatient) > p.limits.Queue {
		p.refuse(slices.MaxFunc(impatient, p.compare))
	}
	return w
}

// impatient returns those that wait and may be refused.
func (p *Pool) impatient() []*waiter {
	var out []*waiter
	for _, w := range p.waiting {
		if !w.Patient {
			out = append(out, w)
		}
	}
	return out
}

// compare orders those that wait: who is next comes first.
func (p *Pool) compare(a, b *waiter) int {
	if a.First != b.First {
		if a.First {
			return -1
		}
		return 1
	}
	for _, pair := range [][2]int64{
		{p.tenants[a.Tenant], p.tenants[b.Tenant]}, {a.share.held, b.share.held}, {a.round, b.round},
		{a.no, b.no},
	} {
		if pair[0] != pair[1] {
			return int(max(-1, min(1, pair[0]-pair[1])))
		}
	}
	return 0
}

// admit gives shares to those whose turn it is.
func (p *Pool) admit() {
	for next := p.next(); next != nil; next = p.next() {
		p.remove(next)
		p.round = max(p.round, next.round)
		p.hold(next, next.Weight)
		next.turn <- nil
	}
}

// next returns whose turn it is, nil if nothing more can be given. Who must wait for a bound holds up those behind that
// the same bound is for.
func (p *Pool) next() *waiter {
	tenants, people := map[string]bool{}, map[*share]bool{}
	for _, w := range slices.SortedFunc(slices.Values(p.waiting), p.compare) {
		if tenants[w.Tenant] || people[w.share] {
			continue
		}
		switch p.bound(w) {
		case "":
			return w
		case Person:
			people[w.share] = true
		case Tenant:
			tenants[w.Tenant] = true
		default:
			return nil
		}
	}
	return nil
}

// bound says whose bound keeps w waiting, "" if none.
func (p *Pool) bound(w *waiter) Whose {
	switch {
	case p.limits.Person < p.limits.All && w.share.held+w.Weight > p.limits.Person:
		return Person
	case p.limits.Tenant < p.limits.All && p.tenants[w.Tenant]+w.Weight > p.limits.Tenant:
		return Tenant
	case p.held+w.Weight > p.limits.All:
		return Server
	}
	return ""
}

// hold changes what w's holders hold by an amount.
func (p *Pool) hold(w *waiter, by int64) {
	p.held += by
	p.used[w.Kind] += by
	w.share.held += by
	if p.tenants[w.Tenant] += by; p.tenants[w.Tenant] == 0 {
		delete(p.tenants, w.Tenant)
	}
	p.forget(w)
}

// remove takes w out of the queue.
func (p *Pool) remove(w *waiter) {
	p.waiting = slices.DeleteFunc(p.waiting, func(x *waiter) bool { return x == w })
	w.share.waiting--
}

// forget drops a person who neither holds nor awaits anything, so that memory is bounded by what is in progress.
func (p *Pool) forget(w *waiter) {
	if w.share.held == 0 && w.share.waiting == 0 {
		delete(p.people, [2]string{w.Tenant, w.Person})
	}
}

// refuse sends w away.
func (p *Pool) refuse(w *waiter) {
	whose := p.bound(w)
	if whose == "" { // it waits behind others
		whose = Server
	}
	p.remove(w)
	p.forget(w)
	p.refused[refusal{w.Kind, whose}]++
	w.turn <- &Refused{whose}
	p.admit() // it may have been in the way of others
}

// leave ends the wait of w: with cause, or as refused if that is nil. If w has been given its turn meanwhile, its share
// is taken back for a cause, and kept otherwise.
func (p *Pool) leave(w *waiter, cause error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.Contains(p.waiting, w) {
		if cause == nil {
			p.refuse(w)
			return <-w.turn
		}
		p.remove(w)
		p.forget(w)
		p.admit()
		return cause
	}
	err := <-w.turn
	if err == nil && cause != nil {
		p.hold(w, -w.Weight)
		p.admit()
	}
	if cause != nil {
		return cause
	}
	return err
}

func (p *Pool) release(w *waiter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hold(w, -w.Weight)
	p.admit()
}

// Use is what a Pool is used for, for the operator's metrics.
type Use struct {
	Limit   int64            // of everybody together
	Held    map[string]int64 // by kind
	Waiting int
	Refused map[string]map[Whose]int64 // since the start, by kind and whose bound it was
}

// Use returns what is held now.
func (p *Pool) Use() Use {
	p.mu.Lock()
	defer p.mu.Unlock()
	u := Use{Limit: p.limits.All, Held: maps.Clone(p.used), Waiting: len(p.waiting),
		Refused: map[string]map[Whose]int64{}}
	for of, n := range p.refused {
		if u.Refused[of.kind] == nil {
			u.Refused[of.kind] = map[Whose]int64{}
		}
		u.Refused[of.kind][of.whose] = n
	}
	return u
}

// Wait is how long an Ask waits at most: also how soon it is worth asking again.
func (p *Pool) Wait() time.Duration { return p.limits.Wait }
