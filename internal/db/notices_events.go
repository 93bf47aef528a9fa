package db

import (
	"strconv"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/pack"
)

// tellAssigned tells whoever got a seat, and takes back what was told to whoever lost one.
func (s *Store) tellAssigned(t *sqldb.Tx, a domain.Actor, session *ledger.Session, was ledger.Seats) error {
	for _, seat := range was {
		if seat.ID == "" || session.Seats.Holds(seat.ID) {
			continue
		}
		if err := s.settled(t, a.Tenant, notify.Assigned, notify.Session, session.ID, seat.ID); err != nil {
			return err
		}
	}
	for _, seat := range session.Seats {
		if was.Holds(seat.ID) {
			continue
		}
		err := s.notify(t, a.Tenant, &notice{to: seat.ID, by: a.ID, kind: notify.Assigned, object: notify.Session,
			id: session.ID, key: "assigned/" + session.ID + "/" + strconv.Itoa(session.Revision)})
		if err != nil {
			return err
		}
	}
	return nil
}

// tellSigners tells those who may approve a pack that it waits for them.
func (s *Store) tellSigners(t *sqldb.Tx, a domain.Actor, v *PackView) error {
	people, err := s.mayApprove(t, a.Tenant, v)
	if err != nil {
		return err
	}
	for _, id := range people {
		err := s.notify(t, a.Tenant, &notice{to: id, by: a.ID, kind: notify.ToSign, object: notify.Pack,
			id: v.Life.PackID, key: "to_sign/" + v.Life.PackID})
		if err != nil {
			return err
		}
	}
	return nil
}

// mayApprove returns the ids of the members who may approve a pack in review now.
func (s *Store) mayApprove(t *sqldb.Tx, tenant string, v *PackView) (ids []string, err error) {
	people, err := sqldb.Collect(t, `SELECT m.user_id, m.role FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.tenant_id = ? AND m.disabled_at = '' AND u.disabled_at = '' ORDER BY u.login`, []any{tenant},
		func(r sqldb.Scanner, p *domain.Actor) error { return r.Scan(&p.ID, &p.Role) })
	for _, p := range people {
		p.Tenant, p.Human = tenant, true
		if p.Role.AtLeast(access.Least(access.DecidePack)) && v.Content.MayApprove(v.Chain, p, s.Now()) == nil {
			ids = append(ids, p.ID)
		}
	}
	return ids, err
}

// tellApproved takes back from the approver, and once the pack is signed from everybody, that it waits for them.
func (s *Store) tellApproved(t *sqldb.Tx, a domain.Actor, v *PackView) error {
	who := a.ID
	if v.Life.State == pack.SignedOff {
		who = ""
	}
	return s.settled(t, a.Tenant, notify.ToSign, notify.Pack, v.Life.PackID, who)
}

// tellReturned tells those who made or edited a pack that it was returned, which then waits for nobody's approval.
func (s *Store) tellReturned(t *sqldb.Tx, a domain.Actor, v *PackView) error {
	if err := s.settled(t, a.Tenant, notify.ToSign, notify.Pack, v.Life.PackID, ""); err != nil {
		return err
	}
	for _, maker := range v.Life.Authors {
		err := s.notify(t, a.Tenant, &notice{to: maker, by: a.ID, kind: notify.Returned, object: notify.Pack,
			id: v.Life.PackID, key: "returned/" + v.Life.PackID})
		if err != nil {
			return err
		}
	}
	return nil
}
