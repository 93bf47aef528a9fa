package isolated

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// slots limits how many processes run at a time. Of several tenants that wait, the one with the fewest running is
// next, then who came first. While there is more than one slot, a tenant can't hold all of them.
type slots struct {
	mu      sync.Mutex
	most    int
	held    int
	running map[string]int // by tenant; without zeros
	waiting []*waiter      // in order of arrival
}

type waiter struct {
	tenant string
	turn   chan struct{} // closed when it has its slot
}

func newSlots(most int) *slots { return &slots{most: most, running: map[string]int{}} }

// acquire waits for a slot until ctx ends or late fires (nil: never). The error is that of ctx, or a Fault of ErrBusy.
func (s *slots) acquire(ctx context.Context, tenant string, late <-chan time.Time) error {
	w := &waiter{tenant: tenant, turn: make(chan struct{})}
	s.mu.Lock()
	s.waiting = append(s.waiting, w)
	s.admit()
	s.mu.Unlock()
	select {
	case <-w.turn:
		return nil
	case <-ctx.Done():
		s.leave(w)
		return ctx.Err()
	case <-late:
		s.leave(w)
		return &Fault{Kind: ErrBusy, Cause: fmt.Errorf("%d files are being read", s.most)}
	}
}

// leave takes back a waiter, and the slot if it was given one meanwhile.
func (s *slots) leave(w *waiter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.waiting, w); i >= 0 {
		s.waiting = slices.Delete(s.waiting, i, i+1)
		return
	}
	s.free(w.tenant)
}

// release returns a slot.
func (s *slots) release(tenant string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free(tenant)
}

func (s *slots) free(tenant string) {
	s.held--
	if s.running[tenant]--; s.running[tenant] == 0 {
		delete(s.running, tenant)
	}
	s.admit()
}

// admit gives free slots to those whose turn it is.
func (s *slots) admit() {
	for s.held < s.most {
		next := -1
		for i, w := range s.waiting {
			if s.running[w.tenant] < max(1, s.most-1) &&
				(next < 0 || s.running[w.tenant] < s.running[s.waiting[next].tenant]) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		w := s.waiting[next]
		s.waiting = slices.Delete(s.waiting, next, next+1)
		s.held++
		s.running[w.tenant]++
		close(w.turn)
	}
}
