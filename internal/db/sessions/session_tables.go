package sessions

import "sanad/internal/db/auditlog"

// CalibrationTables are the recorded tables of the calibrations of the reader.
var CalibrationTables = []auditlog.RecordTable{
	{Name: "reader_calibrations", Keys: []string{"reader"}, Columns: []string{"balances", "calibrated_on", "calibrated_at"}},
}

// ViewTables are the recorded tables of saved views.
var ViewTables = []auditlog.RecordTable{
	{Name: "saved_views", Keys: []string{"id"}, Columns: []string{"user_id", "page", "name", "name_key", "query", "shared",
		"created_at"}},
}
