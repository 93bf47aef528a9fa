package handlers

import (
	"context"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/domain"
)

// turns lets one check of a name run at a time. Else a thousand guesses sent at once would all pass the slow-down
// before the first of them is counted.
type turns struct {
	mu   sync.Mutex
	held map[string]chan struct{}
}

// take waits for the turn of a key; the caller gives it back.
func (t *turns) take(ctx context.Context, key string) (back func(), err error) {
	for {
		t.mu.Lock()
		busy, held := t.held[key]
		if !held {
			if t.held == nil {
				t.held = map[string]chan struct{}{}
			}
			t.held[key] = make(chan struct{})
			t.mu.Unlock()
			return func() { t.give(key) }, nil
		}
		t.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (t *turns) give(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.held[key])
	delete(t.held, key)
}

// attempt checks a proof of who somebody is, slowed down by the failures of the name before (spec page 6 "Web"): by
// name, since an address is cheap to change. While the name must wait nothing is checked. A failure is counted even
// where the client has gone.
func (s *Server) attempt(c echo.Context, key, userID string, check func() (bool, error)) (ok bool, wait time.Duration, err error) {
	ctx := c.Request().Context()
	back, err := s.turns.take(ctx, key)
	if err != nil {
		return false, 0, err
	}
	defer back()
	count, last, err := s.store.Failures(ctx, key)
	if err != nil {
		return false, 0, err
	}
	if wait = auth.Wait(count, last, s.now()); wait > 0 {
		return false, wait, nil
	}
	if ok, err = check(); err != nil || ok {
		return ok, 0, err
	}
	return false, 0, s.store.LoginFailed(context.WithoutCancel(ctx), s.from(c, domain.Actor{}), key, userID)
}
