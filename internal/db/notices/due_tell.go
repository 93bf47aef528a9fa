package notices

import (
	"context"
	"errors"
	"strconv"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/due"
	"sanad/internal/domain/notify"
)

// dueBatch is how many due dates TellDue looks at in one go.
const dueBatch = 200

// untoldDue is a due date of which people are to be told.
type untoldDue struct{ tenant, object, id string }

// TellDue tells people what is due tomorrow and what is late, of all tenants. What is told of a date is stored in the
// transaction that tells it, so each is told once, whenever a worker dies. It returns how many dates it told of. One
// that cannot be told now does not keep the others waiting; the next call tries it again.
func (store *Store) TellDue(ctx context.Context) (told int, err error) {
	var failed error
	for {
		var list []untoldDue
		err := store.Read(ctx, "TellDue", func(t *sqldb.Tx) (err error) {
			list, err = sqldb.Collect(t, `SELECT tenant_id, object_kind, object_id FROM due_dates
				WHERE open = 1 AND tell_at <> '' AND tell_at <= ? ORDER BY tell_at, tenant_id, object_kind, object_id LIMIT ?`, []any{sqldb.Stamp(store.Now()), dueBatch},
				func(r sqldb.Scanner, u *untoldDue) error { return r.Scan(&u.tenant, &u.object, &u.id) })
			return err
		})
		if err != nil {
			return told, errors.Join(failed, err)
		}
		for _, u := range list {
			if err := store.Write(ctx, sqldb.OfTenant(u.tenant), "TellDue",
				func(t *sqldb.Tx) error { return store.tellDue(t, &u) }); err != nil {
				failed = errors.Join(failed, err)
				continue
			}
			told++
		}
		if len(list) < dueBatch || failed != nil {
			return told, failed
		}
	}
}

// tellDue tells of one due date, if that is still to be done.
func (store *Store) tellDue(t *sqldb.Tx, u *untoldDue) error {
	var d due.Date
	var told due.Told
	var at string
	err := t.Row(`SELECT revision, day, zone, late_at, set_by, told, tell_at FROM due_dates
		WHERE tenant_id = ? AND object_kind = ? AND object_id = ? AND open = 1`, []any{u.tenant, u.object, u.id},
		&d.Revision, &d.Day, &d.Zone, sqldb.TimeOrNoneInto(&d.LateAt), &d.SetBy, &told, &at)
	if sqldb.NoRow(err) || err == nil && (at == "" || at > sqldb.Stamp(store.Now())) {
		return nil
	}
	if err != nil {
		return err
	}
	what, next := d.Tell(told, store.Now())
	if what != due.ToldNothing {
		told = what
		if err := store.tellOfDue(t, u, &d, what); err != nil {
			return err
		}
	}
	when := ""
	if !next.IsZero() {
		when = sqldb.Stamp(next)
	}
	_, err = t.Exec("UPDATE due_dates SET told = ?, tell_at = ? WHERE tenant_id = ? AND object_kind = ? AND object_id = ?",
		string(told), when, u.tenant, u.object, u.id)
	return err
}

// tellOfDue tells those who are to do what is due. What they were told of it before is marked as read.
func (store *Store) tellOfDue(t *sqldb.Tx, u *untoldDue, d *due.Date, what due.Told) error {
	people, err := store.dueFor(t, u, d)
	if err != nil {
		return err
	}
	if err := store.Settled(t, u.tenant, notify.Due, u.object, u.id, ""); err != nil {
		return err
	}
	for _, id := range people {
		err := store.Notify(t, u.tenant, &notify.Message{To: id, Kind: notify.Due, ObjectKind: u.object, ObjectID: u.id,
			Place: string(what),
			Key:   "due/" + u.object + "/" + u.id + "/" + strconv.Itoa(d.Revision) + "/" + string(what)})
		if err != nil {
			return err
		}
	}
	return nil
}

// dueFor returns the ids of those who are to do what is due: the reviewers of a session, or who set the date if it has
// none; the approvers of a pack in review, or those who made or edited a draft or returned pack.
func (store *Store) dueFor(t *sqldb.Tx, u *untoldDue, d *due.Date) (ids []string, err error) {
	if u.object == notify.Session {
		now, err := dueNow(t, u.tenant, u.object, u.id)
		for _, seat := range now.Seats {
			if seat.ID != "" {
				ids = append(ids, seat.ID)
			}
		}
		if ids == nil {
			ids = []string{d.SetBy}
		}
		return ids, err
	}
	return store.Needs.Packs.DueFor(t, u.tenant, u.id)
}
