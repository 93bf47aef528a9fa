package db

import "sanad/internal/db/sqldb"

// txLog is what the audit log keeps of a writing transaction until its commit.
type txLog struct {
	contents   *contents              // of the store
	request    string                 // the confirmed request that is being made, "" if none: its events name it
	undigested bool                   // in benchmarks: changes get no content digests
	changes    map[int]*sessionChange // sessions that the transaction changes, by number
	records    map[string][]recordRef // rows that the next event of a tenant records

	logs        map[string]*growing // the logs that the transaction appends to, by tenant
	whileFrozen bool                // may append although the store is frozen
}

// logOf finds what the log keeps of a transaction.
var logOf sqldb.Local[txLog]

// beginLog tells a writing transaction what the log digests.
func (s *auditLog) beginLog(t *sqldb.Tx) { logOf.Of(t).contents = s.contents }
