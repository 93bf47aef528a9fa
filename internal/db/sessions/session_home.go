package sessions

import (
	"context"
	"time"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
)

const (
	homeDays = 30
)

// Home returns the first page of a reader's tenant. Its cost does not grow with the history, since sums are kept in counters.
func (store *Store) Home(ctx context.Context, who access.Actor) (*ledger.Home, error) {
	h := &ledger.Home{ByVerdict: map[ledger.Verdict]int{}}
	err := store.Read(ctx, "Home", func(t *sqldb.Tx) error {
		var err error
		h.Queue, err = sqldb.Collect(t, "SELECT "+rowColumns+` FROM sessions s WHERE s.tenant_id = ? AND s.status = 'open'
			ORDER BY s.urgency DESC, s.created_at, s.no LIMIT ?`, []any{who.Tenant, ledger.HomeQueue},
			func(r sqldb.Scanner, row *ledger.SessionRow) error { return scanRow(r, who.ID, row) })
		if err != nil {
			return err
		}
		if err := homeTotals(t, who.Tenant, h); err != nil {
			return err
		}
		return homeNewest(t, who.Tenant, h)
	})
	return sqldb.OrZero(h, err)
}

// homeTotals reads the tenant's totals into h.
func homeTotals(t *sqldb.Tx, tenant string, h *ledger.Home) error {
	var all counts
	err := t.Each("SELECT "+countColumns+" FROM counters WHERE tenant_id = ? AND day = ?", []any{tenant, allDays},
		func(r sqldb.Scanner) error { return r.Scan(all.fields()...) })
	if err != nil {
		return err
	}
	h.Sessions, h.Claims, h.Reviewed, h.Unjudged = all.sessions, all.claims, all.reviewed, all.unjudged
	h.ByVerdict[ledger.Supported], h.ByVerdict[ledger.Weak] = all.supported, all.weak
	h.ByVerdict[ledger.Contradicted], h.ByVerdict[ledger.NotFound] = all.contradicted, all.notFound
	return nil
}

// homeNewest reads the tenant's newest days into h.
func homeNewest(t *sqldb.Tx, tenant string, h *ledger.Home) (err error) {
	h.CoverageByDay, err = sqldb.Collect(t, `SELECT day, sessions, claims, covered, supported FROM
		(SELECT * FROM counters WHERE tenant_id = ? AND day > ? ORDER BY day DESC LIMIT ?) AS newest ORDER BY day`,
		[]any{tenant, allDays, homeDays}, func(r sqldb.Scanner, d *ledger.DayCoverage) error {
			var day string
			var covered, supported int
			if err := r.Scan(&day, &d.Sessions, &d.Claims, &covered, &supported); err != nil {
				return err
			}
			if d.Claims > 0 {
				d.Coverage, d.Support = float64(covered)/float64(d.Claims), float64(supported)/float64(d.Claims)
			}
			d.Day, err = time.Parse(time.DateOnly, day)
			return err
		})
	return err
}

// Titles lists up to limit sessions, packs and documents of the reader's tenant, each the newest first. Documents that
// were withdrawn are for reviewers only (rule ER-3).
func (store *Store) Titles(ctx context.Context, who access.Actor, limit int) (out ledger.Titles, err error) {
	err = store.Read(ctx, "Titles", func(t *sqldb.Tx) (err error) {
		out.Sessions, err = titled(t, `SELECT id, title, id, '', total, updated_at FROM sessions
			WHERE tenant_id = ? ORDER BY created_at DESC, no DESC LIMIT ?`, who.Tenant, limit)
		if err != nil {
			return err
		}
		out.Packs, err = titled(t, `SELECT pack_id, title, session_id, '', 0, updated_at FROM evidence_packs
			WHERE tenant_id = ? ORDER BY created_at DESC, no DESC LIMIT ?`, who.Tenant, limit)
		if err != nil {
			return err
		}
		out.Documents, err = titled(t, `SELECT d.id, CASE d.title WHEN '' THEN d.filename ELSE d.title END, s.id, s.title, 0,
			s.created_at FROM sessions s CROSS JOIN documents d ON d.tenant_id = s.tenant_id AND d.session_no = s.no
			WHERE s.tenant_id = ? AND (d.withdrawn = '' OR ? = 1) ORDER BY s.created_at DESC, s.no DESC, d.position LIMIT ?`,
			who.Tenant, who.Role.ReadsWithdrawn(), limit)
		return err
	})
	return out, err
}

func titled(t *sqldb.Tx, query string, args ...any) ([]ledger.Titled, error) {
	return sqldb.Collect(t, query, args, func(r sqldb.Scanner, x *ledger.Titled) error {
		return r.Scan(&x.ID, &x.Title, &x.SessionID, &x.Session, &x.Claims, sqldb.TimeInto(&x.At))
	})
}

// waitsFor is the condition that a session s, to which a person is assigned, waits for that person. In a double review,
// it no longer waits once they have decided everything unsettled, which is then up to the other reviewer.
const waitsFor = `(s.second_review = '' OR EXISTS (SELECT 1 FROM claims c WHERE c.tenant_id = s.tenant_id
	AND c.session_no = s.no AND c.settled = 0
	AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.tenant_id = c.tenant_id AND r.session_no = c.session_no
	AND r.claim = c.position AND ` +
	ownDecision + `)))`

// queued is what a session s of a queue is sorted by: what is late or due first, then the risk, then the age.
var queued = "SELECT s.no, " + reads.LateAt(notify.Session, "s", "id") + ` AS late_at, s.urgency, s.created_at
	FROM sessions s WHERE s.tenant_id = ? AND s.status = 'open' AND `

