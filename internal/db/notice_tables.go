package db

import "sanad/internal/db/auditlog"

// dueTables are the recorded tables of due dates.
var dueTables = []auditlog.RecordTable{
	{Name: "due_dates", Keys: []string{"object_kind", "object_id"}, Columns: []string{"revision", "day", "zone", "late_at",
		"set_by", "set_at"}},
}
