// Package sessions stores sessions with their documents, claims, reviews and runs of the judge, and what finds them.
package sessions

import (
	"sync"

	"sanad/internal/db/originals"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/library"
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
	Library  sessionLibrary
	Traces   []SessionTrace
	MakeRoom func() // called within a large import, before SQLite takes tens of megabytes for a moment; may be nil
}

// sessionNotices tells people what happened to sessions.
type sessionNotices interface {
	Notify(t *sqldb.Tx, tenant string, m *notify.Message) error
	Settled(t *sqldb.Tx, tenant string, kind notify.Kind, object, id, user string) error
	Unseated(t *sqldb.Tx, tenant, user string) error
}

// sessionBundles knows which bundle a run was given.
type sessionBundles interface {
	// LinkRunTo records it, and that in the log; known is false, and nothing is stored, if there is no such bundle.
	LinkRunTo(t *sqldb.Tx, a access.Actor, bundleID, runID string) (known bool, err error)
}

// sessionLibrary knows the files that documents are taken from.
type sessionLibrary interface {
	// VersionIn returns a version of a document of the library; NoRow if it is not there.
	VersionIn(t *sqldb.Tx, tenant string, ref library.Ref) (library.Version, error)
}

// SessionTrace is another room that keeps something of sessions.
type SessionTrace interface {
	// ForgetSession removes what it keeps of a session that is erased.
	ForgetSession(t *sqldb.Tx, tenant, id string, no int) error
	// ForgetWords removes what may repeat the words of an erased document of the session.
	ForgetWords(t *sqldb.Tx, tenant, id string, no int) error
}

// confidenceSums caches the sum of the confidence of a session's claims, for one revision of each session: what was
// committed as a revision never changes. It is safe for concurrent use.
type confidenceSums struct {
	mu   sync.Mutex
	sums map[string]sumAt // by the session's id
}

type sumAt struct {
	revision int
	sum      float64
}

// newSum is the sum of the confidences after a review, to be kept once that is committed.
type newSum struct {
	session  string
	was, now int      // its revisions
	sum      *float64 // nil if the review does not change it
}

// maxSums is how many sessions' sums are cached.
const maxSums = 1000

func (c *confidenceSums) get(session string, revision int) (float64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.sums[session]
	return s.sum, ok && s.revision == revision
}

// put stores the sum after a committed review.
func (c *confidenceSums) put(a *newSum) {
	if a == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.sum == nil {
		old, ok := c.sums[a.session]
		if !ok || old.revision != a.was {
			return
		}
		a.sum = &old.sum
	}
	if _, ok := c.sums[a.session]; !ok && len(c.sums) >= maxSums || c.sums == nil {
		c.sums = map[string]sumAt{}
	}
	c.sums[a.session] = sumAt{a.now, *a.sum}
}
