package live

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/domain/erasure"
)

// The conditions for the traces of a session, and for their spans.
const (
	ofSession      = "state = 'session' AND object_id = ?"
	spansOfSession = "trace_id IN (SELECT x.trace_id FROM live_traces x WHERE x.tenant_id = live_spans.tenant_id " +
		"AND x.state = 'session' AND x.object_id = ?)"
)

// ErasureClaims are what an erasure does to the tables of traces.
var ErasureClaims = []auditlog.Claim{
	{Kind: erasure.Session, Does: auditlog.Deletes, By: spansOfSession, Of: auditlog.Rows("live_spans")},
	{Kind: erasure.Session, Does: auditlog.Empties, By: ofSession, Of: []auditlog.Columns{
		{Table: "live_traces", Names: "service = '', name = '', actor = '', actor_more = '{}', cause = '', note = '', " +
			"said = '{}', lost = NULL, warnings = NULL, object_id = ''"},
	}},
	{Kind: erasure.Session, Does: auditlog.Keeps, Why: "that the trace is done with, until some days later: a span that " +
		"comes late begins no other", Of: []auditlog.Columns{
		{Table: "live_traces", Names: "trace_id, state, first_at, last_at, root_at, due_at, owner, held_until, ended_at"},
	}},
	{Kind: erasure.Document, Does: auditlog.Empties, By: ofSession, Of: []auditlog.Columns{
		{Table: "live_traces", Names: "note = '', said = '{}', warnings = NULL"},
	}},
	{Kind: erasure.Document, Does: auditlog.Keeps,
		Why: "which trace a session was made of, until some days later; the " +
			"bodies of its spans went when it was made", Of: []auditlog.Columns{
			{Table: "live_traces", Names: "trace_id, state, service, name, first_at, last_at, root_at, due_at, owner, " +
				"held_until, actor, actor_more, cause, lost, object_id, ended_at"},
			{Table: "live_spans", Names: "trace_id, span_id, service, body"},
		}},
	{Does: auditlog.Keeps, Why: "rules of a tenant, and sums over traces", Of: []auditlog.Columns{
		{Table: "live_rules", Names: "rules, actor, at"},
		{Table: "live_counts", Names: "day, what"},
	}},
}
