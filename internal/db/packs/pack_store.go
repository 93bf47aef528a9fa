// Package packs stores decisions and evidence packs, from draft to purge.
package packs

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/originals"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/library"
	"sanad/internal/domain/notify"
)

// Store stores decisions and evidence packs, from draft to purge.
type Store struct {
	*receipts.Store
	Needs Needs
}

// Needs is what the facade gives this room.
type Needs struct {
	Files    *originals.Files
	Sessions packSessions
	Library  packLibrary
	Notices  packNotices
	Second   second
	Scrub    packScrub
}

// packSessions reads the ledgers that packs copy.
type packSessions interface {
	LedgerOf(t *sqldb.Tx, tenant, sessionID string) (*ledger.Ledger, error)
	OpenThreads(t *sqldb.Tx, tenant, sessionID string, each func(claim int, id string)) error
	ClaimsNow(t *sqldb.Tx, tenant, sessionID string, known int,
		differs func(position int, v ledger.Verdict, state ledger.ReviewState, reviews int) bool,
		each func(c *ledger.Claim, v ledger.Verdict, state ledger.ReviewState)) (revision int, err error)
}

// packLibrary knows the versions of documents of the library; NoRow for one that is not there.
type packLibrary interface {
	VersionIn(t *sqldb.Tx, tenant string, ref library.Ref) (library.Version, error)
}

// packNotices tells people what happened to packs.
type packNotices interface {
	Notify(t *sqldb.Tx, tenant string, m *notify.Message) error
	Told(t *sqldb.Tx, tenant, user, key string) (bool, error)
	Settled(t *sqldb.Tx, tenant string, kind notify.Kind, object, id, user string) error
	ForgetNotices(t *sqldb.Tx, tenant, object, id string) error
	ForgetDue(t *sqldb.Tx, tenant, object, id string) error
}

// second makes a change of administration, or asks a second administrator for it.
type second interface {
	Change(ctx context.Context, op string, by access.Actor, c *access.Change, do func(*sqldb.Tx) error) error
}

// packScrub records that files and traces of deleted rows are to be removed.
type packScrub interface {
	OweScrub(t *sqldb.Tx, files []auditlog.File) error
}
