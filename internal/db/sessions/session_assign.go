package sessions

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
)

// SessionAssigned returns the event of a new assignment of reviewers.
func SessionAssigned(s *ledger.Session) auditlog.Event {
	return auditlog.SessionEvent("session.assigned", s.ID, map[string]any{
		"first": s.Seats[0].ID, "second": s.Seats[1].ID, "second_review": s.Second.Name(),
	})
}

// seating is what is read of a session to give its seats to others.
type seating struct {
	no       int
	id       string
	revision int
	seats    ledger.Seats // without names
	second   ledger.SecondReview
	state    ledger.State
	sealed   ledger.SealedBy
}

// plannedColumns are those of seatingColumns that a plan asks for: the index of what is nobody's has them. The first
// reviewer is known.
const plannedColumns = "s.no, s.id, 0, s.second_review, '', s.second_reviewer, '', NULL"

const seatingColumns = `s.no, s.id, s.revision, s.second_review, s.first_reviewer, s.second_reviewer, s.state,
	CASE s.second_review WHEN '' THEN NULL ELSE s.overview ->> '$.sealed' END`

func scanSeating(r sqldb.Scanner, x *seating) error {
	return r.Scan(&x.no, &x.id, &x.revision, &x.second, &x.seats[0].ID, &x.seats[1].ID, &x.state,
		sqldb.JSONInto(&x.sealed))
}

// stays reports whether other seats leave everything else of the session as it is: how its claims stand and what is
// sealed depends on the seats only where two people review it and somebody has begun.
func (x *seating) stays(second ledger.SecondReview) bool {
	return x.state != ledger.Closed && second == x.second &&
		(second == ledger.OneReviewer || x.state == ledger.New && len(x.sealed) == 0)
}

// setSeats changes who reviews a session: ledger.Session.SetReviewers. It must have no other effects, and may be called
// twice, first with a session that has neither claims nor documents.
type setSeats func(*ledger.Session) error

// Reassign changes who reviews a session, and how, and logs the result; months is the tenant's freshness window.
func (store *Store) Reassign(ctx context.Context, a access.Actor, id string, months int, set setSeats) error {
	return store.Write(ctx, sqldb.OfTenant(a.Tenant), "Reassign", func(t *sqldb.Tx) error {
		found, err := sqldb.Collect(t, "SELECT "+seatingColumns+" FROM sessions s WHERE s.tenant_id = ? AND s.id = ?",
			[]any{a.Tenant, id}, scanSeating)
		x, err := sqldb.First(found, err)
		if err != nil {
			return err
		}
		change := []reseating{{was: x, set: set}}
		if err := store.reseat(t, a, months, change); err != nil {
			return err
		}
		return store.tellAssigned(t, a, change[0].now, x.seats)
	})
}

// reseating is a session that gets other seats.
type reseating struct {
	was seating
	set setSeats
	now *ledger.Session // as it is then, without its parts where only its seats changed
}

// reseat changes who reviews sessions, and logs each. A session is read whole only where more than its seats may change:
// those come first.
func (store *Store) reseat(t *sqldb.Tx, a access.Actor, months int, all []reseating) (err error) {
	var seats []*reseating
	for i := range all {
		x := &all[i]
		x.now = &ledger.Session{ID: x.was.id, Revision: x.was.revision, Seats: x.was.seats, Second: x.was.second}
		if err := x.set(x.now); err != nil {
			return sqldb.AsIs(err)
		}
		if x.was.stays(x.now.Second) {
			seats = append(seats, x)
		} else if x.now, err = store.reseatWhole(t, a, months, x.was.id, x.set); err != nil {
			return err
		}
	}
	return store.saveSeats(t, a, seats)
}

// saveSeats stores the seats of sessions, those that get the same ones together, and logs each.
func (store *Store) saveSeats(t *sqldb.Tx, a access.Actor, all []*reseating) error {
	type same struct {
		was, revision int
		updated       string
		first, second string
	}
	numbers, events := make([]int, len(all)), make([]auditlog.Event, len(all))
	together, order := map[same][]int{}, []same{}
	for i, x := range all {
		numbers[i], events[i] = x.was.no, SessionAssigned(x.now)
		to := same{was: x.was.revision, revision: x.now.Revision, updated: sqldb.Stamp(x.now.UpdatedAt),
			first: x.now.Seats[0].ID, second: x.now.Seats[1].ID}
		if together[to] == nil {
			order = append(order, to)
		}
		together[to] = append(together[to], x.was.no)
	}
	if err := auditlog.TouchEach(t, numbers, "session"); err != nil {
		return err
	}
	for _, to := range order {
		for some := range slices.Chunk(together[to], 500) {
			list, args := sqldb.InList(sqldb.Anys(some))
			n, err := t.Exec(`UPDATE sessions SET (revision, updated_at, first_reviewer, second_reviewer) = (?, ?, ?, ?)
				WHERE tenant_id = ? AND revision = ? AND no IN `+list,
				append([]any{to.revision, to.updated, to.first, to.second, a.Tenant, to.was}, args...)...)
			if err != nil {
				return err
			}
			if n != int64(len(some)) {
				return domain.Refuse(domain.Conflict, "", "refused_session_changed_meanwhile")
			}
		}
	}
	return store.AppendEvents(t, a, events)
}

