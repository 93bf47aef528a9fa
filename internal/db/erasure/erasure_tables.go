package erasure

import (
	"sanad/internal/db/auditlog"
)

// RetentionTables are the recorded tables of how long things are kept.
var RetentionTables = []auditlog.RecordTable{
	{Name: "retention_periods", Keys: []string{"kind"}, Columns: []string{"days", "set_by", "set_at"}},
}

// LegalHoldTables are the recorded tables of legal holds.
var LegalHoldTables = []auditlog.RecordTable{
	{Name: "legal_holds", Keys: []string{"kind", "object_id", "n"}, Columns: []string{"held", "actor", "at", "reason"}},
}

// ErasureTables are the recorded tables of requests to erase.
var ErasureTables = []auditlog.RecordTable{
	{Name: "erasures", Keys: []string{"id"}, Columns: []string{"kind", "object_id", "session_id", "state", "retention",
		"reason", "counts", "files", "bytes", "asked_by", "asked_name", "asked_at", "confirmed_by", "confirmed_name",
		"confirmed_at", "done_at"}},
}
