package db

import (
	"sanad/internal/db/sqldb"
	"sanad/internal/keys"
)

// auditLog stores the logs of all tenants, their digests and their keys.
type auditLog struct {
	*sqldb.DB
	box         *keys.Box // seals secrets in the database
	earlier     []*keys.Earlier
	inspect     bool   // Options.Inspect
	dir         string // of the database
	opened      openedKeys
	trees       trees
	checkpoints checkpointFiles
	frozen      freezes // why tenants are read-only
	pass        contentPass
}
