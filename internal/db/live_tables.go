package db

import "sanad/internal/db/auditlog"

// liveTables are the recorded tables of the rules for live traces.
var liveTables = []auditlog.RecordTable{
	{Name: "live_rules", Keys: []string{"tenant_id"}, Columns: []string{"revision", "rules", "actor", "at"}},
}
