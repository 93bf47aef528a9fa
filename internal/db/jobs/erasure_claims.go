package jobs

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/domain/erasure"
)

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
