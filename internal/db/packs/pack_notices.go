package packs

import (
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/pack"
)

// tellSigners tells those who may approve a pack that it waits for them.
func (store *Store) tellSigners(t *sqldb.Tx, a access.Actor, v *PackView) error {
	people, err := store.mayApprove(t, a.Tenant, v)
	if err != nil {
		return err
	}
	for _, id := range people {
		err := store.Needs.Notices.Notify(t, a.Tenant,
			&notify.Message{To: id, By: a.ID, Kind: notify.ToSign, ObjectKind: notify.Pack,
				ObjectID: v.Life.PackID, Key: "to_sign/" + v.Life.PackID})
		if err != nil {
			return err
		}
	}
	return nil
}

// mayApprove returns the ids of the members who may approve a pack in review now.
func (store *Store) mayApprove(t *sqldb.Tx, tenant string, v *PackView) (ids []string, err error) {
	people, err := sqldb.Collect(t, `SELECT m.user_id, m.role FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.tenant_id = ? AND m.disabled_at = '' AND u.disabled_at = '' ORDER BY u.login`, []any{tenant},
		func(r sqldb.Scanner, p *access.Actor) error { return r.Scan(&p.ID, &p.Role) })
	for _, p := range people {
		p.Tenant, p.Human = tenant, true
		if p.Role.May(access.DecidePack) && v.Content.MayApprove(v.Chain, p, store.Now()) == nil {
			ids = append(ids, p.ID)
		}
	}
	return ids, err
}

// tellApproved takes back from the approver, and once the pack is signed from everybody, that it waits for them.
func (store *Store) tellApproved(t *sqldb.Tx, a access.Actor, v *PackView) error {
	who := a.ID
	if v.Life.State == pack.SignedOff {
		who = ""
	}
	return store.Needs.Notices.Settled(t, a.Tenant, notify.ToSign, notify.Pack, v.Life.PackID, who)
}

// tellReturned tells those who made or edited a pack that it was returned, which then waits for nobody's approval.
func (store *Store) tellReturned(t *sqldb.Tx, a access.Actor, v *PackView) error {
	if err := store.Needs.Notices.Settled(t, a.Tenant, notify.ToSign, notify.Pack, v.Life.PackID, ""); err != nil {
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
		return store.mayApprove(t, tenant, p.view)
	}
	return p.view.Life.Authors, nil
}
