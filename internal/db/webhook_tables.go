package db

// webhookTables are the recorded tables of the webhooks of a tenant.
var webhookTables = []recordTable{
	{name: "webhooks", keys: []string{"id"}, columns: []string{"url", "kinds", "sealed", "created_at", "created_by",
		"disabled_at"}},
}
