package db

import "sanad/internal/db/auditlog"

// statisticsStore reads figures over the sessions of a tenant.
type statisticsStore struct {
	*auditlog.Store
}
