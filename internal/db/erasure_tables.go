package db

// retentionTables are the recorded tables of how long things are kept.
var retentionTables = []recordTable{
	{name: "retention_periods", keys: []string{"kind"}, columns: []string{"days", "set_by", "set_at"}},
}

// legalHoldTables are the recorded tables of legal holds.
var legalHoldTables = []recordTable{
	{name: "legal_holds", keys: []string{"kind", "object_id", "n"}, columns: []string{"held", "actor", "at", "reason"}},
}

// erasureTables are the recorded tables of requests to erase.
var erasureTables = []recordTable{
	{name: "erasures", keys: []string{"id"}, columns: []string{"kind", "object_id", "session_id", "state", "retention",
		"reason", "counts", "files", "bytes", "asked_by", "asked_name", "asked_at", "confirmed_by", "confirmed_name",
		"confirmed_at", "done_at"}},
}
