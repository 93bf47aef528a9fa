package db

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// Mark says of which state of the store a session's ledger page is for one reader: two reads with equal marks show the
// same. It is made of the tenant's log, in which each change of what such a page shows stands since the same commit, and
// of what is changed without an event: saved views and notifications.
type Mark struct {
	Epoch    int64  // of the log
	General  int64  // number of the newest event that may be shown on pages of any session
	Session  int64  // number of the newest event about this session alone since then, 0 if none
	Revision int64  // of the session
	Unread   int    // notifications of the reader, up to the limit that was asked for
	Views    string // saved views of the ledger that the reader is offered
	Known    bool   // false where the session is not there, or the state is older than one that was seen before
}

// A mark is read as one text, which markOf reads, with the arguments of markArgs, from tables that include l, which names
// the tenant and the reader: reading a column takes longer than making it.
const (
	markColumn = `coalesce(h.epoch, 0) || ' ' || coalesce(h.size, 0) || ' ' ||
		(SELECT count(*) FROM (SELECT 1 FROM notifications n WHERE n.tenant_id = l.tenant_id AND n.user_id = l.user_id
			AND n.read_at = '' LIMIT ?) AS unread) || ' ' ||
		coalesce((SELECT s.revision FROM sessions s WHERE s.tenant_id = l.tenant_id AND s.id = ?), 0) || ' ' ||
		(SELECT coalesce(string_agg(v.id || CASE WHEN v.shared = 1 THEN '+' ELSE '-' END || v.name || ? || v.query, ?
			ORDER BY v.id), '') FROM saved_views v
			WHERE v.tenant_id = l.tenant_id AND v.page = ? AND (v.user_id = l.user_id OR v.shared = 1))`
	markJoin = " LEFT JOIN log_heads h ON h.tenant_id = l.tenant_id"
	markOf   = "SELECT " + markColumn + " FROM memberships l" + markJoin + " WHERE l.tenant_id = ? AND l.user_id = ?"
)

// unit and record end a part and a whole of what is joined into one text; no name has them (viewName).
const (
	unitEnd   = "\x1f"
	recordEnd = "\x1e"
)

func markArgs(session string, maxUnread int) []any {
	return []any{maxUnread, session, unitEnd, recordEnd, ledger.SavedLedger}
}

// parseMark reads what markColumn returned, with the size of the log.
func parseMark(text string) (m Mark, size int64, err error) {
	numbers := [...]*int64{&m.Epoch, &size, new(int64), new(int64)}
	for _, n := range numbers {
		var word string
		word, text, _ = strings.Cut(text, " ")
		var wrong error
		if *n, wrong = strconv.ParseInt(word, 10, 64); wrong != nil {
			err = wrong
		}
	}
	m.Unread, m.Revision, m.Views = int(*numbers[2]), *numbers[3], text
	return m, size, err
}

// SignedInAt is SignedIn with the mark of a session's ledger page, read in the same query. What hangs on the login's
// revision (whoColumn, and the tenant's log) comes from memory while that is the same.
func (s *Store) SignedInAt(ctx context.Context, tokenHash, session string, maxUnread int) (*SignedIn, Mark, error) {
	seen, created := s.living()
	args := append(markArgs(session, maxUnread), tokenHash, seen, created)
	var who, text string
	known := s.logins.get(tokenHash)
	if known != nil {
		if err := s.readOne(ctx, "SignedIn", revisionAt, args, &text, &who); err != nil {
			return nil, Mark{}, err
		}
	}
	l := &SignedIn{Login: access.Login{TokenHash: tokenHash}}
	if known == nil || known.who != who {
		known = nil
		if err := s.readOne(ctx, "SignedIn", signedInAt, args, append(l.fields(), &text, &who)...); err != nil {
			return nil, Mark{}, err
		}
	} else {
		l.TenantID = known.login.TenantID
	}
	m, size, err := parseMark(text)
	if err != nil {
		return nil, Mark{}, fail("SignedIn", err)
	}
	if err := s.placed(ctx, l.TenantID, session, size, &m); err != nil {
		return nil, Mark{}, err
	}
	switch {
	case known != nil && m.Known && known.epoch == m.Epoch && known.general == m.General:
		*l = known.login
	case known != nil: // what the log tells of may be about the person
		s.logins.forget(tokenHash)
		return s.SignedInAt(ctx, tokenHash, session, maxUnread)
	case m.Known:
		s.logins.put(tokenHash, knownLogin{who: who, epoch: m.Epoch, general: m.General, login: *l})
	}
	m.Known = m.Known && m.Revision > 0
	return l, m, nil
}

// knownLogin is a login with the revision of all that it is made of: its own columns, which change without an event, and
// the newest event of its tenant's log that may be about its person or tenant.
type knownLogin struct {
	who            string
	epoch, general int64
	login          SignedIn
}

// maxLogins is how many logins are remembered: about 1.5 kB each.
const maxLogins = 4000

// knownLogins are logins by the hashes of their tokens. It is safe for concurrent use.
type knownLogins struct {
	mu sync.Mutex
	of map[string]*knownLogin
}

func (k *knownLogins) get(hash string) *knownLogin {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.of[hash]
}

func (k *knownLogins) put(hash string, l knownLogin) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.of == nil || len(k.of) >= maxLogins {
		k.of = map[string]*knownLogin{}
	}
	k.of[hash] = &l
}

