package people

import (
	"context"
	"errors"
	"slices"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// AskedError says that a change was not made: it waits for a second administrator (rule P-29).
type AskedError struct{ Request access.Request }

func (e *AskedError) Error() string { return "This change is waiting for a second administrator." }

// errOnlyTried rolls back a change that was made to see whether it can be made.
var errOnlyTried = errors.New("only tried")

// Change makes a change of administration or, if the tenant demands a second administrator for it, stores a request and
// returns an *AskedError. do makes the change and fills in c what the request shows of the present state. It runs in
// either case and is rolled back if a request is stored: so what cannot be done is refused at once, and nothing is
// asked for a change without effect.
func (store *Store) Change(ctx context.Context, op string, by access.Actor, c *access.Change,
	do func(*sqldb.Tx) error) error {
	write := func(ctx context.Context, op string, do func(*sqldb.Tx) error) error {
		return store.Write(ctx, sqldb.EveryTenant, op, do)
	}
	if slices.Contains([]access.ChangeKind{access.AddPerson, access.ChangeRole, access.ChangeAccess,
		access.ResetPassword}, c.Kind) {
		write = store.writeRoles
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
		return store.ask(ctx, by, c)
	}
	return err
}

// makeChange makes a change within a transaction: one that was confirmed.
func (store *Store) makeChange(t *sqldb.Tx, by access.Actor, c *access.Change) error {
	switch c.Kind {
	case access.AddPerson:
		return store.addUser(t, by, &User{ID: c.UserID, Login: c.Object, Name: c.Name, Email: c.Email,
			Password:  c.Password,
			CreatedAt: store.Now().UTC()}, c.Role, "")
	case access.InvitePerson:
		_, err := store.invite(t, by, c)
		return err
	case access.ChangeRole:
		return store.setRole(t, by, c)
	case access.ChangeAccess:
		return store.setAccess(t, by, c)
	case access.ResetPassword:
		return store.setPassword(t, by, c.Object, NewPassword{PHC: c.Password, KeepTokens: c.KeepTokens})
	case access.RemoveCodes:
		return store.setTOTP(t, by, c.Object, nil, nil)
	case access.ChangeFactor:
		return store.setSecondFactor(t, by, c.On)
	case access.NameDeputy:
		return store.carryDeputy(t, by, c)
	}
	if other := store.Needs.Others[c.Kind]; other != nil {
		return other(t, by, c)
	}
	return domain.Refuse(domain.Conflict, "", "refused_server_does_know")
}
