package db

import (
	"slices"

	"sanad/internal/db/auditlog"
)

// recordTables returns the recorded tables of all rooms, in the order in which they are verified. A new room adds its
// own at the end.
func recordTables() []auditlog.RecordTable {
	return slices.Concat(accountTables, policyTables, auditlog.TrustedKeyTables, retentionTables,
		patternTables, webhookTables, modelTables, calibrationTables,
		packTables, legalHoldTables, commentTables, dueTables,
		auditlog.KeyTables, changeTables, erasureTables, viewTables,
		liveTables, bundleTables)
}
