package packs

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/domain/erasure"
)

// ErasureClaims are what an erasure does to the tables of packs. A purge deletes the same rows. A decision
// goes with its last pack.
var ErasureClaims = []auditlog.Claim{
	{Kind: erasure.Pack, Does: auditlog.Deletes, By: "pack_id = ?", Of: auditlog.Rows(
		"pack_files", "pack_attachments", "pack_exports", "pack_approvals", "pack_makers", "pack_holds",
		"pack_edits", "pack_comments", "pack_reminders", "evidence_packs")},
	{Kind: erasure.Pack, Does: auditlog.Deletes, By: "decision_id = ?", Of: auditlog.Rows("decision_calls")},
	{Kind: erasure.Pack, Does: auditlog.Deletes, By: "no = ?", Of: auditlog.Rows("decisions")},
	{Kind: erasure.Pack, Does: auditlog.Deletes, Of: auditlog.Rows("pack_search", "decision_search")},
	{Kind: erasure.Pack, Does: auditlog.Deletes, Files: auditlog.Originals, By: "pack_id = ?2",
		Of: []auditlog.Columns{{Table: "pack_attachments", Names: "blob, sha256"}}, Unless: []auditlog.Columns{
			{Table: "documents", Names: "blob"}, {Table: "pack_attachments", Names: "blob"},
			{Table: "library_versions", Names: "blob"}}},
	{Does: auditlog.Keeps, Why: "that there was a pack, and what its signature covers, as digests (rule ER-5)",
		Of: []auditlog.Columns{
			{Table: "pack_purges", Names: "id, pack_id, state, asked_by, asked_name, asked_at, confirmed_by, " +
				"confirmed_at"},
			{Table: "pack_tombstones", Names: "pack_id, decision_id, digest, created_at, retain_until, " +
				"purged_at, purged_by, second_by"},
			{Table: "erased_packs", Names: "pack_id, name, data"},
		}},
	{Does: auditlog.Keeps, Why: "a sealed key of the tenant, of no pack", Of: []auditlog.Columns{
		{Table: "tenant_secrets", Names: "purpose, sealed, created_at"},
	}},
}
