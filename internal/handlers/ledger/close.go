package ledger

import (
	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
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

// nextReview leads to the first session that waits for the reader, but for the one they come from: of their own queue,
// else of those that nobody is to review, as far as they may read them. Without one it leads home.
func (s *server) nextReview(c echo.Context) error {
	ctx, who := c.Request().Context(), s.Who(c)
	queue, err := s.Store.MyQueue(ctx, who.Tenant, who.ID, c.QueryParam("after"), queueLooked)
	if err != nil {
		return err
	}
	free, err := s.Store.FreeSessions(ctx, who, queueLooked)
	if err != nil {
		return err
	}
	may := s.Readable(ctx, who)
	for _, r := range append(queue.Rows, free.Rows...) {
		ok, err := may(access.Object{Kind: "session", ID: r.ID})
		if err != nil {
			return err
		}
		if ok && r.ID != c.QueryParam("after") {
			return web.SeeOther(c, "/sessions/"+r.ID)
		}
	}
	return web.SeeOther(c, "/")
}

// queueLooked is how much of a queue is looked at for a session that a person may read; takeRounds how often, where
// others took all of it meanwhile.
const (
	queueLooked = 50
	takeRounds  = 10
)

// takeNext gives the reader the first session that nobody is to review, and leads to it. Of two people who ask at the
// same moment each gets another one. Without one it leads home.
func (s *server) takeNext(c echo.Context) error {
	ctx, who := c.Request().Context(), s.Who(c)
	may := s.Readable(ctx, who)
	for range takeRounds {
		free, err := s.Store.FreeSessions(ctx, who, queueLooked)
		if err != nil {
			return err
		}
		tried := 0
		for i := range free.Rows {
			id := free.Rows[i].ID
			if ok, err := may(access.Object{Kind: "session", ID: id}); err != nil {
				return err
			} else if !ok {
				continue
			}
			tried++
			switch err := s.reassign(c, id, reviewersInput{First: &who.ID, Free: true}); domain.KindOf(err) {
			case domain.Conflict:
				continue // somebody else took it
			default:
				if err != nil {
					return err
				}
				return web.SeeOther(c, "/sessions/"+id)
			}
		}
		if tried == 0 {
			break
		}
	}
	return web.SeeOther(c, "/")
}
