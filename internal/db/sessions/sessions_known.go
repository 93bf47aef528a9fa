package sessions

import (
	"context"

	"sanad/internal/db/sqldb"
)

// HasSession returns NotFound if the tenant has no such session.
func (s *Store) HasSession(ctx context.Context, tenant, id string) error {
	return s.Read(ctx, "HasSession", func(t *sqldb.Tx) error {
		var one int
		return t.Row("SELECT 1 FROM sessions WHERE tenant_id = ? AND id = ?", []any{tenant, id}, &one)
	})
}
