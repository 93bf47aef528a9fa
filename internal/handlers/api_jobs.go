package handlers

import (
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
)

// apiJob is an import or a judging in the background (rule WEB-8).
type apiJob struct {
	ID        string       `json:"job_id"`
	Kind      jobKind      `json:"kind"`
	Status    jobStatus    `json:"status"`
	Step      string       `json:"step"`
	Name      string       `json:"name"`
	Bytes     int64        `json:"bytes"`
	Done      int          `json:"claims_done"`
	Total     int          `json:"claims_total"`
	Percent   int          `json:"percent"`
	Attempt   int          `json:"attempt"`
	SessionID *string      `json:"session_id"`
	LedgerURL *string      `json:"ledger_url"`
	Created   bool         `json:"created"`
	Warnings  []apiWarning `json:"warnings"`
	Error     *apiJobError `json:"error"`
	CreatedAt string       `json:"created_at"`
	StartedAt *string      `json:"started_at"`
	EndedAt   *string      `json:"ended_at"`
}

// apiJobError says why a job failed.
type apiJobError struct {
	Kind   jobErrorKind `json:"kind"`
	Path   string       `json:"path"`
	Detail string       `json:"detail"`
}

// jobKind is what a job does.
type jobKind string

const (
	jobImports jobKind = "import"
	jobJudges  jobKind = "judge"
)

func kindOf(j db.Job) jobKind {
	if j.Kind == db.JobJudge {
		return jobJudges
	}
	return jobImports
}

// jobStatus is one of db.JobStates.
type jobStatus string

var jobStatuses = each(db.JobStates, func(s string) jobStatus { return jobStatus(s) })

// jobErrorKind is what a failed job's error may be.
type jobErrorKind string

var jobErrorKinds = []jobErrorKind{"invalid", "too_large", "unsupported", "gone", "unavailable", "internal"}

func newAPIJob(j db.Job) apiJob {
	line := jobInput(j)
	out := apiJob{
		ID: j.ID, Kind: kindOf(j), Status: jobStatus(j.State), Step: j.Step, Name: j.Name, Bytes: j.Bytes, Done: j.Done, Total: j.Total, Percent: line.Percent(),
		Attempt: j.Attempt, SessionID: orNull(j.SessionID), Created: j.Created, CreatedAt: apiTime(j.CreatedAt),
		Warnings:  each(j.Warnings, func(w db.JobWarning) apiWarning { return apiWarning{w.Path, w.Msg} }),
		StartedAt: apiTimeOrNull(j.StartedAt), EndedAt: apiTimeOrNull(j.EndedAt),
	}
	if j.SessionID != "" {
		out.LedgerURL = orNull("/api/v1/sessions/" + j.SessionID + "/ledger")
	}
	if j.Fault != nil {
		out.Error = &apiJobError{jobErrorKind(j.Fault.Kind), j.Fault.Path, j.Fault.Msg}
	}
	return out
}

func apiTimeOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return orNull(apiTime(t))
}

// apiListJobs pages by key, the newest first: ?state= narrows it.
func (s *Server) apiListJobs(c echo.Context) error {
	limit, err := listLimit(c)
	if err != nil {
		return err
	}
	q := db.JobQuery{State: c.QueryParam("state"), After: c.QueryParam("after"), Limit: limit}
	if q.State != "" && !slices.Contains(db.JobStates, q.State) {
		return noChoice("state", db.JobStates)
	}
	rows, next, err := s.store.Jobs(c.Request().Context(), s.who(c).Tenant, q)
	if err != nil {
		return badQuery(err)
	}
	return sendPage(c, "jobs", each(rows, newAPIJob), next)
}

// apiShowJob tells how far a job is.
func (s *Server) apiShowJob(c echo.Context) error {
	job, err := s.store.Job(c.Request().Context(), s.who(c).Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	return sendJSON(c, http.StatusOK, newAPIJob(job))
}

// apiCancelJob ends a job that has not ended: nothing of it will be stored.
func (s *Server) apiCancelJob(c echo.Context) (reply, error) {
	if err := decodeIfAny(c, &struct{}{}); err != nil {
		return reply{}, err
	}
	job, err := s.store.CancelJob(c.Request().Context(), s.who(c), c.Param("id"))
	return reply{status: http.StatusOK, body: newAPIJob(job)}, err
}
