package web

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/views/ui"
)

// Load runs the reads of a page in one transaction, so that they see one moment, and then reads how many notifications
// are unread, which the page's frame shows. op names the page.
// Nothing is written, rendered or asked of other servers meanwhile: a transaction is open.
func (s *Server) Load(c echo.Context, op string, reads ...func(c echo.Context) error) error {
	return s.Together(c, op, append(reads, s.readUnread)...)
}

// Together is Load for a part of a page.
func (s *Server) Together(c echo.Context, op string, reads ...func(c echo.Context) error) error {
	all := make([]func(context.Context) error, len(reads))
	for i, read := range reads {
		all[i] = func(ctx context.Context) error {
			return read(&loading{Context: c, request: c.Request().WithContext(ctx)})
		}
	}
	return s.Store.Together(c.Request().Context(), op, all...)
}

// loading is the context of a request whose reads share a transaction.
type loading struct {
	echo.Context

	request *http.Request
}

func (l *loading) Request() *http.Request { return l.request }

// readUnread reads the figure of the bell, so that the frame need not. If it cannot, as after another read has failed,
// the frame asks again, on whatever page is shown then.
func (s *Server) readUnread(c echo.Context) error {
	l := s.SignedIn(c)
	if l == nil {
		return nil
	}
	if n, err := s.Store.UnreadNotices(c.Request().Context(), l.Actor(), ui.MaxUnread); err == nil {
		c.Set(unreadKey, n)
	}
	return nil
}

const unreadKey = "unread"

// unread counts the reader's unread notifications, once for each request; 0 if they cannot be counted: a page is shown
// without its bell's figure rather than not at all.
func (s *Server) unread(c echo.Context) int {
	if n, ok := c.Get(unreadKey).(int); ok {
		return n
	}
	n, err := s.Store.UnreadNotices(c.Request().Context(), s.SignedIn(c).Actor(), ui.MaxUnread)
	if err != nil {
		s.Log.Error("unread notifications cannot be counted", "request_id", RequestID(c), "err", err)
		n = 0
	}
	c.Set(unreadKey, n)
	return n
}
