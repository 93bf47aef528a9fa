package people

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// RevokeToken revokes a token of by's tenant at once and logs it; NotFound for another tenant's.
func (store *Store) RevokeToken(ctx context.Context, by access.Actor, id string) error {
	return store.writeRoles(ctx, "RevokeToken", func(t *sqldb.Tx) error { return store.revokeToken(t, by, id) })
}

func (store *Store) revokeToken(t *sqldb.Tx, by access.Actor, id string) error {
	var revoked bool
	err := t.Row("SELECT revoked_at FROM api_tokens WHERE tenant_id = ? AND id = ?", []any{by.Tenant, id},
		sqldb.SetInto(&revoked))
	if err != nil || revoked {
		return err
	}
	_, err = t.Exec("UPDATE api_tokens SET revoked_at = ? WHERE tenant_id = ? AND id = ?", sqldb.Stamp(store.Now()),
		by.Tenant, id)
	if err != nil {
		return err
	}
	auditlog.Record(t, by.Tenant, auditlog.Wrote("api_tokens", []any{id}, "revoked_at"))
	return store.AppendEvent(t, by, tokenEvent("token.revoked", id, nil))
}

// RevokeOwnToken revokes a token that acts as by, at once, and logs it; NotFound for any other token.
func (store *Store) RevokeOwnToken(ctx context.Context, by access.Actor, id string) error {
	return store.writeRoles(ctx, "RevokeOwnToken", func(t *sqldb.Tx) error {
		var one int
		if err := t.Row("SELECT 1 FROM api_tokens WHERE tenant_id = ? AND id = ? AND user_id = ?",
			[]any{by.Tenant, id, by.ID}, &one); err != nil {
			return err
		}
		return store.revokeToken(t, by, id)
	})
}

// endTokens revokes the tokens that act as a user, each in its tenant.
func (store *Store) endTokens(t *sqldb.Tx, by access.Actor, userID string) error {
	type token struct {
		id, tenant string
		role       access.Role // of the user in that tenant
	}
	live, err := sqldb.Collect(t, `SELECT k.id, k.tenant_id, m.role FROM memberships m
		JOIN api_tokens k ON k.tenant_id = m.tenant_id AND k.user_id = m.user_id
		WHERE m.user_id = ? AND k.revoked_at = '' AND k.expires_at > ? ORDER BY k.tenant_id, k.created_at, k.rowid`,
		[]any{userID, sqldb.Stamp(store.Now())},
		func(r sqldb.Scanner, k *token) error { return r.Scan(&k.id, &k.tenant, &k.role) })
	if err != nil {
		return err
	}
	for _, k := range live {
		as := by
		as.Tenant = k.tenant
		if by.ID == userID {
			as.Role = k.role
		}
		if err := store.revokeToken(t, as, k.id); err != nil {
			return err
		}
	}
	return nil
}
