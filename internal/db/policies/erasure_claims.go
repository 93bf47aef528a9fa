package policies

import (
	"sanad/internal/db/auditlog"
)

// ErasureClaims are what an erasure does to the tables of policies: none.
var ErasureClaims = []auditlog.Claim{
	{Does: auditlog.Keeps, Why: "rules of a tenant", Of: []auditlog.Columns{
		{Table: "policies", Names: "at, actor, content"},
		{Table: "redaction_patterns", Names: "kind, expr"},
	}},
}
