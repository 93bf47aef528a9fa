package people

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// AskedError says that a change was not made: it waits for a second administrator (rule P-29).
type AskedError struct{ Request access.Request }

func (e *AskedError) Error() string { return "This change waits for a second administrator." }

// errOnlyTried rolls back a change that was made to see whether it can be made.
var errOnlyTried = errors.New("only tried")

// Change makes a change of administration or, if the tenant demands a second administrator for it, stores a request and
// returns an *AskedError. do makes the change and fills in c what the request shows of the present state. It runs in
// either case and is rolled back if a request is stored: so what cannot be done is refused at once, and nothing is
// asked for a change without effect.
func (s *Store) Change(ctx context.Context, op string, by access.Actor, c *access.Change,
	do func(*sqldb.Tx) error) error {
	write := func(ctx context.Context, op string, do func(*sqldb.Tx) error) error {
		return s.Write(ctx, sqldb.EveryTenant, op, do)
	}
	if slices.Contains([]access.ChangeKind{access.AddPerson, access.ChangeRole, access.ChangeAccess,
		access.ResetPassword}, c.Kind) {
		write = s.writeRoles
	}
	err := write(ctx, op, func(t *sqldb.Tx) error {
		demand, err := demandOf(t, by.Tenant)
		if err != nil {
			return err
		}
		if err := do(t); err != nil {
			return err
		}
		if demand.On && auditlog.LogOf.Of(t).Logs[by.Tenant] != nil && access.NeedsSecond(by, c) {
			return sqldb.AsIs(errOnlyTried)
		}
		return nil
	})
	if errors.Is(err, errOnlyTried) {
		return s.ask(ctx, by, c)
	}
	return err
}

// makeChange makes a change within a transaction: one that was confirmed.
func (s *Store) makeChange(t *sqldb.Tx, by access.Actor, c *access.Change) error {
	switch c.Kind {
	case access.AddPerson:
		return s.addUser(t, by, &User{ID: c.UserID, Login: c.Object, Name: c.Name, Email: c.Email, Password: c.Password,
			CreatedAt: s.Now().UTC()}, c.Role)
	case access.InvitePerson:
		_, err := s.invite(t, by, c)
		return err
	case access.ChangeRole:
		return s.setRole(t, by, c)
	case access.ChangeAccess:
		return s.setAccess(t, by, c)
	case access.ResetPassword:
		return s.setPassword(t, by, c.Object, NewPassword{PHC: c.Password, KeepTokens: c.KeepTokens})
	case access.RemoveCodes:
		return s.setTOTP(t, by, c.Object, nil, nil)
	case access.ChangeFactor:
		return s.setSecondFactor(t, by, c.On)
	}
	if other := s.Needs.Others[c.Kind]; other != nil {
		return other(t, by, c)
	}
	return domain.Refuse(domain.Conflict, "", "refused_server_does_know")
}

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
func (s *Store) DemandsSecond(ctx context.Context, tenant string) (on bool, err error) {
	err = s.Read(ctx, "DemandsSecond", func(t *sqldb.Tx) error {
		d, err := demandOf(t, tenant)
		on = d.On
		return err
	})
	return on, err
}

// Demand returns whether changes in a's tenant need a second administrator, and how many could confirm what a asks for.
func (s *Store) Demand(ctx context.Context, a access.Actor) (d access.Demand, err error) {
	err = s.Read(ctx, "Demand", func(t *sqldb.Tx) error {
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
