package models

import "sanad/internal/db/auditlog"

// ModelTables are the recorded tables of the models of a tenant.
var ModelTables = []auditlog.RecordTable{
	{Name: "model_endpoints", Keys: []string{"id"}, Columns: []string{"sealed", "created_at", "created_by",
		"disabled_at", "changed_at", "changed_by", "name", "kind", "url", "model", "trust_supported",
		"trust_contradicted",
		"price_in", "price_out", "run_tokens", "run_cost", "day_tokens", "day_cost", "parallel", "timeout_ms",
		"redact"}},
}
