package live

import "sanad/internal/db/auditlog"

// LiveTables are the recorded tables of the rules for live traces.
var LiveTables = []auditlog.RecordTable{
	{Name: "live_rules", Keys: []string{"tenant_id"}, Columns: []string{"revision", "rules", "actor", "at"}},
}
