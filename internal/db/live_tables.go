package db

// liveTables are the recorded tables of the rules for live traces.
var liveTables = []recordTable{
	{name: "live_rules", keys: []string{"tenant_id"}, columns: []string{"revision", "rules", "actor", "at"}},
}
