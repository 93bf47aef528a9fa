package db

import "sanad/internal/db/auditlog"

// retentionTables are the recorded tables of how long things are kept.
var retentionTables = []auditlog.RecordTable{
	{Name: "retention_periods", Keys: []string{"kind"}, Columns: []string{"days", "set_by", "set_at"}},
}

// legalHoldTables are the recorded tables of legal holds.
var legalHoldTables = []auditlog.RecordTable{
	{Name: "legal_holds", Keys: []string{"kind", "object_id", "n"}, Columns: []string{"held", "actor", "at", "reason"}},
}

// erasureTables are the recorded tables of requests to erase.
var erasureTables = []auditlog.RecordTable{
	{Name: "erasures", Keys: []string{"id"}, Columns: []string{"kind", "object_id", "session_id", "state", "retention",
		"reason", "counts", "files", "bytes", "asked_by", "asked_name", "asked_at", "confirmed_by", "confirmed_name",
		"confirmed_at", "done_at"}},
}
