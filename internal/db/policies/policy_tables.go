package policies

import "sanad/internal/db/auditlog"

// PolicyTables are the recorded tables of the versions of a policy.
var PolicyTables = []auditlog.RecordTable{
	{Name: "policies", Keys: []string{"version"}, Columns: []string{"at", "actor", "content"}},
}

// PatternTables are the recorded tables of what is redacted.
var PatternTables = []auditlog.RecordTable{
	{Name: "redaction_patterns", Keys: []string{"n"}, Columns: []string{"kind", "expr"}},
}
