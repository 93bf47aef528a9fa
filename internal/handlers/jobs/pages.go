package jobs

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain/judge"
	"sanad/internal/handlers/web"
	jobsviews "sanad/internal/views/jobs"
)

const jobsPerPage = 50

// listJobs shows imports and judge runs in the background, newest first.
func (s *server) listJobs(c echo.Context) error {
	q := db.JobQuery{After: c.QueryParam("after"), Limit: jobsPerPage}
	rows, next, err := s.Store.Jobs(c.Request().Context(), s.Who(c).Tenant, q)
	if err != nil {
		return err
	}
	page := jobsviews.NewListPage(s.Chrome(c), rows, next, q.After != "", app.ClaimsOfJob,
		judge.MaxClaims, app.SmallImport>>20)
	return s.Render(c, http.StatusOK, jobsviews.List(page))
}

// showJob shows the progress of a job, or how it ended.
func (s *server) showJob(c echo.Context) error {
	job, err := s.Store.Job(c.Request().Context(), s.Who(c).Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK, jobsviews.Show(jobsviews.NewPage(s.Chrome(c), job)))
}

// cancelJob cancels a job; if it has ended in the meantime the page says so.
func (s *server) cancelJob(c echo.Context) error {
	job, err := s.Store.CancelJob(c.Request().Context(), s.Who(c), c.Param("id"))
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/jobs/"+job.ID)
}
