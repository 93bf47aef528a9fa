package ledger

import (
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
)

// closeSession closes a session. Without a reason it closes only a session whose claims are all settled.
func (s *server) closeSession(c echo.Context) error {
	err := s.Store.CloseSession(c.Request().Context(), s.Who(c), c.Param("id"), c.FormValue("reason"))
	return s.afterStep(c, ledgerviews.StepsForm{Reason: c.FormValue("reason")}, err)
}

// reopenSession reopens a closed session.
func (s *server) reopenSession(c echo.Context) error {
	return s.afterStep(c, ledgerviews.StepsForm{},
		s.Store.ReopenSession(c.Request().Context(), s.Who(c), c.Param("id")))
}

// afterStep answers a step of a session's review: 303 to the ledger, or the ledger with the fault beside the form.
func (s *server) afterStep(c echo.Context, form ledgerviews.StepsForm, err error) error {
	switch kind := domain.KindOf(err); {
	case err == nil:
		page := "/sessions/" + c.Param("id")
		if tab := tabParam(c); tab != ledgerviews.TabClaims {
			page += "?tab=" + tab
		}
		return web.SeeOther(c, page)
	case kind == domain.Invalid, kind == domain.Conflict, kind == domain.TooLarge:
		form.Fault = web.AsError(err)
		return s.sessionPage(c, web.StatusOf[kind], form)
	}
	return err
}

// nextSession leads from the end of a session to the one that waits most urgently for its reviewer: first of those that
// they have a seat in, then of those that nobody has, as far as they may read them. Without one it leads home.
func (s *server) nextSession(c echo.Context) error {
	ctx, who := c.Request().Context(), s.Who(c)
	if _, err := s.Store.ShowSession(ctx, who, c.Param("id")); err != nil {
		return err
	}
	waiting, err := s.Store.MyQueue(ctx, who.Tenant, who.ID, web.QueueLength)
	if err != nil {
		return err
	}
	home, err := s.Store.Home(ctx, who)
	if err != nil {
		return err
	}
	free := slices.DeleteFunc(home.Queue, func(r ledger.SessionRow) bool { return r.Seats[0].ID != "" })
	may := s.Readable(ctx, who)
	for _, r := range append(waiting, free...) {
		ok, err := may(access.Object{Kind: "session", ID: r.ID})
		if err != nil {
			return err
		}
		if ok && r.ID != c.Param("id") {
			return web.SeeOther(c, "/sessions/"+r.ID)
		}
	}
	return web.SeeOther(c, "/")
}
