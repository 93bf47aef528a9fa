// Package notify serves what a person is told of.
package notify

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/notify"
	"sanad/internal/handlers/web"
	notifyviews "sanad/internal/views/notify"
)

// server answers the requests of this capability.
type server struct{ *web.Server }

// list shows a page of what the reader is told of and may still see.
func (s *server) list(c echo.Context) error {
	who, unread := s.Who(c), c.QueryParam("unread") == "1"
	before, _ := strconv.ParseInt(c.QueryParam("before"), 10, 64) // 0 for the newest
	found, err := s.Store.Notices(c.Request().Context(), who, unread, before, notify.PerPage+1)
	if err != nil {
		return err
	}
	in := notifyviews.Input{Unread: unread}
	if len(found) > notify.PerPage {
		found = found[:notify.PerPage]
		in.Next = found[notify.PerPage-1].No
	}
	for _, n := range found {
		may, err := s.maySee(c, &n)
		if err != nil {
			return err
		}
		if may {
			in.Notices = append(in.Notices, n)
		}
	}
	return s.Render(c, http.StatusOK, notifyviews.Show(notifyviews.NewPage(s.Chrome(c), in)))
}

// maySee reports whether the reader may see what a notification is about, which may have changed since.
func (s *server) maySee(c echo.Context, n *notify.Notice) (bool, error) {
	who := s.Who(c)
	what, on := n.Seen(who.Tenant)
	return s.Authorizer.Allowed(c.Request().Context(), who, what, on)
}

// read marks one notification as read.
func (s *server) read(c echo.Context) error {
	no, err := strconv.ParseInt(c.Param("no"), 10, 64)
	if err != nil {
		return web.NotFound()
	}
	if err := s.Store.ReadNotice(c.Request().Context(), s.Who(c), no); err != nil {
		return err
	}
	return web.SeeOther(c, "/notifications")
}

// readAll marks as read what the page showed, and what came before.
func (s *server) readAll(c echo.Context) error {
	last, err := strconv.ParseInt(c.FormValue("last"), 10, 64)
	if err != nil || last < 1 {
		return web.WithStatus(http.StatusBadRequest,
			domain.Refuse(domain.Invalid, "last", "refused_form_lacks_newest"))
	}
	if err := s.Store.ReadNotices(c.Request().Context(), s.Who(c), last); err != nil {
		return err
	}
	return web.SeeOther(c, "/notifications")
}
