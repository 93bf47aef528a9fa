// Package sessions stores sessions with their documents, claims, reviews and runs of the judge, and what finds them.
package sessions

import (
	"sanad/internal/db/originals"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/notify"
)

// Store stores sessions with their documents, claims and reviews, and what finds them.
type Store struct {
	*receipts.Store
	confidences confidenceSums
	Needs       Needs
}

// Needs is what the facade gives this room.
type Needs struct {
	Files    *originals.Files
	Notices  sessionNotices
	Bundles  sessionBundles
	Traces   []SessionTrace
	MakeRoom func() // called within a large import, before SQLite takes tens of megabytes for a moment; may be nil
}

// sessionNotices tells people what happened to sessions.
type sessionNotices interface {
	Notify(t *sqldb.Tx, tenant string, m *notify.Message) error
	Settled(t *sqldb.Tx, tenant string, kind notify.Kind, object, id, user string) error
}

// sessionBundles knows which bundle a run was given.
type sessionBundles interface {
	// LinkRunTo records it, and that in the log; known is false, and nothing is stored, if there is no such bundle.
	LinkRunTo(t *sqldb.Tx, a access.Actor, bundleID, runID string) (known bool, err error)
}
