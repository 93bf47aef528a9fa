package db

// calibrationTables are the recorded tables of the calibrations of the reader.
var calibrationTables = []recordTable{
	{name: "reader_calibrations", keys: []string{"reader"}, columns: []string{"balances", "calibrated_on", "calibrated_at"}},
}

// viewTables are the recorded tables of saved views.
var viewTables = []recordTable{
	{name: "saved_views", keys: []string{"id"}, columns: []string{"user_id", "page", "name", "name_key", "query", "shared",
		"created_at"}},
}
