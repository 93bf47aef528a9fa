package db

// dueTables are the recorded tables of due dates.
var dueTables = []recordTable{
	{name: "due_dates", keys: []string{"object_kind", "object_id"}, columns: []string{"revision", "day", "zone", "late_at",
		"set_by", "set_at"}},
}
