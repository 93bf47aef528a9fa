package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	ledgerviews "sanad/internal/views/ledger"
	searchviews "sanad/internal/views/search"
)

// sessionsPerPage is how many sessions a list shows.
const sessionsPerPage = 50

// showHome answers "what needs me today".
func (s *Server) showHome(c echo.Context) error {
	home, err := s.store.Home(c.Request().Context(), s.who(c).Tenant)
	if err != nil {
		return err
	}
	queue, err := s.store.PackQueue(c.Request().Context(), s.who(c), queueLength)
	if err != nil {
		return err
	}
	mine, err := s.store.MyQueue(c.Request().Context(), s.who(c).Tenant, s.who(c).ID, queueLength)
	if err != nil {
		return err
	}
	in := homeInput(home, mine, s.who(c).ID)
	in.Packs = packQueue(queue)
	return s.render(c, http.StatusOK, searchviews.Home(searchviews.NewHomePage(s.chrome(c), in)))
}

// listSessions shows the sessions, filtered, sorted and paged by key.
func (s *Server) listSessions(c echo.Context) error {
	q := s.sessionQuery(c)
	rows, next, err := s.store.Sessions(c.Request().Context(), s.who(c).Tenant, q)
	if err != nil {
		return err
	}
	jobs, _, err := s.store.Jobs(c.Request().Context(), s.who(c).Tenant, db.JobQuery{Open: true, Limit: db.MaxOpenJobs})
	if err != nil {
		return err
	}
	saved, err := s.savedPart(c, db.SavedSessions)
	if err != nil {
		return err
	}
	page := ledgerviews.NewSessionsPage(s.chrome(c), ledgerviews.SessionsInput{
		Saved: saved,
		Rows:  rows, Next: next, Text: q.Text, State: q.State, Mine: q.Of != "", Verdict: q.Verdict, Flag: q.Flag,
		Sort: q.Sort, Desc: q.Desc, Paged: q.After != "",
		Jobs: each(jobs, jobInput),
	})
	return s.render(c, http.StatusOK, ledgerviews.Sessions(page))
}

// sessionQuery reads the list's filters; what is not one of the choices is as if not given.
func (s *Server) sessionQuery(c echo.Context) db.SessionQuery {
	q := db.SessionQuery{
		Text: c.QueryParam("q"), After: c.QueryParam("after"), Limit: sessionsPerPage,
		Sort: c.QueryParam("sort"), Desc: c.QueryParam("dir") != "asc",
	}
	switch q.Sort {
	case "title", "coverage", "claims":
		q.Desc = c.QueryParam("dir") == "desc"
	default:
		q.Sort = "created"
	}
	if v := c.QueryParam("state"); v == db.StateOpen || ledger.State(v).Valid() {
		q.State = v
	}
	if c.QueryParam("assigned") == "me" {
		q.Of = s.who(c).ID
	}
	if v := c.QueryParam("verdict"); ledger.Verdict(v).Valid() {
		q.Verdict = v
	}
	if v := c.QueryParam("flag"); ledger.RiskType(v).Valid() {
		q.Flag = v
	}
	return q
}

// notFound is the one answer for what is unknown, foreign or malformed.
func notFound() error { return domain.NotFoundf("There is nothing at this address.") }
