package packs

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"sanad/internal/db/reads"
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
// everybody, that it waits for them. The person is told that somebody approved for them.
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
	f := v.Life.Approvals[len(v.Life.Approvals)-1].For
	if f == nil {
		return nil
	}
	return store.Needs.Notices.Notify(t, a.Tenant, &notify.Message{To: f.Actor, By: a.ID, Kind: notify.Deputy,
		ObjectKind: notify.Pack, ObjectID: v.Life.PackID, Key: "deputy_signed/" + v.Life.PackID})
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

// DeputyNamed tells a deputy that they are or will be one, and how many packs wait already; and the person whose deputy
// they are, unless that person named them.
func (store *Store) DeputyNamed(t *sqldb.Tx, by access.Actor, d *access.Deputy) error {
	err := store.tellDeputy(t, by.Tenant, d, &notify.Message{To: d.For.ID, By: by.ID, Place: notify.DeputyGiven}, 0)
	if err != nil {
		return err
	}
	if d.Starts.After(store.Now()) {
		return store.tellDeputy(t, by.Tenant, d, &notify.Message{To: d.By.ID, By: by.ID, Place: notify.DeputyNamed}, 0)
	}
	return store.tellBegun(t, by.Tenant, by.ID, d)
}

// DeputyEnded tells a deputy that they no longer are one, and the person how many packs that were submitted meanwhile
// wait for them; neither is told of what they did themselves alone.
func (store *Store) DeputyEnded(t *sqldb.Tx, by access.Actor, d *access.Deputy) error {
	if err := store.tellOver(t, by.Tenant, by.ID, d); err != nil {
		return err
	}
	over := notify.DeputyOver
	if d.Starts.After(store.Now()) {
		over = notify.DeputyCancelled
	}
	return store.tellDeputy(t, by.Tenant, d, &notify.Message{To: d.By.ID, By: by.ID, Place: over}, 0)
}

// tellBegun tells a deputy that their time has begun, and how many packs wait that both may approve.
func (store *Store) tellBegun(t *sqldb.Tx, tenant, by string, d *access.Deputy) error {
	n, err := countWaiting(t, tenant, time.Time{}, d.For.ID, d.By.ID)
	if err != nil {
		return err
	}
	return store.tellDeputy(t, tenant, d, &notify.Message{To: d.By.ID, By: by, Place: notify.DeputyBegun}, n)
}

// tellOver tells a person that their deputy's time is over, or will not begin. What was said of it before counts as
// read.
func (store *Store) tellOver(t *sqldb.Tx, tenant, by string, d *access.Deputy) error {
	err := store.Needs.Notices.Settled(t, tenant, notify.Deputy, notify.Deputies, d.ID, "")
	if err != nil {
		return err
	}
	if d.Starts.After(store.Now()) {
		m := &notify.Message{To: d.For.ID, By: by, Place: notify.DeputyCancelledFor}
		return store.tellDeputy(t, tenant, d, m, 0)
	}
	n, err := countWaiting(t, tenant, d.Starts, d.For.ID)
	if err != nil {
		return err
	}
	if n > 0 {
		by = "" // they are told of the packs
	}
	return store.tellDeputy(t, tenant, d, &notify.Message{To: d.For.ID, By: by, Place: notify.DeputyBack}, n)
}

func (store *Store) tellDeputy(t *sqldb.Tx, tenant string, d *access.Deputy, m *notify.Message, packs int) error {
	m.Kind, m.ObjectKind, m.ObjectID, m.Key = notify.Deputy, notify.Deputies, d.ID, deputyKey(d, m.Place)
	if packs > 0 {
		m.Place += "/" + strconv.Itoa(packs)
	}
	return store.Needs.Notices.Notify(t, tenant, m)
}

func deputyKey(d *access.Deputy, what string) string { return "deputy/" + d.ID + "/" + what }

// countWaiting counts the packs in review that each of some people may approve and that were submitted since a time;
// none where two of them count as one person (rule P-22).
func countWaiting(t *sqldb.Tx, tenant string, since time.Time, people ...string) (n int, err error) {
	all, err := reads.Made(t, tenant)
	if err != nil {
		return 0, err
	}
	makers, where, args := access.MakersOf(all), "p.submitted_at >= ?", []any{sqldb.Stamp(since)}
	for i, id := range people {
		if slices.ContainsFunc(people[:i], func(other string) bool { return makers.OnePerson(other, id) }) {
			return 0, nil
		}
		same, err := sqldb.JSONText(makers.With(id))
		if err != nil {
			return 0, err
		}
		where, args = where+" AND "+packsToDecide, append(args, tenant, same, same, same, same, same)
	}
	err = t.Row("SELECT count(*) FROM evidence_packs p WHERE "+where, args, &n)
	return n, err
}
