package db

import "context"

// HasSession returns NotFound if the tenant has no such session.
func (s *Store) HasSession(ctx context.Context, tenant, id string) error {
	return s.read(ctx, "HasSession", func(t *tx) error {
		var one int
		return t.row("SELECT 1 FROM sessions WHERE tenant_id = ? AND id = ?", []any{tenant, id}, &one)
	})
}
