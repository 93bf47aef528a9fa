package web

import (
	"github.com/labstack/echo/v4"

	"sanad/internal/views/ui"
)

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
