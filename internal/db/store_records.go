package db

import (
	"slices"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/bundles"
	"sanad/internal/db/live"
	"sanad/internal/db/models"
	"sanad/internal/db/policies"
	"sanad/internal/db/webhooks"
)

// recordTables returns the recorded tables of all rooms, in the order in which they are verified. A new room adds its
// own at the end.
func recordTables() []auditlog.RecordTable {
	return slices.Concat(accountTables, policies.PolicyTables, auditlog.TrustedKeyTables, retentionTables,
		policies.PatternTables, webhooks.WebhookTables, models.ModelTables, calibrationTables,
		packTables, legalHoldTables, commentTables, dueTables,
		auditlog.KeyTables, changeTables, erasureTables, viewTables,
		live.LiveTables, bundles.BundleTables)
}
