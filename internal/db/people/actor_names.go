package people

import (
	"context"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// ActorNames returns the present display names of people and machine tokens of a tenant by id, for those ids that
// exist. The log itself contains no names.
func (store *Store) ActorNames(ctx context.Context, tenant string, ids []string) (map[string]string, error) {
	values := make([]any, len(ids))
	for i, id := range ids {
		values[i] = id
	}
	list, args := sqldb.InList(values)
	var names map[string]string
	err := store.Read(ctx, "ActorNames", func(t *sqldb.Tx) error {
		names = map[string]string{}
		return t.Each(`SELECT u.id, u.name FROM memberships m JOIN users u ON u.id = m.user_id
			WHERE m.tenant_id = ? AND m.user_id IN `+list+`
			UNION ALL SELECT id, name FROM api_tokens WHERE tenant_id = ? AND user_id IS NULL AND id IN `+list,
			append(append(append([]any{tenant}, args...), tenant), args...), func(r sqldb.Scanner) error {
				var n access.Named
				err := r.Scan(&n.ID, &n.Name)
				names[n.ID] = n.Name
				return err
			})
	})
	return names, err
}

// MemberNames lists up to limit enabled users of a tenant by name, as choices in a form.
func (store *Store) MemberNames(ctx context.Context, tenant string, limit int) ([]access.Named, error) {
	return store.named(ctx, "MemberNames", `SELECT u.id, u.name FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.tenant_id = ? AND m.disabled_at = '' AND u.disabled_at = '' ORDER BY u.name, u.login LIMIT ?`, tenant,
		limit)
}

// Actors lists up to limit users and machine tokens of a tenant, by name, people before tokens of the same name: who
// can stand in its log.
func (store *Store) Actors(ctx context.Context, tenant string, limit int) ([]access.Named, error) {
	return store.named(ctx, "Actors", `SELECT id, name FROM (SELECT u.id, u.name, 0 AS no, u.login
		FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.tenant_id = ?1
		UNION ALL SELECT id, name, rowid, '' FROM api_tokens WHERE tenant_id = ?1 AND user_id IS NULL) AS known
		ORDER BY name, no, login LIMIT ?2`,
		tenant, limit)
}

func (store *Store) named(ctx context.Context, op, query string, args ...any) (out []access.Named, err error) {
	err = store.Read(ctx, op, func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, query, args,
			func(r sqldb.Scanner, n *access.Named) error { return r.Scan(&n.ID, &n.Name) })
		return err
	})
	return out, err
}
