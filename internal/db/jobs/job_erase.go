package jobs

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
)

// ForgetSession removes the names and messages of the jobs that made or judged a session.
func (s *Store) ForgetSession(t *sqldb.Tx, tenant, id string, _ int) error {
	return auditlog.Erase(t, ErasureClaims, erasure.Session, tenant, "session_id = ?", id)
}

// ForgetWords does the same, since a job may name what was read.
func (s *Store) ForgetWords(t *sqldb.Tx, tenant, id string, _ int) error {
	return auditlog.Erase(t, ErasureClaims, erasure.Document, tenant, "session_id = ?", id)
}

// Erase removes the name and messages of the job that an upload was for.
func (s *Store) Erase(t *sqldb.Tx, by access.Actor, e *erasure.Request, _ []string) (auditlog.Event, error) {
	return auditlog.Event{Action: "job.upload_erased", Kind: "job", ObjectID: e.ObjectID},
		auditlog.Erase(t, ErasureClaims, e.Kind, by.Tenant, "id = ?", e.ObjectID)
}

// ErasureClaims are what an erasure does to the tables of jobs. Without the digest, nobody can confirm a guess of the
// upload; the same upload again is another job.
var ErasureClaims = []auditlog.Claim{
	{Kind: erasure.Session, Does: auditlog.Empties, By: "session_id = ?", Of: []auditlog.Columns{
		{Table: "jobs", Names: ofUpload},
	}},
	{Kind: erasure.Document, Does: auditlog.Empties, By: "session_id = ?", Of: []auditlog.Columns{
		{Table: "jobs", Names: ofUpload},
	}},
	{Kind: erasure.Upload, Does: auditlog.Empties, By: "id = ?", Of: []auditlog.Columns{
		{Table: "jobs", Names: ofUpload},
	}},
	{Kind: erasure.Upload, Does: auditlog.Deletes, Files: auditlog.Uploads, By: "id = ?2", Of: []auditlog.Columns{
		{Table: "jobs", Names: "blob, digest", Size: "f.bytes"},
	}},
	{Does: auditlog.Keeps, Why: "that work was done, when, by whom and how far", Of: []auditlog.Columns{
		{Table: "jobs", Names: "id, kind, state, actor, actor_more, step, owner, beat_at, session_id, " +
			"created_at, started_at, ended_at"},
	}},
}

// ofUpload empties what a job says of its upload, and of what was read in it.
const ofUpload = "name = '–', digest = '', blob = '', warnings = NULL, fault = NULL, verdicts = NULL"
