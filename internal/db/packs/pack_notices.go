package packs

import (
	"errors"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/pack"
)

// tellSigners tells those for whom a pack waits.
func (store *Store) tellSigners(t *sqldb.Tx, a access.Actor, v *PackView) error {
	waits, err := store.waits(t, a.Tenant, v)
	if err != nil {
		return err
	}
	for _, id := range waits.IDs() {
		err := store.Needs.Notices.Notify(t, a.Tenant,
			&notify.Message{To: id, By: a.ID, Kind: notify.ToSign, ObjectKind: notify.Pack,
				ObjectID: v.Life.PackID, Key: "to_sign/" + v.Life.PackID})
		if err != nil {
			return err
		}
	}
	return nil
}

// tellApproved takes back from the approver, from the person for whom they approved, and once the pack is signed from
// everybody, that it waits for them.
func (store *Store) tellApproved(t *sqldb.Tx, a access.Actor, v *PackView) error {
	who := []string{""}
	if l := v.Life; l.State != pack.SignedOff {
		if who[0] = a.ID; l.Approvals[len(l.Approvals)-1].For != nil {
			who = append(who, l.Approvals[len(l.Approvals)-1].For.Actor)
		}
	}
	for _, id := range who {
		if err := store.settleWaiting(t, a.Tenant, v.Life.PackID, id); err != nil {
			return err
		}
	}
	return nil
}

// settleWaiting takes back from somebody, from everybody for "", that a pack waits for their approval.
func (store *Store) settleWaiting(t *sqldb.Tx, tenant, packID, user string) error {
	return errors.Join(store.Needs.Notices.Settled(t, tenant, notify.ToSign, notify.Pack, packID, user),
		store.Needs.Notices.Settled(t, tenant, notify.Waits, notify.Pack, packID, user))
}

// tellReturned tells those who made or edited a pack that it was returned, which then waits for nobody's approval.
func (store *Store) tellReturned(t *sqldb.Tx, a access.Actor, v *PackView) error {
	if err := store.settleWaiting(t, a.Tenant, v.Life.PackID, ""); err != nil {
		return err
	}
	for _, maker := range v.Life.Authors {
		err := store.Needs.Notices.Notify(t, a.Tenant,
			&notify.Message{To: maker, By: a.ID, Kind: notify.Returned, ObjectKind: notify.Pack,
				ObjectID: v.Life.PackID, Key: "returned/" + v.Life.PackID})
		if err != nil {
			return err
		}
	}
	return nil
}

// DueFor returns the ids of those who are to do what is due of a pack: the approvers of one in review, or those who
// made or edited a draft or returned one.
func (store *Store) DueFor(t *sqldb.Tx, tenant, packID string) ([]string, error) {
	p, err := store.loadPack(t, tenant, packID)
	if err != nil {
		return nil, err
	}
	if p.view.Life.State == pack.InReview {
		waits, err := store.waits(t, tenant, p.view)
		return waits.IDs(), err
	}
	return p.view.Life.Authors, nil
}
