package web

import (
	"reflect"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/job"
	"sanad/internal/handlers/web/apidoc"
)

// Job is an import or a judging in the background (rule WEB-8).
type Job struct {
	ID        string           `json:"job_id"`
	Kind      jobKind          `json:"kind"`
	Status    jobStatus        `json:"status"`
	Step      string           `json:"step"`
	Name      string           `json:"name"`
	Bytes     int64            `json:"bytes"`
	Done      int              `json:"claims_done"`
	Total     int              `json:"claims_total"`
	Percent   int              `json:"percent"`
	Attempt   int              `json:"attempt"`
	SessionID *string          `json:"session_id"`
	LedgerURL *string          `json:"ledger_url"`
	Created   bool             `json:"created"`
	Warnings  []domain.Warning `json:"warnings"`
	Error     *apiJobError     `json:"error"`
	CreatedAt string           `json:"created_at"`
	StartedAt *string          `json:"started_at"`
	EndedAt   *string          `json:"ended_at"`
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

func kindOf(j job.Job) jobKind {
	if j.Kind == job.Judge {
		return jobJudges
	}
	return jobImports
}

// jobStatus is one of job.States.
type jobStatus string

var JobStatuses = Map(job.States, func(s string) jobStatus { return jobStatus(s) })

// jobErrorKind is what a failed job's error may be.
type jobErrorKind string

var jobErrorKinds = []jobErrorKind{"invalid", "too_large", "unsupported", "gone", "unavailable", "internal"}

// jobWords are the string types of jobs that have a fixed set of values.
var jobWords = map[reflect.Type][]string{
	reflect.TypeFor[jobStatus]():    apidoc.Words(JobStatuses...),
	reflect.TypeFor[jobErrorKind](): apidoc.Words(jobErrorKinds...),
	reflect.TypeFor[jobKind]():      apidoc.Words(jobImports, jobJudges),
}

// partOf names a part of a form as a request has it.
func partOf(j job.Job, path string) string {
	if rest, is := strings.CutPrefix(path, "files"); is && j.Kind == job.Form {
		return "documents" + rest
	}
	return path
}

func NewJob(j job.Job) Job {
	out := Job{
		ID: j.ID, Kind: kindOf(j), Status: jobStatus(j.State), Step: j.Step, Name: j.Name, Bytes: j.Bytes,
		Done: j.Done, Total: j.Total, Percent: j.Percent(),
		Attempt: j.Attempt, SessionID: OrNull(j.SessionID), Created: j.Created, CreatedAt: FormatTime(j.CreatedAt),
		Warnings:  NotNull(j.Warnings),
		StartedAt: FormatTimeOrNull(j.StartedAt), EndedAt: FormatTimeOrNull(j.EndedAt),
	}
	if j.SessionID != "" {
		out.LedgerURL = OrNull("/api/v1/sessions/" + j.SessionID + "/ledger")
	}
	if j.Fault != nil {
		out.Error = &apiJobError{jobErrorKind(j.Fault.Kind), partOf(j, j.Fault.Path), j.Fault.Msg}
	}
	return out
}
