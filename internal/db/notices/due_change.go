package notices

import (
	"context"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
)

// DueChange is a change of a due date.
type DueChange struct {
	Object string // notify.Session or notify.Pack
	ID     string
	Day    string // as due.Parse returns it, "" to remove the date

	Check func(revision int) error // refuses a change of another revision than the caller read
	May   func(*DueNow) error      // whether the caller may change what is there now; asked if the day is another

	Key     string                                     // the Idempotency-Key, "" if none
	Receipt func(*due.Date) (*receipts.Receipt, error) // makes the answer that is stored under Key; nil for none
}

// DueNow is a due date with what decides who may change it.
type DueNow struct {
	due.Date
	Seats ledger.Seats // of a session
}

// Due returns the due date of a session or pack, the zero value if it has none. NotFound for another tenant's.
func (store *Store) Due(ctx context.Context, tenant, object, id string) (d due.Date, err error) {
	err = store.Read(ctx, "Due", func(t *sqldb.Tx) error {
		now, err := dueNow(t, tenant, object, id)
		d = now.Date
		return err
	})
	return d, err
}

// SetDue sets, changes or removes the due date of a session or pack, and logs it. The day ends in the tenant's zone.
// A change to the same day does nothing. Conflict if there is nothing left to do by then.
func (store *Store) SetDue(ctx context.Context, a access.Actor, c *DueChange) (d due.Date, err error) {
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "SetDue", func(t *sqldb.Tx) error {
		if err := store.Unanswered(t, a.Tenant, &receipts.Receipt{Key: c.Key}); err != nil {
			return err
		}
		now, err := dueNow(t, a.Tenant, c.Object, c.ID)
		if err != nil {
			return err
		}
		if err := c.Check(now.Revision); err != nil {
			return sqldb.AsIs(err)
		}
		if d = now.Date; d.Day != c.Day {
			if err := c.May(&now); err != nil {
				return sqldb.AsIs(err)
			}
			if d, err = store.changeDue(t, a, c, &now.Date); err != nil {
				return err
			}
		}
		if c.Receipt == nil {
			return nil
		}
		r, err := c.Receipt(&d)
		if err != nil {
			return err
		}
		return store.KeepReceipt(t, a.Tenant, r, store.Now())
	})
	return d, err
}

// changeDue stores another day, or none.
func (store *Store) changeDue(t *sqldb.Tx, a access.Actor, c *DueChange, was *due.Date) (due.Date, error) {
	d, tell := due.Date{}, ""
	if c.Day != "" {
		if !was.Open {
			return d, errNothingDue()
		}
		zone, err := tenantZone(t, a.Tenant)
		if err != nil {
			return d, err
		}
		if d, err = due.On(c.Day, zone, store.Now()); err != nil {
			return d, sqldb.AsIs(err)
		}
		tell = sqldb.Stamp(d.FirstTold())
	}
	d.Open, d.Revision, d.SetBy, d.SetName, d.SetAt = was.Open, was.Revision+1, a.ID, a.User, store.Now().UTC()
	late := ""
	if d.Day != "" {
		late = sqldb.Stamp(d.LateAt)
	}
	_, err := t.Exec(`INSERT INTO due_dates (tenant_id, object_kind, object_id, revision, day, zone, late_at, tell_at, told,
		open, set_by, set_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?)
		ON CONFLICT (tenant_id, object_kind, object_id) DO UPDATE SET (revision, day, zone, late_at, tell_at, told, open,
		set_by, set_at) = (excluded.revision, excluded.day, excluded.zone, excluded.late_at, excluded.tell_at, '',
		excluded.open, excluded.set_by, excluded.set_at)`,
		a.Tenant, c.Object, c.ID, d.Revision, d.Day, d.Zone, late, tell, d.Open, d.SetBy, sqldb.Stamp(d.SetAt))
	if err != nil {
		return d, err
	}
	auditlog.Record(t, a.Tenant, auditlog.Wrote("due_dates", []any{c.Object, c.ID}))
	if err := store.Settled(t, a.Tenant, notify.Due, c.Object, c.ID, ""); err != nil {
		return d, err
	}
	return d, store.AppendEvent(t, a, dueEvent(c, &d, was))
}

// dueActions are the events of a date that is set and of one that is removed.
var dueActions = map[string][2]string{
	notify.Session: {"session.due_set", "session.due_removed"},
	notify.Pack:    {"pack.due_set", "pack.due_removed"},
}

// dueEvent returns the event of a change.
func dueEvent(c *DueChange, d, was *due.Date) auditlog.Event {
	action, details := dueActions[c.Object][0], map[string]any{"due_on": d.Day, "time_zone": d.Zone}
	if d.Day == "" {
		action, details = dueActions[c.Object][1], map[string]any{}
	}
	if was.Day != "" {
		details["was"] = was.Day
	}
	if c.Object == notify.Session {
		return auditlog.SessionEvent(action, c.ID, details)
	}
	return auditlog.Event{Action: action, Kind: "pack", ObjectID: c.ID, Details: details}
}

func errNothingDue() error {
	return domain.Refuse(domain.Conflict, "", "refused_due_done")
}

// tenantZone returns the time zone in which a tenant's days end.
func tenantZone(t *sqldb.Tx, tenant string) (*time.Location, error) {
	name := ""
	if err := t.Row("SELECT time_zone FROM tenants WHERE id = ?", []any{tenant}, &name); err != nil {
		return nil, err
	}
	return due.Zone(name)
}

// dueNow reads the due date of a session or pack; NotFound if there is no such object.
func dueNow(t *sqldb.Tx, tenant, object, id string) (d DueNow, err error) {
	query := "SELECT first_reviewer, second_reviewer, status = 'open' FROM sessions WHERE tenant_id = ? AND id = ?"
	if object == notify.Pack {
		query = `SELECT '', '', state IN ('draft', 'in_review', 'returned') FROM evidence_packs
			WHERE tenant_id = ? AND pack_id = ?`
	}
	if d.Date, err = reads.DueDate(t, tenant, object, id); err != nil {
		return d, err
	}
	return d, t.Row(query, []any{tenant, id}, &d.Seats[0].ID, &d.Seats[1].ID, &d.Open)
}
