package db

import (
	"maps"
	"slices"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/bundles"
	"sanad/internal/db/erasure"
	"sanad/internal/db/jobs"
	"sanad/internal/db/library"
	"sanad/internal/db/live"
	"sanad/internal/db/models"
	"sanad/internal/db/notices"
	"sanad/internal/db/packs"
	"sanad/internal/db/people"
	"sanad/internal/db/policies"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sessions"
	"sanad/internal/db/webhooks"
)

// recordTables returns the recorded tables of all rooms, in the order in which they are verified. A new room adds its
// own at the end.
func recordTables() []auditlog.RecordTable {
	return slices.Concat(people.AccountTables, policies.PolicyTables, auditlog.TrustedKeyTables,
		erasure.RetentionTables,
		policies.PatternTables, webhooks.WebhookTables, models.ModelTables, sessions.CalibrationTables,
		packs.PackTables, erasure.LegalHoldTables, packs.CommentTables, notices.DueTables,
		auditlog.KeyTables, people.ChangeTables, erasure.ErasureTables, sessions.ViewTables,
		live.LiveTables, bundles.BundleTables, library.LibraryTables)
}

// erasureClaims returns what each room says that erasures do to its tables and files. sqldb knows no erasure.
func erasureClaims() map[string][]auditlog.Claim {
	return map[string][]auditlog.Claim{
		"auditlog": auditlog.ErasureClaims, "receipts": receipts.ErasureClaims, "sessions": sessions.ErasureClaims,
		"packs": packs.ErasureClaims, "people": people.ErasureClaims, "policies": policies.ErasureClaims,
		"notices": notices.ErasureClaims, "jobs": jobs.ErasureClaims, "bundles": bundles.ErasureClaims,
		"live": live.ErasureClaims, "models": models.ErasureClaims, "webhooks": webhooks.ErasureClaims,
		"erasure": erasure.ErasureClaims, "library": library.ErasureClaims,
		"sqldb": {
			{Does: auditlog.Keeps, Why: "which processes run, and which schema this is", Of: []auditlog.Columns{
				{Table: "serving", Names: "process, at"},
				{Table: "schema_migrations", Names: "name, hash, applied_at"}}},
			{Does: auditlog.Keeps, Files: auditlog.Database,
				Why: "the tables; a scrub removes what is deleted in them"},
		},
	}
}

// allClaims returns the claims of all rooms, in the order of the rooms' names.
func allClaims() (out []auditlog.Claim) {
	rooms := erasureClaims()
	for _, room := range slices.Sorted(maps.Keys(rooms)) {
		out = append(out, rooms[room]...)
	}
	return out
}