func (store *Store) reseatWhole(t *sqldb.Tx, a access.Actor, months int, id string,
	set setSeats) (*ledger.Session, error) {
	l, events, err := store.update(t, a.Tenant, id, auditlog.Event{},
		func(_ *sessionRow, session *ledger.Session) (*ledger.Ledger, *receipts.Receipt, error) {
			if err := set(session); err != nil {
				return nil, nil, err
			}
			l := ledger.Assess(session, months)
			return &l, nil, nil
		})
	if err != nil {
		return nil, err
	}
	events[len(events)-1] = SessionAssigned(l.Session)
	return l.Session, store.tellChange(t, a, l, events)
}

// tellAssigned tells whoever got a seat, and takes back what was told to whoever lost one.
func (store *Store) tellAssigned(t *sqldb.Tx, a access.Actor, session *ledger.Session, was ledger.Seats) error {
	for _, seat := range was {
		if seat.ID == "" || session.Seats.Holds(seat.ID) {
			continue
		}
		if err := store.Needs.Notices.Settled(t, a.Tenant, notify.Assigned, notify.Session, session.ID,
			seat.ID); err != nil {
			return err
		}
	}
	for _, seat := range session.Seats {
		if was.Holds(seat.ID) {
			continue
		}
		err := store.Needs.Notices.Notify(t, a.Tenant,
			&notify.Message{To: seat.ID, By: a.ID, Kind: notify.Assigned, ObjectKind: notify.Session,
				ObjectID: session.ID, Key: "assigned/" + session.ID + "/" + strconv.Itoa(session.Revision)})
		if err != nil {
			return err
		}
	}
	return nil
}

// Loads returns what each person is to review, who has most first.
func (store *Store) Loads(ctx context.Context, tenant string) (out []ledger.Load, err error) {
	err = store.Read(ctx, "Loads", func(t *sqldb.Tx) (err error) {
		out, err = loads(t, tenant)
		return err
	})
	return out, err
}

func loads(t *sqldb.Tx, tenant string) (out []ledger.Load, err error) {
	at := map[string]int{}
	for _, seat := range []string{"first_reviewer", "second_reviewer"} {
		err := t.Each("SELECT s."+seat+`, coalesce((SELECT u.name FROM memberships m JOIN users u ON u.id = m.user_id
			WHERE m.tenant_id = ?1 AND m.user_id = s.`+seat+`), ''), count(*) FROM sessions s
			WHERE s.tenant_id = ?1 AND s.status = 'open' AND s.`+seat+" <> '' GROUP BY s."+seat, []any{tenant},
			func(r sqldb.Scanner) error {
				var l ledger.Load
				if err := r.Scan(&l.ID, &l.Name, &l.All); err != nil {
					return err
				}
				if seat == "first_reviewer" {
					l.First = l.All
				}
				if i, known := at[l.ID]; known {
					out[i].All += l.All
					return nil
				}
				at[l.ID], out = len(out), append(out, l)
				return nil
			})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b ledger.Load) int { return cmp.Or(b.All-a.All, strings.Compare(a.ID, b.ID)) })
	return out, nil
}

// AssignMany says which sessions get another first reviewer, and who that is.
type AssignMany struct {
	Query ledger.SessionQuery // which sessions; its order and its page do not matter
	Whose string              // whose they are now: a person's id, "" for nobody's
	To    []ledger.Taker      // none: they become nobody's. Their loads are read here.
	How   ledger.Sharing
	Most  int                       // how many at most; 0 for all
	Only  []string                  // ids of the sessions that were chosen; none for all
	Until time.Time                 // leaves out sessions that came in later; zero for none
	May   func(session string) bool // whether the actor may assign it; nil if all
}

// sharing is a plan: who gets each session.
type sharing struct {
	ledger.Shares

	rows []seating
	to   []int // of takers, -1 for none
}

