package webhooks

import (
	"sanad/internal/db/auditlog"
)

// ErasureClaims are what an erasure does to the tables of webhooks: none.
var ErasureClaims = []auditlog.Claim{
	{Does: auditlog.Keeps, Why: "where events are sent", Of: []auditlog.Columns{
		{Table: "webhooks", Names: "id, url, kinds, sealed, created_at, created_by, disabled_at"},
	}},
	{Does: auditlog.Keeps, Why: "what was sent has the ids of an event and no content", Of: []auditlog.Columns{
		{Table: "webhook_deliveries", Names: "webhook_id, id, kind, body, created_at, state, next_at, " +
			"reason, ended_at"},
	}},
}
