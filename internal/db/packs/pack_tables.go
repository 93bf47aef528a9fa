package packs

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/domain/erasure"
)

// PackTables are the recorded tables of decisions and evidence packs.
var PackTables = []auditlog.RecordTable{
	{Name: "decisions", Keys: []string{"decision_id"}, Chosen: true, Columns: []string{"digest", "created_at", "title",
		"agent_name", "entity_id", "approval_class", "level", "session_id", "decided_at", "data"}},
	{Name: "decision_calls", Keys: []string{"decision_id", "n"}, Chosen: true,
		Columns: []string{"id", "digest", "at", "actor", "data"}},
	{Name: "evidence_packs", Keys: []string{"pack_id"}, Columns: []string{"decision_id", "version", "supersedes",
		"family", "title", "agent_name", "entity_id", "approval_class", "level", "need", "made_by", "created_at",
		"retain_until", "revision", "updated_at", "state", "approvals", "on_hold", "superseded_by", "signed_at",
		"returned_at", "returned_by", "returned_name", "return_reason", "discarded_at", "discarded_by",
		"discarded_name",
		"discard_reason", "submitted_at", "digest", "content", "session_id"}},
	{Name: "pack_approvals", Keys: []string{"pack_id", "n"}, Columns: []string{"actor", "name", "role", "at", "digest",
		"log_index", "comment", "acknowledged", "since"}},
	{Name: "pack_edits", Keys: []string{"pack_id", "revision"}, Columns: []string{"actor", "name", "at", "parts",
		"reason"}},
	{Name: "pack_attachments", Keys: []string{"pack_id", "n"}, Columns: []string{"blob", "name", "media_type", "size",
		"sha256"}},
	{Name: "pack_exports", Keys: []string{"id"},
		Columns: []string{"pack_id", "format", "state", "asked_by", "asked_name",
			"asked_at", "decided_by", "decided_at", "token_hash", "linked_at", "expires_at", "reason"}},
	{Name: "pack_purges", Keys: []string{"id"},
		Columns: []string{"pack_id", "state", "asked_by", "asked_name", "asked_at",
			"files", "bytes", "decision", "confirmed_by", "confirmed_at"}},
	{Name: "pack_tombstones", Keys: []string{"pack_id"}, Columns: []string{"decision_id", "digest", "created_at",
		"retain_until", "purged_at", "purged_by", "second_by"}},
	{Name: "erased_packs", Keys: []string{"pack_id", "name"}, Columns: []string{"data"}},
	{Name: "pack_makers", Keys: []string{"pack_id", "actor"}, Columns: []string{"own", "n"}},
	{Name: "pack_holds", Keys: []string{"pack_id", "n"}, Columns: []string{"held", "actor", "at", "reason"}},
}

// CommentTables are the recorded tables of the comments on packs.
var CommentTables = []auditlog.RecordTable{
	{Name: "pack_comments", Keys: []string{"pack_id", "n"},
		Columns: []string{"id", "by_id", "name", "role", "at", "text",
			"mentions", "withdrawn_at"}},
}

// ErasureClaims are what an erasure does to the tables of packs. A purge deletes the same rows. A decision
// goes with its last pack.
var ErasureClaims = []auditlog.Claim{
	{Kind: erasure.Pack, Does: auditlog.Deletes, By: "pack_id = ?", Of: auditlog.Rows(
		"pack_files", "pack_attachments", "pack_exports", "pack_approvals", "pack_makers", "pack_holds",
		"pack_edits", "pack_comments", "evidence_packs")},
	{Kind: erasure.Pack, Does: auditlog.Deletes, By: "decision_id = ?", Of: auditlog.Rows("decision_calls")},
	{Kind: erasure.Pack, Does: auditlog.Deletes, By: "no = ?", Of: auditlog.Rows("decisions")},
	{Kind: erasure.Pack, Does: auditlog.Deletes, Of: auditlog.Rows("pack_search", "decision_search")},
	{Kind: erasure.Pack, Does: auditlog.Deletes, Files: auditlog.Originals, By: "pack_id = ?2",
		Of: []auditlog.Columns{{Table: "pack_attachments", Names: "blob, sha256"}}, Unless: []auditlog.Columns{
			{Table: "documents", Names: "blob"}, {Table: "pack_attachments", Names: "blob"}}},
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
