package people

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// NewPassword is a change of a password, and what stays valid after it.
type NewPassword struct {
	PHC        string
	KeepLogin  string // id of the login that does not end; "" if none
	KeepTokens bool   // of the API tokens that act as the user
}

// SetPassword changes a password, and ends the user's logins and API tokens but those that it says (rule SEC-2). Actors
// other than the user and the operator may do this only if by's tenant is the user's only one (Denied).
func (store *Store) SetPassword(ctx context.Context, by access.Actor, userID string, n NewPassword) error {
	c := &access.Change{Kind: access.ResetPassword, Object: userID, Password: n.PHC, KeepTokens: n.KeepTokens}
	return store.Change(ctx, "SetPassword", by, c, func(t *sqldb.Tx) error {
		if err := namePerson(t, c); err != nil {
			return err
		}
		return store.setPassword(t, by, userID, n)
	})
}

// namePerson sets the name of the person that a change is about.
func namePerson(t *sqldb.Tx, c *access.Change) error {
	return t.Row("SELECT name FROM users WHERE id = ?", []any{c.Object}, &c.Name)
}

func (store *Store) setPassword(t *sqldb.Tx, by access.Actor, userID string, n NewPassword) error {
	if err := mayChangeAccount(t, by, userID); err != nil {
		return err
	}
	if _, err := t.Exec("UPDATE users SET password = ? WHERE id = ?", n.PHC, userID); err != nil {
		return err
	}
	if err := endLogins(t, userID, n.KeepLogin); err != nil {
		return err
	}
	var details map[string]any
	if n.KeepTokens {
		details = map[string]any{"tokens_kept": true}
	}
	err := store.appendEverywhere(t, by, userID, userEvent("user.password_changed", userID, details),
		auditlog.Wrote("users", []any{userID}, "password"))
	if err != nil || n.KeepTokens {
		return err
	}
	return store.endTokens(t, by, userID)
}
