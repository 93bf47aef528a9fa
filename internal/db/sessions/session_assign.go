package sessions

import (
	"context"
	"strconv"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
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

// Reassign changes with apply (ledger.Session.SetReviewers) who reviews a session, and how, and logs the result.
func (store *Store) Reassign(ctx context.Context, a access.Actor, id string,
	apply func(*ledger.Session) (*ledger.Ledger, error)) (*ledger.Ledger, error) {
	return store.changeLedger(ctx, "Reassign", a, func(t *sqldb.Tx) (*ledger.Ledger, []auditlog.Event, error) {
		var was ledger.Seats
		l, events, err := store.update(t, a.Tenant, id, auditlog.Event{},
			func(_ *sessionRow, session *ledger.Session) (*ledger.Ledger, *receipts.Receipt, error) {
				was = session.Seats
				l, err := apply(session)
				return l, nil, err
			})
		if err != nil {
			return nil, nil, err
		}
		events[len(events)-1] = SessionAssigned(l.Session)
		return l, events, store.tellAssigned(t, a, l.Session, was)
	})
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
