package jobs

import (
	"context"
	"errors"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/job"
)

// CancelJob ends an open job permanently: nothing that its worker does afterwards is stored. Cancelling a cancelled job
// changes nothing; a job that ended otherwise is a Conflict.
func (store *Store) CancelJob(ctx context.Context, a access.Actor, id string) (j job.Job, err error) {
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "CancelJob", func(t *sqldb.Tx) (err error) {
		if j, err = jobByID(t, a.Tenant, id); err != nil || j.State == job.Cancelled {
			return err
		}
		if !j.Open() {
			return domain.Refuse(domain.Conflict, "", "refused_job_ended_nothing")
		}
		if _, err = t.Exec("UPDATE jobs SET state = 'cancelled', owner = '', warnings = NULL, verdicts = NULL, ended_at = ? WHERE id = ?",
			sqldb.Stamp(store.Now()), id); err != nil {
			return err
		}
		if err := errors.Join(store.AppendEvent(t, a, jobEvent("job.cancelled", &j, nil)), jobsChanged(t)); err != nil {
			return err
		}
		j, err = jobByID(t, a.Tenant, id)
		return err
	})
	if err == nil {
		store.dropInput(ctx, id)
	}
	return j, err
}
