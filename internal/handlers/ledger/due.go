package ledger

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
)

// dueOfSession is the object of a session's due date.
const dueOfSession = "session"

// dueEndpoints are the endpoints of the due date of a session.
func (s *server) dueEndpoints() []web.Endpoint {
	calls := s.DueCalls("/api/v1/sessions/:id/due", "session", dueOfSession, "sessions", "Session",
		"Who has a seat in the review sets it, and administrators.", s.maySetDue)
	calls[0].Action, calls[1].Action = access.ReadLedger, access.ReviewClaim
	return append(calls, web.Endpoint{
		Method: http.MethodPost, Path: "/sessions/:id/due", Action: access.ReviewClaim, Object: "session",
		Handle: web.SmallForm(s.setDue), // its reviewers; all others: AssignReview
	})
}

// maySetDue returns who may set the due date of a session: its reviewers, and who may assign them.
func (s *server) maySetDue(c echo.Context) web.DueChecker {
	who := s.Who(c)
	assigns, err := s.Authorizer.Allowed(c.Request().Context(), who, access.AssignReview,
		access.Object{Kind: "session", ID: c.Param("id")})
	return func(now *db.DueNow) error {
		switch {
		case err != nil:
			return web.NotChecked(err)
		case !assigns && !now.Seats.Holds(who.ID):
			return web.LacksRole(access.AssignReview)
		}
		return nil
	}
}

// setDue handles the form of the due date: 303 to the ledger, or the ledger with what is wrong.
func (s *server) setDue(c echo.Context) error {
	err := s.SaveDue(c, dueOfSession, s.maySetDue(c))
	switch kind := domain.KindOf(err); {
	case err == nil:
		return web.SeeOther(c, "/sessions/"+c.Param("id")+"?tab="+ledgerviews.TabSources+"#due")
	case kind == domain.Invalid, kind == domain.Conflict:
		return s.sessionPage(c, web.StatusOf[kind], ledgerviews.StepsForm{Due: c.FormValue("due_on"),
			DueFault: web.AsError(err)})
	}
	return err
}

// dueForm says of the form of a session's due date whether the reader may use it, and in which zone a day ends.
func (s *server) dueForm(c echo.Context, in *ui.DueInput, seats ledger.Seats) error {
	if !web.MayOf(s.Who(c)).Review {
		return nil
	}
	if in.May = s.maySetDue(c)(&db.DueNow{Seats: seats}) == nil; !in.May {
		return nil
	}
	tenant, err := s.Store.Tenant(c.Request().Context(), s.Who(c).Tenant)
	in.Zone = tenant.TimeZone
	return err
}
