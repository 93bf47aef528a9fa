package sessions

import (
	"context"
	"errors"
	"fmt"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// UpdateSession changes a session in one transaction that holds the write lock from the start: it loads the whole
// session, lets apply change it, and saves the new reviews, the values derived from them, the receipt and the event.
// apply must have no other effects. It must increase the session's revision and return the newly assessed ledger, or an
// error, which leaves everything unchanged and is returned as it is. If ev.ReceiptKey has been answered already, apply
// is not called and the error is a *ReplayError. Events of reviews are derived from the reviews that apply appended.
func (store *Store) UpdateSession(ctx context.Context, a access.Actor, id string, ev auditlog.Event,
	apply func(*ledger.Session) (*ledger.Ledger, *receipts.Receipt, error)) (*ledger.Ledger, error) {
	return store.changeLedger(ctx, "UpdateSession", a, func(t *sqldb.Tx) (*ledger.Ledger, []auditlog.Event, error) {
		return store.update(t, a.Tenant, id, ev,
			func(_ *sessionRow, s *ledger.Session) (*ledger.Ledger, *receipts.Receipt, error) { return apply(s) })
	})
}

// changeLedger calls change in one transaction, appends the events that it returns to the log, and returns its ledger.
func (store *Store) changeLedger(ctx context.Context, op string, a access.Actor,
	change func(*sqldb.Tx) (*ledger.Ledger, []auditlog.Event, error)) (*ledger.Ledger, error) {
	var out *ledger.Ledger
	err := store.Write(ctx, sqldb.OfTenant(a.Tenant), op, func(t *sqldb.Tx) error {
		l, events, err := change(t)
		if err != nil {
			return err
		}
		out = l
		return store.tellChange(t, a, l, events)
	})
	return sqldb.OrZero(out, err)
}

// tellChange appends the events of a changed ledger to the log, and tells who is addressed in it.
func (store *Store) tellChange(t *sqldb.Tx, a access.Actor, l *ledger.Ledger, events []auditlog.Event) error {
	if err := store.address(t, a.Tenant, l.Session, events); err != nil {
		return err
	}
	if err := store.tellMentioned(t, a, l.Session); err != nil {
		return err
	}
	return store.AppendEvents(t, a, events)
}

// update changes a session's rows and returns the events to log.
func (store *Store) update(t *sqldb.Tx, tenant, id string, ev auditlog.Event,
	apply func(*sessionRow, *ledger.Session) (*ledger.Ledger, *receipts.Receipt, error)) (*ledger.Ledger,
	[]auditlog.Event, error) {
	if err := store.Unanswered(t, tenant, &receipts.Receipt{Key: ev.ReceiptKey}); err != nil {
		return nil, nil, err
	}
	h, old, err := LoadSession(t, tenant, id)
	if err != nil {
		return nil, nil, err
	}
	u := h.updater(t, tenant, old)
	l, receipt, err := apply(h, &h.Session)
	if err != nil {
		return nil, nil, sqldb.AsIs(err)
	}
	if err := u.save(l); err != nil {
		return nil, nil, err
	}
	return l, append(u.reopened(h), u.events(ev, l)...), store.KeepReceipt(t, tenant, receipt, store.Now())
}

// updater saves what apply changed of one session.
type updater struct {
	t          *sqldb.Tx
	tenant     string
	no         int
	firstClaim int
	revision   int                  // before the change
	old        []derived            // of the loaded claims, before the change
	counts     counts               // before the change
	overview   ledger.Overview      // before the change
	shown      int                  // the revision before the change, for somebody who wrote no review
	judges     func(i int) judgedBy // returns who judged the i-th claim before the change; nil if that is unchanged

	appended []appended // reviews in the order of their claims
	closed   bool       // it was closed before the change; from save on, it stays so
	unseen   bool       // nobody but the authors of sealed reviews sees a change (rule L-35)
}

// updater returns the updater of a loaded session, before anything is changed.
func (h *sessionRow) updater(t *sqldb.Tx, tenant string, old []derived) updater {
	return updater{
		t: t, tenant: tenant, no: h.no, firstClaim: h.firstClaim, revision: h.Session.Revision, old: old,
		counts: countsOf(&h.Overview.Summary), overview: h.Overview, shown: h.Session.RevisionFor(""),
		closed: h.state == ledger.Closed,
	}
}

// reopened returns the event to log if saving the change has reopened the session.
func (u *updater) reopened(h *sessionRow) []auditlog.Event {
	if u.unseen || u.closed {
		return nil
	}
	return h.reopened("changed")
}

// after returns the derived values of the i-th claim after the change. Sealed reviews change nothing but the number of
// reviews: not even flags that a new setting of freshness would raise.
func (u *updater) after(i int, e *ledger.Entry) derived {
	if !u.unseen {
		return DerivedOf(e)
	}
	out := u.old[i]
	out.revision = len(e.Claim.Reviews)
	return out
}

// appended is a saved review and its claim.
type appended struct {
	claim  *ledger.Claim
	review *ledger.Review
	n      int // its place among those of the claim
}

// events returns the events of the change: ev or, if it is about reviews, one event for each of them.
func (u *updater) events(ev auditlog.Event, l *ledger.Ledger) []auditlog.Event {
	if ev.Action != auditlog.ClaimReviewedAction || len(u.appended) == 0 {
		return []auditlog.Event{ev}
	}
	out := make([]auditlog.Event, len(u.appended))
	for i, x := range u.appended {
		out[i] = auditlog.SessionEvent(auditlog.ClaimReviewedAction, l.Session.ID,
			auditlog.ReviewDetails(x.claim.Number(), x.review, l.Session.Revision))
		out[i].Review = &auditlog.RowOf{Claim: x.claim.Position, N: x.n}
	}
	return out
}

func (u *updater) save(l *ledger.Ledger) error {
	if l.Session.Revision <= u.revision || len(l.Entries) != len(u.old) {
		return errors.New("the change did not grow the revision, or changed the number of claims")
	}
	u.unseen = l.Session.RevisionFor("") == u.shown
	u.closed = u.closed && u.talks(l)
	if err := u.head(l); err != nil {
		return err
	}
	if err := u.touch(l); err != nil {
		return err
	}
	reviews, compared := newReviews(u.t), tally{}
	for i := range l.Entries {
		e := &l.Entries[i]
		now, by := u.after(i, e), judgeOf(&l.Session.Run, e.Claim)
		compared.add(&now, by, 1)
		if u.judges != nil {
			by = u.judges(i)
		}
		compared.add(&u.old[i], by, -1)
		if now == u.old[i] {
			continue
		}
		if now.revision < u.old[i].revision {
			return errors.New("the change took reviews away")
		}
		if err := addReviews(reviews, u.tenant, u.no, e.Claim, u.old[i].revision); err != nil {
			return err
		}
		for n := u.old[i].revision; n < len(e.Claim.Reviews); n++ {
			u.appended = append(u.appended, appended{e.Claim, &e.Claim.Reviews[n], n})
		}
		values := now.values()
		_, err := u.t.Exec("UPDATE claims SET ("+derivedColumns+") = ("+sqldb.Placeholders(len(values))+
			") WHERE no = ? AND tenant_id = ? AND session_no = ?",
			append(values, u.firstClaim+e.Claim.Position, u.tenant, u.no)...)
		if err != nil {
			return err
		}
	}
	if err := errors.Join(reviews.Flush(), compared.save(u.t, u.tenant, l.Session.CreatedAt)); err != nil {
		return err
	}
	if err := u.find(); err != nil {
		return err
	}
	return count(u.t, u.tenant, l.Session.CreatedAt, countsOf(&l.Summary).minus(u.counts))
}

// talks reports whether the change is nothing but replies in threads, resolutions and reopenings of them: those leave a
// closed session closed (rule N-6).
func (u *updater) talks(l *ledger.Ledger) bool {
	n := 0
	for i := range l.Entries {
		for _, r := range l.Entries[i].Claim.Reviews[u.old[i].revision:] {
			if r.Thread == 0 {
				return false
			}
			n++
		}
	}
	return n > 0 && u.judges == nil
}

// touch says which claims are about to change.
func (u *updater) touch(l *ledger.Ledger) error {
	var claims, reviewed []int
	for i := range l.Entries {
		e := &l.Entries[i]
		if u.after(i, e) == u.old[i] {
			continue
		}
		claims = append(claims, e.Claim.Position)
		if len(e.Claim.Reviews) > u.old[i].revision {
			reviewed = append(reviewed, e.Claim.Position)
		}
	}
	if len(claims) == 0 {
		return nil
	}
	if err := auditlog.Touch(u.t, u.no, "claims", claims...); err != nil || len(reviewed) == 0 {
		return err
	}
	return auditlog.Touch(u.t, u.no, "reviews", reviewed...)
}

// head updates the session's own row if it still has the loaded revision. As the write lock is held, it always has; the
// check is a safeguard.
func (u *updater) head(l *ledger.Ledger) error {
	columns, args, err := u.headColumns(l)
	if err != nil {
		return err
	}
	if err := auditlog.Touch(u.t, u.no, "session"); err != nil {
		return err
	}
	n, err := u.t.Exec("UPDATE sessions SET ("+columns+") = ("+sqldb.Placeholders(len(args))+
		") WHERE tenant_id = ? AND no = ? AND revision = ?",
		append(args, u.tenant, u.no, u.revision)...)
	changed := domain.Refuse(domain.Conflict, "", "refused_session_changed_meanwhile")
	return sqldb.RefuseUnlessOne(n, err, fmt.Errorf("revision %d: %w", u.revision, changed))
}

// headColumns returns the columns of the session's own row that the change sets, and their values.
func (u *updater) headColumns(l *ledger.Ledger) (columns string, args []any, err error) {
	if !u.unseen {
		state := l.Summary.State()
		if u.closed {
			state = ledger.Closed
		}
		args, err = sessionArgs(l, state)
		return sessionColumns, args, err
	}
	o := u.overview
	o.Sealed = l.Sealed
	overview, err := sqldb.JSONText(o)
	return "revision, overview", []any{l.Session.Revision, overview}, err
}