// PlanAssignment returns what AssignSessions would do now.
func (store *Store) PlanAssignment(ctx context.Context, tenant string, in *AssignMany) (out ledger.Shares, err error) {
	err = store.Read(ctx, "PlanAssignment", func(t *sqldb.Tx) error {
		p, err := store.shareOut(t, tenant, in, plannedColumns)
		if err == nil {
			out = p.Shares
		}
		return err
	})
	return out, err
}

// SessionsOf returns the ids of up to limit sessions that AssignMany says, in the order in which they are shared out.
func (store *Store) SessionsOf(ctx context.Context, tenant string, in *AssignMany, limit int) (ids []string, err error) {
	err = store.Read(ctx, "SessionsOf", func(t *sqldb.Tx) error {
		rows, err := store.seatings(t, tenant, in, limit, plannedColumns)
		for i := range rows {
			ids = append(ids, rows[i].id)
		}
		return err
	})
	return ids, err
}

// assignable returns the tables and conditions of the sessions that AssignMany may mean, whoever has them; no tables if
// its words find none.
func (store *Store) assignable(tenant string, in *AssignMany) (from string, w sqldb.Conditions) {
	q := in.Query
	q.Sort, q.Dir = "", ""
	if from, w = sessionConditions(tenant, &q, store.Now()); !in.Until.IsZero() {
		w.Add("s.created_at <= ?", sqldb.Stamp(in.Until))
	}
	if ids, err := sqldb.JSONText(in.Only); err == nil && len(in.Only) > 0 {
		w.Add("s.id IN (SELECT value FROM json_each(?))", ids)
	}
	return from, w
}

// whose is assignable for those sessions that are shared out: under review, and theirs who have them now.
func (store *Store) whose(tenant string, in *AssignMany) (from string, w sqldb.Conditions) {
	if from, w = store.assignable(tenant, in); from == "" {
		return from, w
	}
	w.Add("s.status = 'open'")
	if in.Whose == "" {
		w.Add("s.first_reviewer = ''") // as the index of what is nobody's says
		return from, w
	}
	w.Add("s.first_reviewer = ?", in.Whose)
	w.Add("s.first_reviewer <> ''") // as the index of reviewers says
	return from, w
}

// seatings reads up to limit sessions that AssignMany says: those with the gravest flags first, then the oldest.
func (store *Store) seatings(t *sqldb.Tx, tenant string, in *AssignMany, limit int, columns string) ([]seating, error) {
	from, w := store.whose(tenant, in)
	if from == "" {
		return nil, nil
	}
	return sqldb.Collect(t, "SELECT "+columns+" FROM "+from+" WHERE "+w.String()+inTurn,
		append(w.Args, limit), func(r sqldb.Scanner, x *seating) error {
			err := scanSeating(r, x)
			x.seats[0].ID = in.Whose
			return err
		})
}

// inTurn is the order in which sessions are shared out.
const inTurn = " ORDER BY s.urgency DESC, s.created_at, s.no LIMIT ?"

// Assignable lists up to limit sessions that AssignMany may mean, in the order in which they are shared out.
func (store *Store) Assignable(ctx context.Context, tenant string, in *AssignMany,
	limit int) (out []ledger.SessionRow, err error) {
	from, w := store.whose(tenant, in)
	if from == "" {
		return nil, nil
	}
	err = store.Read(ctx, "Assignable", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, "SELECT "+rowColumns+" FROM "+from+" WHERE "+w.String()+inTurn,
			append(w.Args, limit), func(r sqldb.Scanner, row *ledger.SessionRow) error {
				return scanRow(r, in.Query.Reader, row)
			})
		return err
	})
	return out, err
}

// shareOut reads what is to be shared out, and to whom.
func (store *Store) shareOut(t *sqldb.Tx, tenant string, in *AssignMany, columns string) (p sharing, err error) {
	if err := store.leftAlone(t, tenant, in, &p.Shares); err != nil {
		return p, err
	}
	limit := ledger.MaxShared
	if in.Most > 0 {
		limit = min(limit, in.Most)
		p.Rest = max(0, p.Beyond-in.Most)
		p.Beyond -= p.Rest
	}
	rows, err := store.seatings(t, tenant, in, limit, columns)
	if err != nil {
		return p, err
	}
	p.Beyond -= len(rows)
	p.rows = slices.DeleteFunc(rows, func(x seating) bool { return in.May != nil && !in.May(x.id) })
	p.Barred = len(rows) - len(p.rows)
	shared := make([]ledger.Shared, len(p.rows))
	for i := range p.rows {
		shared[i] = ledger.Shared{Seats: p.rows[i].seats, Second: p.rows[i].second}
	}
	takers, err := withLoads(t, tenant, in, len(shared))
	if err != nil {
		return p, err
	}
	p.to, p.Each = ledger.ShareOut(in.How, shared, takers), make([]int, len(takers))
	for _, k := range p.to {
		switch {
		case k < 0 && len(takers) > 0:
			p.Unfit++
		case len(takers) == 0 && in.Whose == "" || k >= 0 && takers[k].ID == in.Whose:
			p.Kept++
		default:
			p.Moved++
			if k >= 0 {
				p.Each[k]++
			}
		}
	}
	return p, nil
}

