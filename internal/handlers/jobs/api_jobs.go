package jobs

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/job"
	"sanad/internal/handlers/web"
)

// apiListJobs pages by key, newest first; ?state= filters.
func (s *server) apiListJobs(c echo.Context) error {
	limit, err := web.ListLimit(c)
	if err != nil {
		return err
	}
	q := db.JobQuery{State: c.QueryParam("state"), After: c.QueryParam("after"), Limit: limit}
	if q.State != "" && !slices.Contains(job.States, q.State) {
		return web.InvalidChoice("state", job.States)
	}
	rows, next, err := s.Store.Jobs(c.Request().Context(), s.Who(c).Tenant, q)
	if err != nil {
		return web.BadQuery(err)
	}
	return web.SendPage(c, "jobs", web.Map(rows, web.NewJob), next)
}

// apiShowJob returns a job with its progress.
func (s *server) apiShowJob(c echo.Context) error {
	work, err := s.Store.Job(c.Request().Context(), s.Who(c).Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, web.NewJob(work))
}

// apiCancelJob ends a job that is not finished: the ledger stays as it is.
func (s *server) apiCancelJob(c echo.Context) (web.Reply, error) {
	work, err := s.Store.CancelJob(c.Request().Context(), s.Who(c), c.Param("id"))
	return web.Reply{Status: http.StatusOK, Body: web.NewJob(work)}, err
}
