// Package auditlog stores what every change leaves behind: the events of each tenant with their tree, checkpoints and
// keys, the digests of content and of recorded rows, and their verification. It hangs on the hooks of transactions.
package auditlog

import (
	"context"
	"sync"
	"time"

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
	OnEvent func(t *sqldb.Tx, e *audit.Event, object audit.Object,
		also []string) error // in the transaction of each event
}

// ContentCheck compares rows of a tenant with what its log recorded.
type ContentCheck func(ctx context.Context, tenant string) ([]audit.ContentFault, error)

// Names knows the people and machines behind the ids in events.
type Names interface {
	ActorNames(ctx context.Context, tenant string, ids []string) (map[string]string, error)
}

// SessionRules is what the log is told of the content of sessions, which it does not know itself.
type SessionRules interface {
	// Field names the column of a fault in the rows of a session, "" where that cannot be told.
	Field(c SessionRows, f audit.ContentFault) string
	// Derived loads what the derived values of a session are computed from. compare, which is nil if rules that this
	// program does not have assessed it, computes them after the transaction and calls fault with those that differ.
	Derived(c SessionRows) (compare func(fault func(part, field string, claim int)) error, err error)
	// Originals compares the original files of a session with the digests that were stored with them.
	Originals(ctx context.Context, tenant, id string) ([]audit.ContentFault, error)
}

// SessionRows are the rows of one session within a transaction.
type SessionRows struct {
	Tx      *sqldb.Tx
	Tenant  string
	Session string // its id
	No      int    // its number
}

// contentPass is what the passes found so far.
type contentPass struct {
	mu   sync.Mutex
	last ContentPass
	now  []PassFault // of the one that runs
}

// txLog is what the audit log keeps of a writing transaction until its commit.
type txLog struct {
	contents   *Contents                 // of the store
	Request    string                    // the confirmed request that is being made, "" if none: its events name it
	Undigested bool                      // in benchmarks: changes get no content digests
	changes    map[int]*sessionChange    // sessions that the transaction changes, by number
	changesOf  map[string]*sessionChange // and by id
	records    map[string][]RecordRef    // rows that the next event of a tenant records

	Logs        map[string]*growing // the logs that the transaction appends to, by tenant
	whileFrozen bool                // may append although the store is frozen
}

// LogOf finds what the log keeps of a transaction.
var LogOf sqldb.Local[txLog]

// BeginLog tells a writing transaction what the log digests.
func (store *Store) BeginLog(t *sqldb.Tx) { LogOf.Of(t).contents = store.Contents }

// ContentPass is a check of all logs and of the content of all sessions (rule LOG-10).
type ContentPass struct {
	Finished time.Time // zero before the first is complete
	Sessions int       // checked
	Faults   []PassFault
}

// PassFault is what a pass found wrong with a tenant's log or with a session.
type PassFault struct{ Tenant, Text string }

// maxPassFaults is how many faults of a pass are kept; all are logged.
const maxPassFaults = 100

func (p *contentPass) found(f PassFault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.now) < maxPassFaults {
		p.now = append(p.now, f)
	}
}
