package db

import "sanad/internal/db/auditlog"

// policyTables are the recorded tables of the versions of a policy.
var policyTables = []auditlog.RecordTable{
	{Name: "policies", Keys: []string{"version"}, Columns: []string{"at", "actor", "content"}},
}

// patternTables are the recorded tables of what is redacted.
var patternTables = []auditlog.RecordTable{
	{Name: "redaction_patterns", Keys: []string{"n"}, Columns: []string{"kind", "expr"}},
}
