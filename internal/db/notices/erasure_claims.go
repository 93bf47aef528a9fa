package notices

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/domain/erasure"
)

// ErasureClaims are what an erasure does to the tables of notices. What waits to be mailed goes with its
// notification (ON DELETE CASCADE).
var ErasureClaims = []auditlog.Claim{
	{Kind: erasure.Session, Does: auditlog.Deletes, Of: auditlog.Rows(
		"notifications", "due_dates", "mail_queue")},
	{Kind: erasure.Pack, Does: auditlog.Deletes, Of: auditlog.Rows(
		"notifications", "due_dates", "mail_queue")},
	{Kind: erasure.Document, Does: auditlog.Keeps, Why: "they repeat no text of a document",
		Of: []auditlog.Columns{
			{Table: "notifications", Names: "user_id, key, kind, object_kind, object_id, place, by_id, at, read_at"},
			{Table: "due_dates", Names: "object_kind, object_id, day, zone, late_at, tell_at, told, set_by, set_at"},
			{Table: "mail_queue", Names: "user_id, due_at, mail"},
		}},
	{Does: auditlog.Keeps, Why: "what a person wants to be mailed, and which mails went out, without their texts",
		Of: []auditlog.Columns{
			{Table: "mail_settings", Names: "user_id, lang, choices"},
			{Table: "mails", Names: "id, user_id, kind, state, next_at, reason, created_at, ended_at"},
		}},
}
