package people

import (
	"context"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// maxOwnTokens is how many of their tokens a person is shown.
const maxOwnTokens = 100

// OwnTokens lists the tokens that act as a person in a tenant, newest first.
func (s *Store) OwnTokens(ctx context.Context, tenant, userID string) ([]access.Token, error) {
	return s.tokens(ctx, "OwnTokens", "k.tenant_id = ? AND k.user_id = ? ORDER BY k.created_at DESC, k.rowid DESC LIMIT ?",
		tenant, userID, maxOwnTokens)
}

// RevokeOwnToken revokes a token that acts as by, at once, and logs it; NotFound for any other token.
func (s *Store) RevokeOwnToken(ctx context.Context, by access.Actor, id string) error {
	return s.writeRoles(ctx, "RevokeOwnToken", func(t *sqldb.Tx) error {
		var one int
		if err := t.Row("SELECT 1 FROM api_tokens WHERE tenant_id = ? AND id = ? AND user_id = ?",
			[]any{by.Tenant, id, by.ID}, &one); err != nil {
			return err
		}
		return s.revokeToken(t, by, id)
	})
}
