// Package statistics reads figures over the sessions of a tenant. It writes nothing.
package statistics

import "sanad/internal/db/auditlog"

// Store reads figures over the sessions of a tenant.
type Store struct {
	*auditlog.Store
}
