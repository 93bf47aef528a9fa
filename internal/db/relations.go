package db

import (
	"context"

	"sanad/internal/domain"
)

// relationsPage bounds how much one call of TenantIDs or Relations gives; the caller asks again after the last.
const relationsPage = 1000

// Relation is the role of a user, or of a machine's token, in a tenant.
type Relation struct {
	ID   string
	Role domain.Role
}

// TenantIDs lists the ids of tenants that come after one ("" for the first), a page of them.
func (s *Store) TenantIDs(ctx context.Context, after string) ([]string, error) {
	var out []string
	err := s.read(ctx, "TenantIDs", func(t *tx) (err error) {
		out, err = collect(t, "SELECT id FROM tenants WHERE id > ? ORDER BY id LIMIT ?", []any{after, relationsPage},
			func(r scanner, id *string) error { return r.Scan(id) })
		return err
	})
	return out, err
}

// relationsQuery is one page of who may do something in a tenant: members, and tokens that act for nobody. A person's
// token is its person here. Each half is cut before they are joined, so that a page costs a page.
const relationsQuery = `SELECT id, role FROM (
  SELECT * FROM (SELECT m.user_id AS id, m.role AS role FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.tenant_id = ? AND m.user_id > ? AND m.disabled_at = '' AND u.disabled_at = '' ORDER BY m.user_id LIMIT ?)
  UNION ALL
  SELECT * FROM (SELECT id, role FROM api_tokens
    WHERE tenant_id = ? AND id > ? AND user_id IS NULL AND revoked_at = '' AND expires_at > ? ORDER BY id LIMIT ?)
) ORDER BY id LIMIT ?`

// Relations lists the enabled members and valid machine tokens of a tenant whose ids come after one ("" for the first),
// a page of them.
func (s *Store) Relations(ctx context.Context, tenant, after string) ([]Relation, error) {
	var out []Relation
	args := []any{tenant, after, relationsPage, tenant, after, stamp(s.now()), relationsPage, relationsPage}
	err := s.read(ctx, "Relations", func(t *tx) (err error) {
		out, err = collect(t, relationsQuery, args,
			func(r scanner, v *Relation) error { return r.Scan(&v.ID, &v.Role) })
		return err
	})
	return out, err
}

// writeRoles is write for what changes a role, or whose it is: whoever listens is told once it is committed.
func (s *Store) writeRoles(ctx context.Context, op string, do func(*tx) error) error {
	err := s.write(ctx, op, do)
	if err == nil && s.roles != nil {
		s.roles()
	}
	return err
}
