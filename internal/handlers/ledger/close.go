package ledger

import (
	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
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
