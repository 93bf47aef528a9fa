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
	failed failedLogins
	Needs  peopleNeeds
}

// peopleNeeds is what the facade gives this room.
type peopleNeeds struct {
	RolesChanged func()                         // called after each commit that may have changed who may do what; may be nil
	Others       map[access.ChangeKind]CarryOut // changes of other rooms
}

// CarryOut makes a change of another room that a second administrator has confirmed.
type CarryOut func(t *sqldb.Tx, by domain.Actor, c *access.Change) error
