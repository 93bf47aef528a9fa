package jobs

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/job"
)

const jobColumns = `id, kind, state, step, name, bytes, done, total, attempt, session_id, created, warnings, fault, verdicts, actor,
	created_at, started_at, ended_at`

// scanJob reads jobColumns and any columns after them.
func scanJob(r sqldb.Scanner, j *job.Job, more ...any) error {
	return r.Scan(append([]any{
		&j.ID, &j.Kind, &j.State, &j.Step, &j.Name, &j.Bytes, &j.Done, &j.Total, &j.Attempt, &j.SessionID, &j.Created,
		sqldb.JSONInto((*domain.StoredWarnings)(&j.Warnings)), sqldb.JSONInto(&j.Fault), sqldb.JSONInto(&j.Verdicts),
		&j.MadeBy,
		sqldb.TimeInto(&j.CreatedAt), sqldb.TimeOrNoneInto(&j.StartedAt),
		sqldb.TimeOrNoneInto(&j.EndedAt),
	}, more...)...)
}

// Job returns one job of a tenant.
func (store *Store) Job(ctx context.Context, tenant, id string) (j job.Job, err error) {
	err = store.Read(ctx, "Job", func(t *sqldb.Tx) (err error) {
		j, err = jobByID(t, tenant, id)
		return err
	})
	return j, err
}

// jobByID returns one job of a tenant, or NotFound.
func jobByID(t *sqldb.Tx, tenant, id string) (job.Job, error) {
	return sqldb.First(sqldb.Collect(t, "SELECT "+jobColumns+" FROM jobs WHERE tenant_id = ? AND id = ?",
		[]any{tenant, id},
		func(r sqldb.Scanner, j *job.Job) error { return scanJob(r, j) }))
}

// JobQuery says which jobs to list.
type JobQuery struct {
	State string // one of JobStates, "" for all
	Open  bool   // only jobs that have not ended
	After string // the next of the previous page
	Limit int
}

// Jobs lists a tenant's jobs, newest first; next is the After of the following page, "" after the last one.
func (store *Store) Jobs(ctx context.Context, tenant string, q JobQuery) (rows []job.Job, next string, err error) {
	var w sqldb.Conditions
	w.Add("j.tenant_id = ?", tenant)
	if q.Open {
		w.Add("state IN ('queued', 'running')")
	}
	if q.State != "" {
		w.Add("state = ?", q.State)
	}
	l := sqldb.List[job.Job]{
		Columns: jobColumns, From: "jobs j", Where: w, After: q.After, Limit: q.Limit,
		Order: sqldb.NewestFirst("jobs", "jobs", "j", "id", "rowid"),
		Scan:  func(r sqldb.Scanner, j *job.Job) error { return scanJob(r, j) },
		Place: func(j *job.Job) (any, string) { return sqldb.Stamp(j.CreatedAt), j.ID },
	}
	return l.Read(ctx, store.DB, "Jobs", tenant)
}

// judgingActions are the actions of a job that judges a stored session, by those of an import. They are stored and
// signed.
var judgingActions = map[string]string{"job.asked": "job.judging_asked", "job.done": "job.judging_done",
	"job.failed": "job.judging_failed", "job.cancelled": "job.judging_cancelled"}

func jobEvent(action string, j *job.Job, details map[string]any) auditlog.Event {
	if j.Kind == job.Judge {
		action = judgingActions[action]
	}
	return auditlog.Event{Action: action, Kind: "job", ObjectID: j.ID, Details: details}
}
