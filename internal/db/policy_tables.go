package db

// policyTables are the recorded tables of the versions of a policy.
var policyTables = []recordTable{
	{name: "policies", keys: []string{"version"}, columns: []string{"at", "actor", "content"}},
}

// patternTables are the recorded tables of what is redacted.
var patternTables = []recordTable{
	{name: "redaction_patterns", keys: []string{"n"}, columns: []string{"kind", "expr"}},
}
