package db

import "sanad/internal/db/auditlog"

// webhookTables are the recorded tables of the webhooks of a tenant.
var webhookTables = []auditlog.RecordTable{
	{Name: "webhooks", Keys: []string{"id"}, Columns: []string{"url", "kinds", "sealed", "created_at", "created_by",
		"disabled_at"}},
}
