package web

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/domain"
)

// Attempt runs check, a proof of identity, with a delay that grows with each failure under the same key (per name, as
// an IP address is cheap to change). One check per key runs at a time: else a thousand guesses sent at once would all
// pass before the first failure is counted. During the delay nothing is checked. A failure is counted even if the
// client has disconnected.
func (s *Server) Attempt(
	c echo.Context, key, userID string, check func() (bool, error),
) (ok bool, wait time.Duration, err error) {
	ctx := c.Request().Context()
	unlock, err := s.Locks.Lock(ctx, key)
	if err != nil {
		return false, 0, err
	}
	defer unlock()
	count, last, err := s.Store.Failures(ctx, key)
	if err != nil {
		return false, 0, err
	}
	if wait = auth.Wait(count, last, s.Now()); wait > 0 {
		return false, wait, nil
	}
	if ok, err = check(); err != nil || ok {
		return ok, 0, err
	}
	return false, 0, s.Store.LoginFailed(context.WithoutCancel(ctx), s.From(c, domain.Actor{}), key, userID)
}
