package people

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// SeeLogin sets a login's SeenAt to now; callers do so at most once a minute. A login that has ended stays ended.
func (store *Store) SeeLogin(ctx context.Context, id string) error {
	seen, created := store.living()
	return store.Write(ctx, sqldb.AsyncRow, "SeeLogin", func(t *sqldb.Tx) error {
		_, err := t.Exec("UPDATE logins SET seen_at = ? WHERE id = ? AND seen_at > ? AND created_at > ?",
			sqldb.Stamp(store.Now()), id, seen, created)
		return err
	})
}

// EndLogin ends one of by's own logins (NotFound for another's), and logs it ("login.ended") in the login's tenant.
func (store *Store) EndLogin(ctx context.Context, by access.Actor, loginID string) error {
	which := func(t *sqldb.Tx) ([]string, error) {
		there, err := loginTenant(t, by.ID, loginID)
		return []string{there}, err
	}
	return store.WriteOf(ctx, "EndLogin", which, func(t *sqldb.Tx) error {
		there, err := loginTenant(t, by.ID, loginID)
		if err != nil {
			return err
		}
		if _, err := t.Exec("DELETE FROM logins WHERE id = ?", loginID); err != nil {
			return err
		}
		return store.appendIn(t, by, there, loginEvent("login.ended", loginID, nil))
	})
}

// FreshenLogin records that the password was given just now, and gives the login a new token.
func (store *Store) FreshenLogin(ctx context.Context, by access.Actor, loginID, tokenHash string) error {
	seen, created := store.living()
	return store.Write(ctx, sqldb.OfTenant(by.Tenant), "FreshenLogin", func(t *sqldb.Tx) error {
		now := sqldb.Stamp(store.Now())
		n, err := t.Exec(`UPDATE logins SET fresh_at = ?, seen_at = ?, token_hash = ?
			WHERE id = ? AND user_id = ? AND tenant_id = ? AND seen_at > ? AND created_at > ?`,
			now, now, tokenHash, loginID, by.ID, by.Tenant, seen, created)
		if err := sqldb.RefuseUnlessOne(n, err, sqldb.NotFound()); err != nil {
			return err
		}
		return store.AppendEvent(t, by, loginEvent("login.freshened", loginID, nil))
	})
}

// SwitchTenant moves a login to another of its user's tenants, and logs it in both. NotFound if the user may not enter
// that tenant, or if the login is not by's or has ended.
func (store *Store) SwitchTenant(ctx context.Context, by access.Actor, loginID, tenantID string) error {
	seen, created := store.living()
	which := func(t *sqldb.Tx) ([]string, error) {
		from, err := loginTenant(t, by.ID, loginID)
		if err == nil {
			err = mayEnter(t, tenantID, by.ID)
		}
		return []string{from, tenantID}, err
	}
	return store.WriteOf(ctx, "SwitchTenant", which, func(t *sqldb.Tx) error {
		from, err := loginTenant(t, by.ID, loginID)
		if err != nil {
			return err
		}
		if err := mayEnter(t, tenantID, by.ID); err != nil || from == tenantID {
			return err
		}
		n, err := t.Exec("UPDATE logins SET tenant_id = ? WHERE id = ? AND seen_at > ? AND created_at > ?", tenantID,
			loginID, seen, created)
		if err := sqldb.RefuseUnlessOne(n, err, sqldb.NotFound()); err != nil {
			return err
		}
		if err := store.appendIn(t, by, from,
			loginEvent("login.switched", loginID, map[string]any{"entered": false})); err != nil {
			return err
		}
		return store.appendIn(t, by, tenantID, loginEvent("login.switched", loginID, map[string]any{"entered": true}))
	})
}

// loginTenant returns the tenant that a user's login is in; NotFound for another's.
func loginTenant(t *sqldb.Tx, userID, loginID string) (tenant string, err error) {
	err = t.Row("SELECT tenant_id FROM logins WHERE id = ? AND user_id = ?", []any{loginID, userID}, &tenant)
	return tenant, err
}

// mayEnter returns NotFound unless a user is an enabled member of a tenant.
func mayEnter(t *sqldb.Tx, tenant, userID string) error {
	st, err := standingOf(t, tenant, userID)
	if err == nil && st.anyOff {
		err = sqldb.NotFound()
	}
	return err
}

// appendIn logs an action of by, a user, in one of its tenants, with its role there.
func (store *Store) appendIn(t *sqldb.Tx, by access.Actor, tenant string, ev auditlog.Event) error {
	st, err := standingOf(t, tenant, by.ID)
	if err != nil {
		return err
	}
	by.Tenant, by.Role = tenant, st.role
	return store.AppendEvent(t, by, ev)
}

// endLogins ends a user's logins except keep ("" if none).
func endLogins(t *sqldb.Tx, userID, keep string) error {
	_, err := t.Exec("DELETE FROM logins WHERE user_id = ? AND id <> ?", userID, keep)
	return err
}
