package sessions

import (
	"strconv"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
)

// tellAssigned tells whoever got a seat, and takes back what was told to whoever lost one.
func (s *Store) tellAssigned(t *sqldb.Tx, a domain.Actor, session *ledger.Session, was ledger.Seats) error {
	for _, seat := range was {
		if seat.ID == "" || session.Seats.Holds(seat.ID) {
			continue
		}
		if err := s.Needs.Notices.Settled(t, a.Tenant, notify.Assigned, notify.Session, session.ID, seat.ID); err != nil {
			return err
		}
	}
	for _, seat := range session.Seats {
		if was.Holds(seat.ID) {
			continue
		}
		err := s.Needs.Notices.Notify(t, a.Tenant, &notify.Message{To: seat.ID, By: a.ID, Kind: notify.Assigned, ObjectKind: notify.Session,
			ObjectID: session.ID, Key: "assigned/" + session.ID + "/" + strconv.Itoa(session.Revision)})
		if err != nil {
			return err
		}
	}
	return nil
}
