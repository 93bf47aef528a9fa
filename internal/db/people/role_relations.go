package people

import (
	"context"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// relationsPage is the page size of TenantIDs and Relations; callers continue after the last id.
const relationsPage = 1000

// Relation is the role of a user, or of a machine's token, in a tenant.
type Relation struct {
	ID   string
	Role access.Role
}

// TenantIDs lists a page of tenant ids after after ("" for the first).
func (store *Store) TenantIDs(ctx context.Context, after string) ([]string, error) {
	var out []string
	err := store.Read(ctx, "TenantIDs", func(t *sqldb.Tx) (err error) {
		out, err = sqldb.Collect(t, "SELECT id FROM tenants WHERE id > ? ORDER BY id LIMIT ?",
			[]any{after, relationsPage},
			func(r sqldb.Scanner, id *string) error { return r.Scan(id) })
		return err
	})
	return out, err
}

// relationsQuery selects a page of members and machine tokens. A person's token counts as the person. Each half is
// limited before the union, so that the cost is that of a page.
const relationsQuery = `SELECT id, role FROM (
  SELECT * FROM (SELECT m.user_id AS id, m.role AS role FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.tenant_id = ? AND m.user_id > ? AND m.disabled_at = '' AND u.disabled_at = '' ORDER BY m.user_id LIMIT ?) AS people
  UNION ALL
  SELECT * FROM (SELECT id, role FROM api_tokens
    WHERE tenant_id = ? AND id > ? AND user_id IS NULL AND revoked_at = '' AND expires_at > ? ORDER BY id LIMIT ?) AS machines
) AS each ORDER BY id LIMIT ?`

// Relations lists a page of a tenant's enabled members and valid machine tokens with ids after after (""
// for the first).
func (store *Store) Relations(ctx context.Context, tenant, after string) ([]Relation, error) {
	var out []Relation
	args := []any{tenant, after, relationsPage, tenant, after, sqldb.Stamp(store.Now()), relationsPage, relationsPage}
	err := store.Read(ctx, "Relations", func(t *sqldb.Tx) (err error) {
		out, err = sqldb.Collect(t, relationsQuery, args,
			func(r sqldb.Scanner, v *Relation) error { return r.Scan(&v.ID, &v.Role) })
		return err
	})
	return out, err
}

// writeRoles is write for changes of roles or of who has them; it calls Options.RolesChanged after the commit.
func (store *Store) writeRoles(ctx context.Context, op string, do func(*sqldb.Tx) error) error {
	err := store.Write(ctx, sqldb.EveryTenant, op, do)
	if err == nil && store.Needs.RolesChanged != nil {
		store.Needs.RolesChanged()
	}
	return err
}
