package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain/judge"
	jobsviews "sanad/internal/views/jobs"
	"sanad/internal/views/ui"
)

const jobsPerPage = 50

// listJobs shows the imports and judgings in the background, the newest first.
func (s *Server) listJobs(c echo.Context) error {
	q := db.JobQuery{After: c.QueryParam("after"), Limit: jobsPerPage}
	rows, next, err := s.store.Jobs(c.Request().Context(), s.who(c).Tenant, q)
	if err != nil {
		return err
	}
	page := jobsviews.NewListPage(s.chrome(c), each(rows, jobInput), next, q.After != "", judge.MaxClaims, app.SmallImport>>20)
	return s.render(c, http.StatusOK, jobsviews.List(page))
}

// showJob shows how far one is, or how it ended.
func (s *Server) showJob(c echo.Context) error {
	job, err := s.store.Job(c.Request().Context(), s.who(c).Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, jobsviews.Show(jobsviews.NewPage(s.chrome(c), jobInput(job))))
}

// cancelJob ends one; of one that has ended meanwhile the page says so.
func (s *Server) cancelJob(c echo.Context) error {
	job, err := s.store.CancelJob(c.Request().Context(), s.who(c), c.Param("id"))
	if err != nil {
		return err
	}
	return seeOther(c, "/jobs/"+job.ID)
}

func jobInput(j db.Job) ui.JobInput {
	in := ui.JobInput{
		ID: j.ID, Name: j.Name, Judges: j.Kind == db.JobJudge, State: j.State, Step: j.Step, Bytes: j.Bytes, Done: j.Done, Total: j.Total, Attempt: j.Attempt,
		SessionID: j.SessionID, Created: j.Created, CreatedAt: j.CreatedAt, EndedAt: j.EndedAt,
		Warnings: each(j.Warnings, func(w db.JobWarning) ui.Warning { return ui.Warning(w) }),
	}
	if j.Fault != nil {
		in.FaultKind, in.FaultPath, in.Fault = j.Fault.Kind, j.Fault.Path, j.Fault.Msg
	}
	return in
}