// readQueue reads up to limit sessions of a queue in its order, and how many it has, which waiting counts.
func readQueue(t *sqldb.Tx, tenant, person, waiting, of string, args []any, limit int) (out ledger.Queue, err error) {
	err = t.Each("SELECT "+rowColumns+`, page.waiting FROM (SELECT own.*, `+waiting+` AS waiting FROM (`+of+`) AS own
		ORDER BY own.late_at, own.urgency DESC, own.created_at, own.no LIMIT ?) AS page
		JOIN sessions s ON s.tenant_id = ? AND s.no = page.no
		ORDER BY page.late_at, page.urgency DESC, page.created_at, page.no`,
		append(args, limit, tenant), func(r sqldb.Scanner) error {
			var row ledger.SessionRow
			err := scanRow(r, person, &row, &out.Waiting)
			out.Rows = append(out.Rows, row)
			return err
		})
	return out, err
}

// ofPerson is what is queued for a person but for one session.
func ofPerson(tenant, person, but string) (of string, args []any) {
	seat := func(seat string) string {
		return queued + "s." + seat + " = ? AND s." + seat + " <> '' AND s.id <> ? AND " + waitsFor
	}
	return seat("first_reviewer") + " UNION ALL " + seat("second_reviewer"),
		[]any{tenant, person, but, person, tenant, person, but, person}
}

// free is the condition of the sessions that nobody is to review first, and of which a person has not the second seat.
const free = "s.tenant_id = ? AND s.status = 'open' AND s.first_reviewer = '' AND s.second_reviewer <> ?"

// ofNobody is the beginning of the queue of those: the first with a due day and the first without one, each in the order
// of an index, for there may be 10,000.
var ofNobody = "SELECT * FROM (SELECT s.no, d.late_at, s.urgency, s.created_at FROM " +
	reads.OpenDates(notify.Session, "sessions", "s", "id") + " WHERE d.tenant_id = ? AND " + free + `
		ORDER BY d.late_at, s.urgency DESC, s.created_at, s.no LIMIT ?) AS wanted
	UNION ALL SELECT * FROM (SELECT s.no, '~' AS late_at, s.urgency, s.created_at FROM sessions s WHERE ` + free +
	" AND NOT " + reads.Dated(notify.Session, "s", "id") + `
		ORDER BY s.urgency DESC, s.created_at, s.no LIMIT ?) AS others`

// countQueue counts what is queued, up to most.
func countQueue(t *sqldb.Tx, of string, args []any, most int) (n int, err error) {
	err = t.Row("SELECT count(*) FROM (SELECT 1 FROM ("+of+") AS own LIMIT ?) AS page", append(args, most), &n)
	return n, err
}

// MyQueue returns the sessions that a person is to review and that wait for them.
func (store *Store) MyQueue(ctx context.Context, tenant, person string, limit int) (q ledger.Queue, err error) {
	if person == "" {
		return q, nil
	}
	of, args := ofPerson(tenant, person, "")
	err = store.Read(ctx, "MyQueue", func(t *sqldb.Tx) (err error) {
		q, err = readQueue(t, tenant, person, "count(*) OVER ()", of, args, limit)
		return err
	})
	return q, err
}

// Waiting counts what MyQueue returns but for one session, up to most.
func (store *Store) Waiting(ctx context.Context, tenant, person, but string, most int) (n int, err error) {
	of, args := ofPerson(tenant, person, but)
	err = store.Read(ctx, "Waiting", func(t *sqldb.Tx) (err error) {
		n, err = countQueue(t, of, args, most)
		return err
	})
	return n, err
}

// FreeSessions returns the open sessions that nobody is to review first, and of which a person has not the second seat.
func (store *Store) FreeSessions(ctx context.Context, who access.Actor, limit int) (q ledger.Queue, err error) {
	args := []any{who.Tenant, who.ID, who.Tenant, who.Tenant, who.ID, limit, who.Tenant, who.ID, limit}
	err = store.Read(ctx, "FreeSessions", func(t *sqldb.Tx) (err error) {
		q, err = readQueue(t, who.Tenant, who.ID, "(SELECT count(*) FROM sessions s WHERE "+free+")", ofNobody, args, limit)
		return err
	})
	return q, err
}

// Free counts what FreeSessions returns, up to most.
func (store *Store) Free(ctx context.Context, who access.Actor, most int) (n int, err error) {
	err = store.Read(ctx, "Free", func(t *sqldb.Tx) (err error) {
		n, err = countQueue(t, "SELECT s.no FROM sessions s WHERE "+free, []any{who.Tenant, who.ID}, most)
		return err
	})
	return n, err
}

// Reviewed says which kinds of review a person has made in a session, including those taken back later.
type Reviewed struct {
	Confirmed  bool // a verdict
	Overridden bool // a verdict, with a reason
}

// ReviewedBy returns what a person has reviewed in a session of their tenant; NotFound if there is no such session.
func (store *Store) ReviewedBy(ctx context.Context, who access.Actor, session string) (r Reviewed, err error) {
	err = store.Read(ctx, "ReviewedBy", func(t *sqldb.Tx) error {
		return t.Row(`SELECT count(r.n) FILTER (WHERE r.action = 'confirm') > 0,
			count(r.n) FILTER (WHERE r.action = 'override' AND r.reason <> '') > 0
			FROM sessions s LEFT JOIN reviews r ON r.session_no = s.no AND r.by_id = ? AND r.by_id <> ''
			AND r.tenant_id = s.tenant_id
			WHERE s.tenant_id = ? AND s.id = ? GROUP BY s.no`, []any{who.ID, who.Tenant, session}, &r.Confirmed,
			&r.Overridden)
	})
	return r, err
}
