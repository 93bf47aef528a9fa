// Package policies stores what a tenant's administrators set: policies of sign-off and patterns of redaction.
package policies

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// Store stores what a tenant's administrators set: policies of sign-off, and patterns of redaction.
type Store struct {
	*auditlog.Store
	Needs Needs
}

// Needs is what the facade gives this room.
type Needs struct{ Second second }

// second makes a change of administration, or asks a second administrator for it.
type second interface {
	Change(ctx context.Context, op string, by access.Actor, c *access.Change, do func(*sqldb.Tx) error) error
}
