// Package erasure stores erasures, legal holds and retention periods. What an erasure deletes is its room's.
package erasure

import (
	"context"
	"sync"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/originals"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
)

// Store stores erasures: what was asked to be erased, by whom, and how far it is. What erases the rows of an
// object is its room's.
type Store struct {
	*auditlog.Store
	erasing sync.Mutex // one FinishErasures at a time
	Needs   Needs
}

// Needs is what the facade gives this room.
type Needs struct {
	Files   *originals.Files
	Second  second
	Packs   erasurePacks
	Answers erasureAnswers
	Erasers map[erasure.Kind]Eraser // of all kinds
	Claims  []auditlog.Claim        // of all rooms
}

// Eraser deletes the rows of an object in its room, and has its other rooms forget them. It returns the event.
type Eraser interface {
	// Erase is given the keys of the files that go too.
	Erase(t *sqldb.Tx, by access.Actor, e *erasure.Request, files []string) (auditlog.Event, error)
}

// second makes a change of administration, or asks a second administrator for it.
type second interface {
	Change(ctx context.Context, op string, by access.Actor, c *access.Change, do func(*sqldb.Tx) error) error
}

// erasurePacks knows what stands in the way of a pack's erasure.
type erasurePacks interface {
	ErasureOf(t *sqldb.Tx, tenant, packID string) (obstacles []erasure.Obstacle, files int, err error)
}

// erasureAnswers empties the stored answers to requests of a tenant.
type erasureAnswers interface {
	ForgetAnswers(t *sqldb.Tx, tenant string) error
}
