package people

import (
	"context"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// Tokens lists all of a tenant's tokens, newest first.
func (store *Store) Tokens(ctx context.Context, tenant string) ([]access.Token, error) {
	return store.tokens(ctx, "Tokens", "k.tenant_id = ? ORDER BY k.created_at DESC, k.rowid DESC", tenant)
}

// TokensPage lists up to limit of a tenant's tokens, newest first, after the one with the id after ("" for the first
// page). next is the after of the next page, "" if none.
func (store *Store) TokensPage(ctx context.Context, tenant, after string,
	limit int) (out []access.Token, next string, err error) {
	const page = `k.tenant_id = ?1 AND (?2 = '' OR (k.created_at, k.rowid) < (SELECT a.created_at, a.rowid FROM api_tokens a
		WHERE a.tenant_id = ?1 AND a.id = ?2)) ORDER BY k.created_at DESC, k.rowid DESC LIMIT ?3`
	out, err = store.tokens(ctx, "TokensPage", page, tenant, after, limit+1)
	if len(out) > limit {
		out = out[:limit]
		next = out[limit-1].ID
	}
	return out, next, err
}

// Token returns one token of a tenant; NotFound for another tenant's.
func (store *Store) Token(ctx context.Context, tenant, id string) (access.Token, error) {
	found, err := store.tokens(ctx, "Token", "k.tenant_id = ? AND k.id = ?", tenant, id)
	k, err := sqldb.First(found, err)
	return k, sqldb.Fail("Token", err)
}

// CountTokens returns how many tokens a tenant has, including revoked and expired ones.
func (store *Store) CountTokens(ctx context.Context, tenant string) (n int, err error) {
	err = store.Read(ctx, "CountTokens", func(t *sqldb.Tx) error {
		return t.Row("SELECT count(*) FROM api_tokens WHERE tenant_id = ?", []any{tenant}, &n)
	})
	return n, err
}

// tokens lists the tokens that rest selects, which is the query from its condition on.
func (store *Store) tokens(ctx context.Context, op, rest string, args ...any) (out []access.Token, err error) {
	err = store.Read(ctx, op, func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, `SELECT k.id, coalesce(k.user_id, ''), coalesce(u.name, ''), k.name, k.role,
			k.created_at, k.created_by, k.expires_at, k.revoked_at, k.last_used_at, k.scopes, k.addresses
			FROM api_tokens k LEFT JOIN users u ON u.id = k.user_id WHERE `+rest, args,
			func(r sqldb.Scanner, k *access.Token) error {
				var scopes, addresses string
				err := r.Scan(&k.ID, &k.UserID, &k.UserName, &k.Name, &k.Role, sqldb.TimeInto(&k.CreatedAt),
					&k.CreatedBy,
					sqldb.TimeInto(&k.ExpiresAt), sqldb.TimeOrNoneInto(&k.RevokedAt),
					sqldb.TimeOrNoneInto(&k.LastUsedAt), &scopes, &addresses)
				if err != nil {
					return err
				}
				k.Scopes = access.ParseScopes(scopes)
				k.Addresses, err = access.ParseNetworks(addresses)
				return err
			})
		return err
	})
	return out, err
}

// maxOwnTokens is how many of their tokens a person is shown.
const maxOwnTokens = 100

// OwnTokens lists the tokens that act as a person in a tenant, newest first.
func (store *Store) OwnTokens(ctx context.Context, tenant, userID string) ([]access.Token, error) {
	return store.tokens(ctx, "OwnTokens",
		"k.tenant_id = ? AND k.user_id = ? ORDER BY k.created_at DESC, k.rowid DESC LIMIT ?",
		tenant, userID, maxOwnTokens)
}
