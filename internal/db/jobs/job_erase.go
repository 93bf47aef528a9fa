package jobs

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
)

// ForgetSession removes the names and messages of the jobs that made or judged a session.
func (store *Store) ForgetSession(t *sqldb.Tx, tenant, id string, _ int) error {
	return auditlog.Erase(t, ErasureClaims, erasure.Session, tenant, "session_id = ?", id)
}

// ForgetWords does the same, since a job may name what was read.
func (store *Store) ForgetWords(t *sqldb.Tx, tenant, id string, _ int) error {
	return auditlog.Erase(t, ErasureClaims, erasure.Document, tenant, "session_id = ?", id)
}

// Erase removes the name and messages of the job that an upload was for.
func (store *Store) Erase(t *sqldb.Tx, by access.Actor, e *erasure.Request, _ []string) (auditlog.Event, error) {
	return auditlog.Event{Action: "job.upload_erased", Kind: "job", ObjectID: e.ObjectID},
		auditlog.Erase(t, ErasureClaims, e.Kind, by.Tenant, "id = ?", e.ObjectID)
}