func (k *knownLogins) forget(hash string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.of, hash)
}

// MarkOf returns the mark of a session's ledger page for a reader: among reads that run together, of their moment.
func (s *Store) MarkOf(ctx context.Context, who domain.Actor, session string, maxUnread int) (m Mark, err error) {
	err = s.read(ctx, "MarkOf", func(t *tx) error {
		var text string
		if err := t.row(markOf, append(markArgs(session, maxUnread), who.Tenant, who.ID), &text); err != nil {
			return err
		}
		var size int64
		var err error
		if m, size, err = parseMark(text); err == nil {
			err = s.marks.place(t, who.Tenant, session, size, &m)
		}
		m.Known = m.Known && m.Revision > 0
		return err
	})
	return m, err
}

// placed completes a mark with what the log says, mostly from memory.
func (s *Store) placed(ctx context.Context, tenant, session string, size int64, m *Mark) error {
	if s.marks.known(tenant, session, size, m) {
		return nil
	}
	return s.read(ctx, "Marks", func(t *tx) error { return s.marks.place(t, tenant, session, size, m) })
}

// sessionEvents are the actions that change nothing on pages of other sessions than the one that they are about.
// Unknown actions may change any page of the tenant.
var sessionEvents = map[string]bool{
	"session.imported": true, "session.judged": true, "session.reassessed": true, "session.assigned": true,
	"session.closed": true, "session.reopened": true, claimReviewed: true, "session.exported": true,
	"export.created": true,
}

// silentEvents are the actions that change nothing on the page of a ledger, apart from what a mark has beside the log.
var silentEvents = map[string]bool{
	"login.succeeded": true, "login.failed": true, "login.ended": true, "login.freshened": true, "login.switched": true,
	"job.asked": true, "job.done": true, "job.failed": true, "job.cancelled": true, "log.exported": true,
}

const (
	maxMarked    = 20_000 // sessions of which it is remembered what their newest event is: about 3 MB
	maxCatchUp   = 500    // events that are read to catch up with a log
	eventsToMark = "SELECT seq, action, object_kind, object_id FROM events WHERE tenant_id = ? AND seq > ? AND seq <= ? " +
		"ORDER BY seq"
)

// marks remembers of each tenant's log how far it was read, and what the newest event of each session is. What it says
// follows from the log alone. It is safe for concurrent use.
type marks struct {
	mu       sync.Mutex
	tenants  map[string]*marked
	sessions int // in all tenants
}

type marked struct {
	epoch, size, general int64
	sessions             map[string]int64
}

// known completes a mark if the log was read up to its size before.
func (k *marks) known(tenant, session string, size int64, m *Mark) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	x := k.tenants[tenant]
	if x == nil || x.epoch != m.Epoch || x.size != size {
		return false
	}
	m.General, m.Session, m.Known = x.general, x.sessions[session], true
	return true
}

// place completes a mark, after reading the events that are new. A mark of a state that is older than one that was seen
// before stays unknown.
func (k *marks) place(t *tx, tenant, session string, size int64, m *Mark) error {
	if k.known(tenant, session, size, m) {
		return nil
	}
	epoch, from := k.at(tenant)
	if epoch == m.Epoch && from > size {
		return nil
	}
	var events []markEvent
	follows := epoch == m.Epoch && size-from <= maxCatchUp
	if follows {
		var err error
		if events, err = collect(t, eventsToMark, []any{tenant, from, size}, scanMarkEvent); err != nil {
			return err
		}
	}
	k.learn(tenant, m.Epoch, from, size, events, follows)
	k.known(tenant, session, size, m)
	return nil
}

type markEvent struct {
	seq              int64
	action, kind, id string
}

func scanMarkEvent(r scanner, e *markEvent) error { return r.Scan(&e.seq, &e.action, &e.kind, &e.id) }

// at returns how far a tenant's log was read; the epoch is -1 if it was not.
func (k *marks) at(tenant string) (epoch, size int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if x := k.tenants[tenant]; x != nil {
		return x.epoch, x.size
	}
	return -1, 0
}

// learn remembers the events of a log between two sizes or, unless they follow what is known, begins anew: then all pages
// of the tenant have changed.
func (k *marks) learn(tenant string, epoch, from, size int64, events []markEvent, follows bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	x := k.tenants[tenant]
	switch {
	case !follows || k.sessions+len(events) > maxMarked:
		if x != nil && x.epoch == epoch && x.size > size {
			return // somebody else has read more meanwhile
		}
		if k.tenants == nil || k.sessions+len(events) > maxMarked || len(k.tenants) >= maxMarked {
			k.tenants, k.sessions = map[string]*marked{}, 0
		} else if x != nil {
			k.sessions -= len(x.sessions)
		}
		k.tenants[tenant] = &marked{epoch: epoch, size: size, general: size, sessions: map[string]int64{}}
		return
	case x == nil || x.epoch != epoch || x.size != from:
		return // somebody else has read them meanwhile
	}
	for _, e := range events {
		switch {
		case silentEvents[e.action]:
		case e.kind == "session" && sessionEvents[e.action]:
			if _, listed := x.sessions[e.id]; !listed {
				k.sessions++
			}
			x.sessions[e.id] = e.seq
		default:
			x.general = e.seq
			k.sessions -= len(x.sessions)
			clear(x.sessions)
		}
	}
	x.size = size
}
