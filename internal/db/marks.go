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

// Mark identifies the state of the store that a session's ledger page shows to one reader: two reads with equal marks
// show the same. It is made of the tenant's log, where each change of what such a page shows is recorded by the same
// commit, and of what changes without an event: saved views and notifications.
type Mark struct {
	Epoch    int64  // of the log
	General  int64  // number of the newest event that may be shown on pages of any session
	Session  int64  // number of the newest event about this session alone since then, 0 if none
	Revision int64  // of the session
	Unread   int    // notifications of the reader, up to the limit that was asked for
	Views    string // saved views of the ledger that the reader is offered
	Known    bool   // false if there is no such session, or the state is older than one that was seen before
}

// A mark is read as one text, because reading a column takes longer than making it. markColumn takes the arguments of
// markArgs, and needs a table l with the tenant and the reader.
const (
	markColumn = `coalesce(h.epoch, 0) || ' ' || coalesce(h.size, 0) || ' ' ||
		(SELECT count(*) FROM (SELECT 1 FROM notifications n WHERE n.tenant_id = l.tenant_id AND n.user_id = l.user_id
			AND n.read_at = '' LIMIT ?) AS unread) || ' ' ||
		coalesce((SELECT s.revision FROM sessions s WHERE s.tenant_id = l.tenant_id AND s.id = ?), 0) || ' ' ||
		(SELECT coalesce(string_agg(v.id || CASE WHEN v.shared = 1 THEN '+' ELSE '-' END || v.name || ? || v.query, ?
			ORDER BY v.id), '') FROM saved_views v
			WHERE v.tenant_id = l.tenant_id AND v.page = ? AND (v.user_id = l.user_id OR v.shared = 1))`
	markJoin  = " LEFT JOIN log_heads h ON h.tenant_id = l.tenant_id"
	markQuery = "SELECT " + markColumn + " FROM memberships l" + markJoin + " WHERE l.tenant_id = ? AND l.user_id = ?"
)

// The ASCII separators of what is joined into one text. Names of saved views have neither (viewName).
const (
	unitSeparator   = "\x1f"
	recordSeparator = "\x1e"
)

func markArgs(session string, maxUnread int) []any {
	return []any{maxUnread, session, unitSeparator, recordSeparator, ledger.SavedLedger}
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

// SignedInAt is SignedIn with the mark of a session's ledger page, read in the same query. The login comes from memory
// while its revision (whoColumn, and the tenant's log) is the same.
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
	if err := s.completeMark(ctx, l.TenantID, session, size, &m); err != nil {
		return nil, Mark{}, err
	}
	switch {
	case known != nil && m.Known && known.epoch == m.Epoch && known.general == m.General:
		*l = known.login
	case known != nil: // a newer event may be about the person
		s.logins.forget(tokenHash)
		return s.SignedInAt(ctx, tokenHash, session, maxUnread)
	case m.Known:
		s.logins.put(tokenHash, cachedLogin{who: who, epoch: m.Epoch, general: m.General, login: *l})
	}
	m.Known = m.Known && m.Revision > 0
	return l, m, nil
}

// cachedLogin is a login with the revision of all that it depends on: its own columns, which change without an event,
// and the newest event of its tenant's log that may be about its person or tenant.
type cachedLogin struct {
	who            string
	epoch, general int64
	login          SignedIn
}

// maxCachedLogins is how many logins are cached, of about 1.5 kB each.
const maxCachedLogins = 4000

// loginCache holds logins by the hashes of their tokens. It is safe for concurrent use.
type loginCache struct {
	mu sync.Mutex
	of map[string]*cachedLogin
}

func (k *loginCache) get(hash string) *cachedLogin {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.of[hash]
}

func (k *loginCache) put(hash string, l cachedLogin) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.of == nil || len(k.of) >= maxCachedLogins {
		k.of = map[string]*cachedLogin{}
	}
	k.of[hash] = &l
}

func (k *loginCache) forget(hash string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.of, hash)
}

