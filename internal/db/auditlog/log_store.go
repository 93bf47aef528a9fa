package auditlog

import (
	"context"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
	"sanad/internal/keys"
)

// Store stores the logs of all tenants, their digests and their keys.
type Store struct {
	*sqldb.DB
	Box         *keys.Box // seals secrets in the database
	earlier     []*keys.Earlier
	Inspect     bool   // Options.Inspect
	Dir         string // of the database
	opened      openedKeys
	trees       trees
	Checkpoints checkpointFiles
	Freezes     freezes // why tenants are read-only
	pass        contentPass

	Contents *Contents // set by the facade, as what follows

	// what the rooms above tell the log; the facade sets it
	Rules   SessionRules
	Checks  []ContentCheck // of a tenant's rows that are not those of one session
	Names   Names
	OnEvent func(t *sqldb.Tx, e *audit.Event, object audit.Object, also []string) error // in the transaction of each event
}

// ContentCheck compares rows of a tenant with what its log recorded.
type ContentCheck func(ctx context.Context, tenant string) ([]audit.ContentFault, error)

// Names knows the people and machines behind the ids in events.
type Names interface {
	ActorNames(ctx context.Context, tenant string, ids []string) (map[string]string, error)
}
