// Package people stores tenants, people, machines, their roles, logins and tokens, and changes that wait for a second
// administrator.
package people

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// Store stores tenants, people, machines, their roles, passwords, tokens and keys, and changes that wait for a second
// administrator.
type Store struct {
	*auditlog.Store
	failed failedLogins
	Needs  Needs
}

// Needs is what the facade gives this room.
type Needs struct {
	RolesChanged func()                         // called after each commit that may have changed who may do what; may be nil
	Others       map[access.ChangeKind]CarryOut // changes of other rooms; NewStore fills it
	Deputies     deputies
}

// deputies tells people of deputies, and of the packs that wait.
type deputies interface {
	DeputyNamed(t *sqldb.Tx, by access.Actor, d *access.Deputy) error
	DeputyEnded(t *sqldb.Tx, by access.Actor, d *access.Deputy) error
}

// CarryOut makes a change of another room that a second administrator has confirmed.
type CarryOut func(t *sqldb.Tx, by access.Actor, c *access.Change) error
