package ledger

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/ledger"
	ledgerviews "sanad/internal/views/ledger"
)

// sessionsPerPage is how many sessions a list shows.
const sessionsPerPage = 50

// listSessions shows the sessions, filtered, sorted and paged by key.
func (s *server) listSessions(c echo.Context) error {
	q := s.sessionQuery(c)
	rows, next, err := s.Store.Sessions(c.Request().Context(), s.Who(c).Tenant, q)
	if err != nil {
		return err
	}
	jobs, _, err := s.Store.Jobs(c.Request().Context(), s.Who(c).Tenant, db.JobQuery{Open: true, Limit: db.MaxOpenJobs})
	if err != nil {
		return err
	}
	saved, err := s.SavedPart(c, ledger.SavedSessions)
	if err != nil {
		return err
	}
	page := ledgerviews.NewSessionsPage(s.Chrome(c), ledgerviews.SessionsInput{
		SessionQuery: q, Rows: rows, Next: next, Jobs: jobs, Saved: saved,
	})
	return s.Render(c, http.StatusOK, ledgerviews.Sessions(page))
}
