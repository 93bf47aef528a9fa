package notices

import (
	"sanad/internal/db/auditlog"
)

// DueTables are the recorded tables of due dates.
var DueTables = []auditlog.RecordTable{
	{Name: "due_dates", Keys: []string{"object_kind", "object_id"},
		Columns: []string{"revision", "day", "zone", "late_at",
			"set_by", "set_at"}},
}
