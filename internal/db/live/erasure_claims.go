package live

import (
	"sanad/internal/db/auditlog"
)

// ErasureClaims are what an erasure does to the tables of traces: none.
var ErasureClaims = []auditlog.Claim{
	{Does: auditlog.Keeps, Why: "emptied once something was made of them, and deleted some days later",
		Of: []auditlog.Columns{
			{Table: "live_traces", Names: "trace_id, state, service, name, first_at, last_at, root_at, " +
				"due_at, owner, held_until, actor, " +
				"actor_more, cause, note, said, lost, warnings, object_id, ended_at"},
			{Table: "live_spans", Names: "trace_id, span_id, service, body"},
		}},
	{Does: auditlog.Keeps, Why: "rules of a tenant, and sums over traces", Of: []auditlog.Columns{
		{Table: "live_rules", Names: "rules, actor, at"},
		{Table: "live_counts", Names: "day, what"},
	}},
}
