package ledger

import (
	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
)

// sessionsPerPage is how many sessions a list shows.
const sessionsPerPage = 50

// listSessions shows the sessions, filtered, sorted and paged by key.
func (s *server) listSessions(c echo.Context) error {
	q, left := ledger.SessionFilters.Read(c.QueryParam)
	q.Reader, q.After, q.Limit = s.Who(c).ID, c.QueryParam("after"), sessionsPerPage
	in := ledgerviews.SessionsInput{SessionQuery: q}
	err := s.Load(c, "SessionsView", func(c echo.Context) (err error) {
		in.Rows, in.Next, err = s.Store.Sessions(c.Request().Context(), s.Who(c).Tenant, q)
		return err
	}, func(c echo.Context) (err error) {
		in.Jobs, _, err = s.Store.Jobs(c.Request().Context(), s.Who(c).Tenant,
			db.JobQuery{Open: true, Limit: db.MaxOpenJobs})
		return err
	}, func(c echo.Context) (err error) {
		in.Saved, err = s.SavedPart(c, ledger.SavedSessions)
		return err
	})
	if err != nil {
		return err
	}
	chrome := s.Chrome(c)
	chrome.LeftFilters = left
	return s.Render(c, web.ListStatus(&chrome), ledgerviews.Sessions(ledgerviews.NewSessionsPage(chrome, in)))
}
