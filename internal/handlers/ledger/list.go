package ledger

import (
	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
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
	chrome := s.Chrome(c)
	for _, name := range []string{"state", "assigned", "verdict", "flag", "due"} {
		f := web.Filter{Name: name, Kind: ui.ChoiceFilter, Known: listChoices[name]}
		chrome.LeftFilters = append(chrome.LeftFilters, web.LeftFilters(c, f)...)
	}
	page := ledgerviews.NewSessionsPage(chrome, ledgerviews.SessionsInput{
		SessionQuery: q, Rows: rows, Next: next, Jobs: jobs, Saved: saved,
	})
	return s.Render(c, web.ListStatus(&chrome), ledgerviews.Sessions(page))
}
