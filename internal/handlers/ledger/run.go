package ledger

import (
	"net/http"

	"github.com/labstack/echo/v4"

	ledgerviews "sanad/internal/views/ledger"
)

// changesPerPage is how many changed claims a page of a run shows.
const changesPerPage = 50

// showRun shows a judge run and what it changed, with a fixed number of queries.
func (s *server) showRun(c echo.Context) error {
	n, after, _, err := runPage(c)
	if err != nil {
		return err
	}
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	p, err := s.Store.RunPage(ctx, tenant, c.Param("id"), n, after-1, changesPerPage)
	if err != nil {
		return err
	}
	names, err := s.Store.ActorNames(ctx, tenant, []string{p.MadeBy})
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK, ledgerviews.Run(ledgerviews.NewRunPage(s.Chrome(c),
		ledgerviews.RunInput{RunPage: *p, By: names[p.MadeBy], After: after})))
}
