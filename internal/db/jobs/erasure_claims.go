package jobs

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/domain/erasure"
)

// ErasureClaims are what an erasure does to the tables of jobs.
var ErasureClaims = []auditlog.Claim{
	{Kind: erasure.Session, Does: auditlog.Empties, By: "session_id = ?", Of: []auditlog.Columns{
		{Table: "jobs", Names: "name = '–', warnings = NULL, fault = NULL, verdicts = NULL"},
	}},
	{Kind: erasure.Document, Does: auditlog.Empties, By: "session_id = ?", Of: []auditlog.Columns{
		{Table: "jobs", Names: "name = '–', warnings = NULL, fault = NULL, verdicts = NULL"},
	}},
	{Kind: erasure.Upload, Does: auditlog.Empties, By: "id = ?", Of: []auditlog.Columns{
		{Table: "jobs", Names: "name = '–', warnings = NULL, fault = NULL, verdicts = NULL"},
	}},
	{Does: auditlog.Keeps, Why: "that work was done, when, by whom and how far", Of: []auditlog.Columns{
		{Table: "jobs", Names: "id, kind, state, digest, blob, actor, actor_more, step, owner, beat_at, session_id, " +
			"created_at, started_at, ended_at"},
	}},
}
