package auditlog

import "sanad/internal/db/sqldb"

// txLog is what the audit log keeps of a writing transaction until its commit.
type txLog struct {
	contents   *Contents              // of the store
	Request    string                 // the confirmed request that is being made, "" if none: its events name it
	Undigested bool                   // in benchmarks: changes get no content digests
	changes    map[int]*sessionChange // sessions that the transaction changes, by number
	records    map[string][]RecordRef // rows that the next event of a tenant records

	Logs        map[string]*growing // the logs that the transaction appends to, by tenant
	whileFrozen bool                // may append although the store is frozen
}

// LogOf finds what the log keeps of a transaction.
var LogOf sqldb.Local[txLog]

// BeginLog tells a writing transaction what the log digests.
func (s *Store) BeginLog(t *sqldb.Tx) { LogOf.Of(t).contents = s.Contents }
