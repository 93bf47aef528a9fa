package db

import "slices"

// recordTables returns the recorded tables of all rooms, in the order in which they are verified. A new room adds its
// own at the end.
func recordTables() []recordTable {
	return slices.Concat(accountTables, policyTables, trustedKeyTables, retentionTables,
		patternTables, webhookTables, modelTables, calibrationTables,
		packTables, legalHoldTables, commentTables, dueTables,
		keyTables, changeTables, erasureTables, viewTables,
		liveTables, bundleTables)
}
