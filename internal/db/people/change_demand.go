package people

import (
	"context"
	"encoding/json"
	"time"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// demandOf returns whether a tenant's changes need a second administrator.
func demandOf(t *sqldb.Tx, tenant string) (d access.Demand, err error) {
	admins, err := sqldb.Collect(t, reads.AdminsOf, []any{tenant}, sqldb.ScanText)
	if err != nil {
		return d, err
	}
	lost, err := adminLost(t, tenant)
	d.Admins, d.On = len(admins), access.Demanded(len(admins), lost, t.Now())
	if d.On && d.Admins < 2 {
		d.Until = lost.Add(access.MakerFor)
	}
	return d, err
}

// adminLost returns when a tenant last lost one of two administrators or more, zero if that was not within
// access.MakerFor. The log knows: the event that ended the role or the access has how many were left.
func adminLost(t *sqldb.Tx, tenant string) (lost time.Time, err error) {
	err = t.Each(`SELECT at, bytes FROM events WHERE tenant_id = ? AND at >= ?
		AND action IN ('user.role_changed', 'user.disabled') ORDER BY seq`,
		[]any{tenant, sqldb.Stamp(t.Now().Add(-access.MakerFor))}, func(r sqldb.Scanner) error {
			var at time.Time
			var bytes []byte
			if err := r.Scan(sqldb.TimeInto(&at), &bytes); err != nil {
				return err
			}
			var event struct {
				Details struct {
					Left int `json:"administrators_left"`
				}
			}
			err := json.Unmarshal(bytes, &event)
			if event.Details.Left > 0 {
				lost = at
			}
			return err
		})
	return lost, err
}

// adminsLeft adds to the details of an event that ends somebody's role or access how many administrators it leaves, if
// the person was one.
func adminsLeft(t *sqldb.Tx, tenant, userID string, was standing, details map[string]any) (map[string]any, error) {
	if was.role != access.Admin || was.anyOff {
		return details, nil
	}
	left, err := otherAdmins(t, tenant, userID)
	if details == nil {
		details = map[string]any{}
	}
	details["administrators_left"] = left
	return details, err
}

// DemandsSecond reports whether changes in a tenant need a second administrator.
func (store *Store) DemandsSecond(ctx context.Context, tenant string) (on bool, err error) {
	err = store.Read(ctx, "DemandsSecond", func(t *sqldb.Tx) error {
		d, err := demandOf(t, tenant)
		on = d.On
		return err
	})
	return on, err
}

// Demand returns whether changes in a's tenant need a second administrator, and how many could confirm what a asks for.
func (store *Store) Demand(ctx context.Context, a access.Actor) (d access.Demand, err error) {
	err = store.Read(ctx, "Demand", func(t *sqldb.Tx) error {
		if d, err = demandOf(t, a.Tenant); err != nil {
			return err
		}
		makers, err := reads.MakersOf(t, a.Tenant, a.ID)
		if err != nil {
			return err
		}
		return t.Each(reads.AdminsOf, []any{a.Tenant}, func(r sqldb.Scanner) error {
			other := access.Actor{Tenant: a.Tenant, Role: access.Admin, Human: true}
			err := r.Scan(&other.ID)
			if access.BarOf(&access.Request{AskedBy: a.ID}, other, makers) == access.NoBar {
				d.Able++
			}
			return err
		})
	})
	return d, err
}
