package webhooks

import "sanad/internal/db/auditlog"

// WebhookTables are the recorded tables of the webhooks of a tenant.
var WebhookTables = []auditlog.RecordTable{
	{Name: "webhooks", Keys: []string{"id"}, Columns: []string{"url", "kinds", "sealed", "created_at", "created_by",
		"disabled_at"}},
}
