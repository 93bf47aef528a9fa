package db

// statisticsStore reads figures over the sessions of a tenant.
type statisticsStore struct {
	*auditLog
}
