package erasure

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/domain/erasure"
)

// ErasureClaims are what an erasure does to the tables of erasures. The path of an artifact may say what was
// in it: its digest stays.
var ErasureClaims = []auditlog.Claim{
	{Does: auditlog.Deletes, Of: auditlog.Rows("scrub_due")},
	{Does: auditlog.Keeps, Files: auditlog.Lake, Why: "the request for the erasure itself, which empties it",
		Of: []auditlog.Columns{
			{Table: "erasures", Names: "object_id"},
			{Table: "scrub_due", Names: "files"},
		}},
	{Kind: erasure.Artifact, Does: auditlog.Empties, Of: []auditlog.Columns{
		{Table: "erasures", Names: "object_id"},
	}},
	{Does: auditlog.Keeps, Why: "who erased what, when and why, which people must be able to show",
		Of: []auditlog.Columns{
			{Table: "erasures", Names: "id, kind, session_id, state, reason, counts, asked_by, asked_name, " +
				"asked_at, confirmed_by, " +
				"confirmed_name, confirmed_at, done_at"},
		}},
	{Does: auditlog.Keeps, Why: "rules of a tenant",
		Of: []auditlog.Columns{
			{Table: "legal_holds", Names: "kind, object_id, actor, at, reason"},
			{Table: "retention_periods", Names: "kind, set_by, set_at"},
		}},
}
