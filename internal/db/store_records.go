package db

import (
	"slices"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/bundles"
	"sanad/internal/db/erasure"
	"sanad/internal/db/live"
	"sanad/internal/db/models"
	"sanad/internal/db/notices"
	"sanad/internal/db/packs"
	"sanad/internal/db/people"
	"sanad/internal/db/policies"
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
		live.LiveTables, bundles.BundleTables)
}