// MarkOf returns the mark of a session's ledger page for a reader; among reads that run together, as of their snapshot.
func (s *Store) MarkOf(ctx context.Context, who domain.Actor, session string, maxUnread int) (m Mark, err error) {
	err = s.read(ctx, "MarkOf", func(t *tx) error {
		var text string
		if err := t.row(markQuery, append(markArgs(session, maxUnread), who.Tenant, who.ID), &text); err != nil {
			return err
		}
		var size int64
		var err error
		if m, size, err = parseMark(text); err == nil {
			err = s.marks.catchUp(t, who.Tenant, session, size, &m)
		}
		m.Known = m.Known && m.Revision > 0
		return err
	})
	return m, err
}

// completeMark completes a mark from the log, mostly from memory.
func (s *Store) completeMark(ctx context.Context, tenant, session string, size int64, m *Mark) error {
	if s.marks.complete(tenant, session, size, m) {
		return nil
	}
	return s.read(ctx, "Marks", func(t *tx) error { return s.marks.catchUp(t, tenant, session, size, m) })
}

// sessionEvents are the actions that change nothing on pages of other sessions than the one that they are about.
// Unknown actions may change any page of the tenant.
var sessionEvents = map[string]bool{
	"session.imported": true, "session.judged": true, "session.reassessed": true, "session.assigned": true,
	"session.closed": true, "session.reopened": true, claimReviewed: true, "session.exported": true,
	"export.created": true,
}

// ignoredEvents are the actions that change nothing on a ledger page, apart from what a mark has beside the log.
var ignoredEvents = map[string]bool{
	"login.succeeded": true, "login.failed": true, "login.ended": true, "login.freshened": true, "login.switched": true,
	"job.asked": true, "job.done": true, "job.failed": true, "job.cancelled": true, "log.exported": true,
}

const (
	maxMarked    = 20_000 // sessions whose newest event is remembered: about 3 MB
	maxCatchUp   = 500    // events that are read to catch up with a log
	eventsToMark = "SELECT seq, action, object_kind, object_id FROM events WHERE tenant_id = ? AND seq > ? AND seq <= ? " +
		"ORDER BY seq"
)

// marks remembers how far each tenant's log was read, and the newest event of each session. It depends on the log
// alone. It is safe for concurrent use.
type marks struct {
	mu       sync.Mutex
	tenants  map[string]*tenantMarks
	sessions int // in all tenants
}

type tenantMarks struct {
	epoch, size, general int64
	sessions             map[string]int64
}

// complete completes a mark, and reports whether it could: if the log was read up to the mark's size before.
func (k *marks) complete(tenant, session string, size int64, m *Mark) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	x := k.tenants[tenant]
	if x == nil || x.epoch != m.Epoch || x.size != size {
		return false
	}
	m.General, m.Session, m.Known = x.general, x.sessions[session], true
	return true
}

// catchUp completes a mark, after reading the events that are new. A mark of an older state than one that was seen
// before stays unknown.
func (k *marks) catchUp(t *tx, tenant, session string, size int64, m *Mark) error {
	if k.complete(tenant, session, size, m) {
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
	k.advance(tenant, m.Epoch, from, size, events, follows)
	k.complete(tenant, session, size, m)
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

// advance adds the events of a log between two sizes. If they do not follow what was read, it starts over, as if all
// pages of the tenant had changed.
func (k *marks) advance(tenant string, epoch, from, size int64, events []markEvent, follows bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	x := k.tenants[tenant]
	switch {
	case !follows || k.sessions+len(events) > maxMarked:
		if x != nil && x.epoch == epoch && x.size > size {
			return // another goroutine has read more meanwhile
		}
		if k.tenants == nil || k.sessions+len(events) > maxMarked || len(k.tenants) >= maxMarked {
			k.tenants, k.sessions = map[string]*tenantMarks{}, 0
		} else if x != nil {
			k.sessions -= len(x.sessions)
		}
		k.tenants[tenant] = &tenantMarks{epoch: epoch, size: size, general: size, sessions: map[string]int64{}}
		return
	case x == nil || x.epoch != epoch || x.size != from:
		return // another goroutine has read them meanwhile
	}
	for _, e := range events {
		switch {
		case ignoredEvents[e.action]:
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
