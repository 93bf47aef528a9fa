package people

import (
	"context"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
)

// DeputyDays are the days for which somebody is to have a deputy, the last one included.
type DeputyDays struct {
	For, By     string // ids
	From, Until string // 2026-11-30; no first day means today
}

// Deputies lists the deputies of a tenant whose time is not over.
func (store *Store) Deputies(ctx context.Context, tenant string) (out []access.Deputy, err error) {
	err = store.Read(ctx, "Deputies", func(t *sqldb.Tx) error {
		out, err = reads.Deputies(t, tenant, store.Now())
		return err
	})
	return out, err
}

// SetDeputy names a deputy, and logs it (rule P-31). Somebody else's is named by an administrator, which waits for a
// second one where the tenant demands it (an *AskedError).
func (store *Store) SetDeputy(ctx context.Context, by access.Actor, in DeputyDays) (d access.Deputy, err error) {
	if !by.Human {
		return d, domain.Refuse(domain.Denied, "", "refused_deputy_person")
	}
	c := &access.Change{Kind: access.NameDeputy, Object: in.For}
	name := func(t *sqldb.Tx) error {
		if d, err = store.newDeputy(t, by, in); err != nil {
			return err
		}
		c.Name, c.Deputy = d.For.Name, &access.DeputyChange{ID: d.By.ID, Name: d.By.Name, Starts: d.Starts, Ends: d.Ends,
			Zone: d.Zone}
		return store.putDeputy(t, by, &d)
	}
	if in.For == by.ID {
		err = store.Write(ctx, sqldb.OfTenant(by.Tenant), "SetDeputy", name)
	} else {
		err = store.Change(ctx, "SetDeputy", by, c, name)
	}
	return sqldb.OrZero(d, err)
}

// carryDeputy names the deputy of a change that a second administrator has confirmed. It begins no earlier than now.
func (store *Store) carryDeputy(t *sqldb.Tx, by access.Actor, c *access.Change) error {
	d := access.Deputy{Starts: c.Deputy.Starts, Ends: c.Deputy.Ends, Zone: c.Deputy.Zone}
	if d.Starts.Before(store.Now()) {
		d.Starts = store.Now().UTC().Truncate(time.Second)
	}
	if err := namedPeople(t, by.Tenant, c.Object, c.Deputy.ID, &d); err != nil {
		return err
	}
	return store.putDeputy(t, by, &d)
}

// newDeputy reads who is meant, and from when until when. A day that is today begins now.
func (store *Store) newDeputy(t *sqldb.Tx, by access.Actor, in DeputyDays) (d access.Deputy, err error) {
	if err := namedPeople(t, by.Tenant, in.For, in.By, &d); err != nil {
		return d, err
	}
	name := ""
	if err := t.Row("SELECT time_zone FROM tenants WHERE id = ?", []any{by.Tenant}, &name); err != nil {
		return d, err
	}
	zone, err := due.Zone(name)
	if err != nil {
		return d, err
	}
	d.Zone = due.ZoneName(zone)
	d.Starts, d.Ends, err = access.DeputyTime(in.From, in.Until, zone, store.Now())
	return d, sqldb.AsIs(err)
}

// namedPeople reads the two: NotFound if the first is no member, a refusal if the other is not one.
func namedPeople(t *sqldb.Tx, tenant, person, deputy string, d *access.Deputy) (err error) {
	if d.For, err = reads.Member(t, tenant, person); err != nil {
		return err
	}
	d.By, err = reads.Member(t, tenant, deputy)
	if sqldb.NoRow(err) {
		err = domain.Refuse(domain.Invalid, "deputy", "refused_deputy_role")
	}
	return err
}

// putDeputy stores a deputy, if the rules allow it now.
func (store *Store) putDeputy(t *sqldb.Tx, by access.Actor, d *access.Deputy) error {
	now := store.Now()
	others, err := reads.Deputies(t, by.Tenant, now)
	if err != nil {
		return err
	}
	made, err := reads.Made(t, by.Tenant)
	if err != nil {
		return err
	}
	d.ID, d.SetBy, d.SetName, d.SetAt = store.NewID(), by.ID, by.User, now.UTC()
	if err := d.Check(now, others, access.MakersOf(made)); err != nil {
		return sqldb.AsIs(err)
	}
	log, err := store.Grow(t, by.Tenant)
	if err != nil {
		return err
	}
	d.LogIndex = log.Tree.Size()
	_, err = t.Exec(`INSERT INTO deputies (tenant_id, id, user_id, deputy_id, starts_at, ends_at, zone, set_by, set_at,
		log_index, ended_at, ended_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', '')`, by.Tenant, d.ID, d.For.ID, d.By.ID,
		sqldb.Stamp(d.Starts), sqldb.Stamp(d.Ends), d.Zone, d.SetBy, sqldb.Stamp(d.SetAt), d.LogIndex)
	if err != nil {
		return err
	}
	auditlog.Record(t, by.Tenant, auditlog.Wrote("deputies", []any{d.ID}))
	if err := store.Needs.Deputies.DeputyNamed(t, by, d); err != nil {
		return err
	}
	return store.AppendEvent(t, by, userEvent("user.deputy_set", d.For.ID, map[string]any{"deputy": d.By.ID,
		"delegation": d.ID, "from": d.Starts.Format(time.RFC3339), "until": d.Ends.Format(time.RFC3339)}))
}

// EndDeputy ends a deputy's time, and logs it: the person who is away, the deputy, or an administrator. NotFound for
// anybody else; Conflict if it is over.
func (store *Store) EndDeputy(ctx context.Context, by access.Actor, id string) (d access.Deputy, err error) {
	if !by.Human {
		return d, domain.Refuse(domain.Denied, "", "refused_deputy_person")
	}
	err = store.Write(ctx, sqldb.OfTenant(by.Tenant), "EndDeputy", func(t *sqldb.Tx) error {
		if d, err = reads.Deputy(t, by.Tenant, id); err != nil {
			return err
		}
		if by.ID != d.For.ID && by.ID != d.By.ID && !by.Role.May(access.ManageUsers) {
			return sqldb.NotFound()
		}
		if !d.Open(store.Now()) {
			return domain.Refuse(domain.Conflict, "", "refused_deputy_past")
		}
		d.EndedAt, d.EndedBy = store.Now().UTC(), by.ID
		_, err := t.Exec("UPDATE deputies SET ended_at = ?, ended_by = ? WHERE tenant_id = ? AND id = ?",
			sqldb.Stamp(d.EndedAt), d.EndedBy, by.Tenant, d.ID)
		if err != nil {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Wrote("deputies", []any{d.ID}, "ended_at", "ended_by"))
		if err := store.Needs.Deputies.DeputyEnded(t, by, &d); err != nil {
			return err
		}
		return store.AppendEvent(t, by, userEvent("user.deputy_ended", d.For.ID,
			map[string]any{"deputy": d.By.ID, "delegation": d.ID}))
	})
	return sqldb.OrZero(d, err)
}
