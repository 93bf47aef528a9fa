package db

// policyStore stores what a tenant's administrators set: policies of review and freshness.
type policyStore struct {
	*auditLog
}
