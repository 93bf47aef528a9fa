package packs

import (
	"sanad/internal/db/auditlog"
)

// PackTables are the recorded tables of decisions and evidence packs.
var PackTables = []auditlog.RecordTable{
	{Name: "decisions", Keys: []string{"decision_id"}, Chosen: true, Columns: []string{"digest", "created_at", "title",
		"agent_name", "entity_id", "approval_class", "level", "session_id", "decided_at", "data",
		"restricted"}},
	{Name: "decision_calls", Keys: []string{"decision_id", "n"}, Chosen: true,
		Columns: []string{"id", "digest", "at", "actor", "data", "restricted"}},
	{Name: "evidence_packs", Keys: []string{"pack_id"}, Columns: []string{"decision_id", "version", "supersedes",
		"family", "title", "agent_name", "entity_id", "approval_class", "level", "need", "made_by", "created_at",
		"retain_until", "revision", "updated_at", "state", "approvals", "on_hold", "superseded_by", "signed_at",
		"returned_at", "returned_by", "returned_name", "return_reason", "discarded_at", "discarded_by",
		"discarded_name",
		"discard_reason", "submitted_at", "digest", "alarms", "content", "session_id"}},
	{Name: "pack_approvals", Keys: []string{"pack_id", "n"}, Columns: []string{"actor", "name", "title", "role", "at",
		"digest", "log_index", "for_id", "for_name", "for_from", "for_until", "for_log", "comment", "acknowledged",
		"since"}},
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
			"mentions", "action", "asks", "thread", "withdrawn_at"}},
}
