package db

import (
	"context"
	"errors"
	"slices"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// AskedError says that a change was not made: it waits for a second administrator (rule P-29).
type AskedError struct{ Request access.Request }

func (e *AskedError) Error() string { return "This change waits for a second administrator." }

// errOnlyTried rolls back a change that was made to see whether it can be made.
var errOnlyTried = errors.New("only tried")

// change makes a change of administration or, if the tenant demands a second administrator for it, stores a request and
// returns an *AskedError. do makes the change and fills in c what the request shows of the present state. It runs in
// either case and is rolled back if a request is stored: so what cannot be done is refused at once, and nothing is
// asked for a change without effect.
func (s *Store) change(ctx context.Context, op string, by domain.Actor, c *access.Change, do func(*tx) error) error {
	write := func(ctx context.Context, op string, do func(*tx) error) error {
		return s.write(ctx, everyTenant, op, do)
	}
	if slices.Contains([]access.ChangeKind{access.AddPerson, access.ChangeRole, access.ChangeAccess,
		access.ResetPassword}, c.Kind) {
		write = s.writeRoles
	}
	err := write(ctx, op, func(t *tx) error {
		demanded, err := demandsSecond(t, by.Tenant)
		if err != nil {
			return err
		}
		if err := do(t); err != nil {
			return err
		}
		if demanded && t.logs[by.Tenant] != nil && access.NeedsSecond(by, c) {
			return &refusal{errOnlyTried}
		}
		return nil
	})
	if errors.Is(err, errOnlyTried) {
		return s.ask(ctx, by, c)
	}
	return err
}

// makeChange makes a change within a transaction: one that was confirmed.
func (s *Store) makeChange(t *tx, by domain.Actor, c *access.Change) error {
	switch c.Kind {
	case access.AddPerson:
		return s.addUser(t, by, &User{ID: c.UserID, Login: c.Object, Name: c.Name, Email: c.Email, Password: c.Password,
			CreatedAt: s.now().UTC()}, c.Role)
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
	case access.ChangePolicy:
		_, err := s.setPolicy(t, by, c)
		return err
	case access.ChangeHold:
		_, err := s.setHold(t, by, c)
		return err
	case access.ChangePackHold:
		_, err := s.setPackHold(t, by, c, anyRevision)
		return err
	case access.ChangeDemand:
		return s.setDemand(t, by, c.On)
	case access.ChangeFactor:
		return s.setSecondFactor(t, by, c.On)
	}
	return domain.Refuse(domain.Conflict, "", "refused_server_does_know")
}

func demandsSecond(t *tx, tenant string) (on bool, err error) {
	err = t.row("SELECT second_admin FROM tenants WHERE id = ?", []any{tenant}, &on)
	if noRow(err) {
		return false, nil
	}
	return on, err
}

// DemandsSecond reports whether a tenant demands a second administrator.
func (s *Store) DemandsSecond(ctx context.Context, tenant string) (on bool, err error) {
	err = s.read(ctx, "DemandsSecond", func(t *tx) error {
		on, err = demandsSecond(t, tenant)
		return err
	})
	return on, err
}

// Demand returns whether a's tenant demands a second administrator, and how many could confirm what a asks for.
func (s *Store) Demand(ctx context.Context, a domain.Actor) (d access.Demand, err error) {
	err = s.read(ctx, "Demand", func(t *tx) error {
		if d.On, err = demandsSecond(t, a.Tenant); err != nil {
			return err
		}
		behind, err := behindOf(t, a.Tenant, a.ID)
		if err != nil {
			return err
		}
		return t.each(adminsOf, []any{a.Tenant}, func(r scanner) error {
			other := domain.Actor{Tenant: a.Tenant, Role: domain.Admin, Human: true}
			err := r.Scan(&other.ID)
			d.Admins++
			if access.BarOf(&access.Request{AskedBy: a.ID}, other, behind) == access.NoBar {
				d.Able++
			}
			return err
		})
	})
	return d, err
}

const adminsOf = `SELECT m.user_id FROM memberships m JOIN users u ON u.id = m.user_id
	WHERE m.tenant_id = ? AND m.role = 'admin' AND m.disabled_at = '' AND u.disabled_at = ''`

// behindOf is behind, with who made the token of the machine that asked.
func behindOf(t *tx, tenant, asker string) ([]domain.Behind, error) {
	out, err := behind(t, tenant)
	if err != nil {
		return nil, err
	}
	maker := ""
	err = t.row("SELECT created_by FROM api_tokens WHERE tenant_id = ? AND id = ? AND user_id IS NULL", []any{tenant, asker},
		&maker)
	if err == nil && maker != domain.Operator {
		out = append(out, domain.Behind{Person: asker, By: maker})
	}
	if noRow(err) {
		err = nil
	}
	return out, err
}

// SetDemand says whether a's tenant demands a second administrator. Conflict if there is no other one; switching it off
// needs the second one itself.
func (s *Store) SetDemand(ctx context.Context, a domain.Actor, on bool) error {
	c := &access.Change{Kind: access.ChangeDemand, On: on}
	return s.change(ctx, "SetDemand", a, c, func(t *tx) error { return s.setDemand(t, a, on) })
}

func (s *Store) setDemand(t *tx, a domain.Actor, on bool) error {
	if !a.Role.AtLeast(domain.Admin) {
		return denied("refused_change_person")
	}
	if err := acceptsMembers(t, a.Tenant); err != nil {
		return err
	}
	admins, err := collect(t, adminsOf, []any{a.Tenant}, scanText)
	if err != nil {
		return err
	}
	if on && len(admins) < 2 {
		return domain.Refuse(domain.Conflict, "", "refused_change_demand")
	}
	n, err := t.exec("UPDATE tenants SET second_admin = ? WHERE id = ? AND second_admin <> ?", on, a.Tenant, on)
	if err != nil || n == 0 {
		return err
	}
	t.record(a.Tenant, wrote("tenants", []any{a.Tenant}, "second_admin"))
	return s.appendEvent(t, a, tenantEvent("tenant.changed", a.Tenant, map[string]any{"second_admin": on}))
}
