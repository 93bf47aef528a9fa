package db

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// peopleStore stores tenants, people, machines, their roles, passwords, tokens and keys, and changes that wait for a second
// administrator.
type peopleStore struct {
	*auditlog.Store
	roles  func() // Options.RolesChanged; may be nil
	failed failedLogins
	others map[access.ChangeKind]carryOut
}

// carryOut makes a change of another room that a second administrator has confirmed.
type carryOut func(t *sqldb.Tx, by domain.Actor, c *access.Change) error
