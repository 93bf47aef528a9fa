package ledger

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
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
	return s.Render(c, http.StatusOK, ledgerviews.Run(ledgerviews.NewRunPage(s.Chrome(c), ledgerviews.RunInput{
		SessionID: p.SessionID, Title: p.Title, Number: p.Number, Runs: p.Runs, Judge: p.Run.Judge,
		Version: p.Run.Version, At: p.Run.At,
		By: names[p.MadeBy], Changed: p.Changed, Flips: p.Flips, Stale: p.Stale, LookAgain: p.LookAgain,
		Session: ledger.Session{Documents: p.Documents}, Pages: p.Pages,
		Changes: web.Map(p.Changes, func(x db.RunChange) ledgerviews.ChangeInput {
			return ledgerviews.ChangeInput{Change: x.Change, Text: x.Text, LookAgain: x.LookAgain}
		}),
		After: after, Next: p.Next + 1, Bundles: p.Bundles,
	})))
}