// withLoads returns the takers with what is theirs already, but for the sessions that are shared out.
func withLoads(t *sqldb.Tx, tenant string, in *AssignMany, shared int) ([]ledger.Taker, error) {
	if in.How != ledger.ByLoad {
		return in.To, nil
	}
	all, err := loads(t, tenant)
	takers := slices.Clone(in.To)
	for i := range takers {
		for _, l := range all {
			if l.ID == takers[i].ID {
				takers[i].Open = l.All
			}
		}
		if takers[i].ID == in.Whose {
			takers[i].Open -= shared
		}
	}
	return takers, err
}

// leftAlone counts what matches and is not shared out. Beyond is then all that is to be.
func (store *Store) leftAlone(t *sqldb.Tx, tenant string, in *AssignMany, s *ledger.Shares) error {
	from, w := store.assignable(tenant, in)
	if from == "" {
		return nil
	}
	var open int
	err := t.Row(`SELECT count(*) FILTER (WHERE s.status = 'open' AND s.first_reviewer = ?),
		count(*) FILTER (WHERE s.status = 'open'), count(*) FROM `+from+" WHERE "+w.String(),
		append([]any{in.Whose}, w.Args...), &s.Beyond, &open, &s.Finished)
	s.Others, s.Finished = open-s.Beyond, s.Finished-open
	return err
}

// AssignSessions gives the sessions that in says to the takers, all in one transaction, and logs each. Each of the
// takers is told once.
func (store *Store) AssignSessions(ctx context.Context, a access.Actor, months int, at time.Time,
	in *AssignMany) (out ledger.Shares, err error) {
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "AssignSessions", func(t *sqldb.Tx) error {
		p, err := store.shareOut(t, a.Tenant, in, seatingColumns)
		if err != nil {
			return err
		}
		only := make([]string, len(in.To)+1) // the session of who got one, and of who lost one
		var changes []reseating
		for i := range p.rows {
			var seat ledger.Seat
			if k := p.to[i]; k >= 0 {
				seat = in.To[k].Seat
			} else if len(in.To) > 0 {
				continue
			}
			if seat.ID == in.Whose {
				continue
			}
			if k := p.to[i]; k >= 0 {
				only[k] = p.rows[i].id
			}
			only[len(in.To)] = p.rows[i].id
			changes = append(changes, reseating{was: p.rows[i], set: func(s *ledger.Session) error {
				return s.SetReviewers(ledger.Seats{seat, s.Seats[1]}, s.Second, at)
			}})
		}
		if err := store.reseat(t, a, months, changes); err != nil {
			return err
		}
		out = p.Shares
		return store.tellShared(t, a, in, &p.Shares, only)
	})
	return sqldb.OrZero(out, err)
}

// tellShared tells each taker of what they got, and who had the sessions of how many are theirs no more; what they were
// told of those before counts as read.
func (store *Store) tellShared(t *sqldb.Tx, a access.Actor, in *AssignMany, s *ledger.Shares, only []string) error {
	tell := func(m notify.Message, n int, only string) error {
		switch n {
		case 0:
			return nil
		case 1:
			m.ObjectKind, m.ObjectID = notify.Session, only
		default:
			m.ObjectKind, m.ObjectID, m.Place = notify.Sessions, a.Tenant, strconv.Itoa(n)
		}
		m.Key = string(m.Kind) + "/" + m.ObjectID + "/" + store.NewID()
		return store.Needs.Notices.Notify(t, a.Tenant, &m)
	}
	if in.Whose != "" {
		if err := store.Needs.Notices.Unseated(t, a.Tenant, in.Whose); err != nil {
			return err
		}
		if err := tell(notify.Message{To: in.Whose, By: a.ID, Kind: notify.Unassigned}, s.Moved, only[len(in.To)]); err != nil {
			return err
		}
	}
	for k, n := range s.Each {
		if err := tell(notify.Message{To: in.To[k].ID, By: a.ID, Kind: notify.Assigned}, n, only[k]); err != nil {
			return err
		}
	}
	return nil
}
