package jobs

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/erasure"
)

// ForgetSession removes the names and messages of the jobs that made or judged a session.
func (s *Store) ForgetSession(t *sqldb.Tx, tenant, id string, _ int) error {
	return forgetJobs(t, tenant, "session_id = ?", id)
}

// ForgetWords is ForgetSession, since a job may name what was read.
func (s *Store) ForgetWords(t *sqldb.Tx, tenant, id string, no int) error {
	return s.ForgetSession(t, tenant, id, no)
}

// Erase removes the name and messages of the job that an upload was for.
func (s *Store) Erase(t *sqldb.Tx, by domain.Actor, e *erasure.Request, _ []string) (auditlog.Event, error) {
	return auditlog.Event{Action: "job.upload_erased", Kind: "job", ObjectID: e.ObjectID}, forgetJobs(t, by.Tenant, "id = ?", e.ObjectID)
}

func forgetJobs(t *sqldb.Tx, tenant, condition string, arg any) error {
	_, err := t.Exec("UPDATE jobs SET name = '–', warnings = NULL, fault = NULL, verdicts = NULL WHERE tenant_id = ? AND "+condition,
		tenant, arg)
	return err
}
