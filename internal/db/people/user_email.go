package people

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// SetEmail sets the address that a user logs in with, "" for none, and logs it in each of the user's tenants. Only the
// operator may; accounts of one tenant have none (rule SEC-21). Conflict if it is another's address or login name.
func (store *Store) SetEmail(ctx context.Context, by access.Actor, userID, email string) error {
	if err := operatorOnly(by); err != nil {
		return err
	}
	email = access.FoldLogin(email)
	return store.Write(ctx, sqldb.EveryTenant, "SetEmail", func(t *sqldb.Tx) error {
		var u User
		if err := t.Row("SELECT "+userColumns+" FROM users WHERE id = ?", []any{userID}, u.fields()...); err != nil {
			return err
		}
		if email == u.Email {
			return nil
		}
		if access.OfOneTenant(u.Login) {
			return domain.Refuse(domain.Invalid, "email", "refused_account_tenant_address", "Name", u.Login)
		}
		u.Email = email
		if err := checkUser(&u, access.Viewer); err != nil {
			return err
		}
		var taken bool
		err := t.Row("SELECT EXISTS (SELECT 1 FROM users WHERE id <> ?1 AND (email = ?2 OR login = ?2) AND ?2 <> '')",
			[]any{userID, email}, &taken)
		if err != nil {
			return err
		}
		if taken {
			return domain.Refuse(domain.Conflict, "", "refused_another_account_address", "Name", email)
		}
		if _, err := t.Exec("UPDATE users SET email = ? WHERE id = ?", email, userID); err != nil {
			return err
		}
		return store.appendEverywhere(t, by, userID, userEvent("user.email_changed", userID, nil),
			auditlog.Wrote("users", []any{userID}, "email"))
	})
}
