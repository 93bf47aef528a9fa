package db

// packTables are the recorded tables of decisions and evidence packs.
var packTables = []recordTable{
	{name: "decisions", keys: []string{"decision_id"}, chosen: true, columns: []string{"digest", "created_at", "title",
		"agent_name", "entity_id", "approval_class", "level", "session_id", "decided_at", "data"}},
	{name: "decision_calls", keys: []string{"decision_id", "n"}, chosen: true,
		columns: []string{"id", "digest", "at", "actor", "data"}},
	{name: "evidence_packs", keys: []string{"pack_id"}, columns: []string{"decision_id", "version", "supersedes",
		"family", "title", "agent_name", "entity_id", "approval_class", "level", "need", "made_by", "created_at",
		"retain_until", "revision", "updated_at", "state", "approvals", "on_hold", "superseded_by", "signed_at",
		"returned_at", "returned_by", "returned_name", "return_reason", "discarded_at", "discarded_by", "discarded_name",
		"discard_reason", "submitted_at", "digest", "content", "session_id"}},
	{name: "pack_approvals", keys: []string{"pack_id", "n"}, columns: []string{"actor", "name", "role", "at", "digest",
		"log_index", "comment", "acknowledged", "since"}},
	{name: "pack_edits", keys: []string{"pack_id", "revision"}, columns: []string{"actor", "name", "at", "parts",
		"reason"}},
	{name: "pack_attachments", keys: []string{"pack_id", "n"}, columns: []string{"blob", "name", "media_type", "size",
		"sha256"}},
	{name: "pack_exports", keys: []string{"id"}, columns: []string{"pack_id", "format", "state", "asked_by", "asked_name",
		"asked_at", "decided_by", "decided_at", "token_hash", "linked_at", "expires_at", "reason"}},
	{name: "pack_purges", keys: []string{"id"}, columns: []string{"pack_id", "state", "asked_by", "asked_name", "asked_at",
		"files", "bytes", "decision", "confirmed_by", "confirmed_at"}},
	{name: "pack_tombstones", keys: []string{"pack_id"}, columns: []string{"decision_id", "digest", "created_at",
		"retain_until", "purged_at", "purged_by", "second_by"}},
	{name: "erased_packs", keys: []string{"pack_id", "name"}, columns: []string{"data"}},
	{name: "pack_makers", keys: []string{"pack_id", "actor"}, columns: []string{"own", "n"}},
	{name: "pack_holds", keys: []string{"pack_id", "n"}, columns: []string{"held", "actor", "at", "reason"}},
}

// commentTables are the recorded tables of the comments on packs.
var commentTables = []recordTable{
	{name: "pack_comments", keys: []string{"pack_id", "n"}, columns: []string{"id", "by_id", "name", "role", "at", "text",
		"mentions", "withdrawn_at"}},
}
