package people

import (
	"context"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// Members lists all users of a tenant by name.
func (store *Store) Members(ctx context.Context, tenant string) ([]access.Member, error) {
	return store.members(ctx, "Members", "m.tenant_id = ?3 ORDER BY u.name, u.login", tenant)
}

// MembersPage lists up to limit users of a tenant by name, after the one with the id after ("" for the first page).
// next is the after of the next page, "" if none.
func (store *Store) MembersPage(ctx context.Context, tenant, after string,
	limit int) (out []access.Member, next string, err error) {
	const page = `m.tenant_id = ?3 AND (?4 = '' OR (u.name, u.login) > (SELECT a.name, a.login FROM users a
		JOIN memberships am ON am.user_id = a.id AND am.tenant_id = ?3 WHERE a.id = ?4))
		ORDER BY u.name, u.login LIMIT ?5`
	out, err = store.members(ctx, "MembersPage", page, tenant, after, limit+1)
	if len(out) > limit {
		out = out[:limit]
		next = out[limit-1].ID
	}
	return out, next, err
}

// Member returns one user of a tenant; NotFound for anybody else.
func (store *Store) Member(ctx context.Context, tenant, id string) (access.Member, error) {
	found, err := store.members(ctx, "Member", "m.tenant_id = ?3 AND m.user_id = ?4", tenant, id)
	m, err := sqldb.First(found, err)
	return m, sqldb.Fail("Member", err)
}

// CountMembers returns how many users a tenant has.
func (store *Store) CountMembers(ctx context.Context, tenant string) (n int, err error) {
	err = store.Read(ctx, "CountMembers", func(t *sqldb.Tx) error {
		return t.Row("SELECT count(*) FROM memberships WHERE tenant_id = ?", []any{tenant}, &n)
	})
	return n, err
}

// members lists the members that rest selects, which is the query from its condition on; its arguments are ?3, ?4 …
func (store *Store) members(ctx context.Context, op, rest string, args ...any) (out []access.Member, err error) {
	now := store.Now()
	args = append([]any{sqldb.Stamp(now.Add(-access.LoginAbsolute)), sqldb.Stamp(now.Add(-access.LoginIdle))}, args...)
	query := `SELECT u.id, u.login, u.name, u.email, u.contact, u.totp IS NOT NULL, m.role, m.title,
		m.disabled_at || u.disabled_at, u.disabled_at,
		(SELECT max(l.seen_at) FROM logins l WHERE l.user_id = u.id AND l.tenant_id = m.tenant_id AND l.created_at > ?1
		AND l.seen_at > ?2),
		(SELECT count(*) FROM memberships o WHERE o.user_id = u.id AND o.tenant_id <> m.tenant_id)
		FROM memberships m JOIN users u ON u.id = m.user_id WHERE ` + rest
	err = store.Read(ctx, op, func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, query, args, func(r sqldb.Scanner, m *access.Member) error {
			return r.Scan(&m.ID, &m.Login, &m.Name, &m.Email, &m.Contact, &m.TOTP, &m.Role, &m.Title,
				sqldb.SetInto(&m.Disabled), sqldb.SetInto(&m.Everywhere), sqldb.TimeOrNoneInto(&m.SeenAt), &m.Others)
		})
		return err
	})
	return out, err
}

// UserByLogin returns a user by login name or, if nobody has that name, by an email address that only one user has,
// ignoring case. The error is NotFound if nobody has it.
func (store *Store) UserByLogin(ctx context.Context, login string) (User, error) {
	var found []User
	folded := access.FoldLogin(login)
	err := store.Read(ctx, "UserByLogin", func(t *sqldb.Tx) (err error) {
		found, err = sqldb.Collect(t, "SELECT "+userColumns+
			" FROM users WHERE login = ?1 OR email = ?1 AND email <> '' ORDER BY login <> ?1 LIMIT 2",
			[]any{folded}, func(r sqldb.Scanner, u *User) error { return r.Scan(u.fields()...) })
		return err
	})
	if err == nil && (len(found) == 0 || len(found) > 1 && found[0].Login != folded) {
		return User{}, sqldb.NotFound()
	}
	if err != nil {
		return User{}, err
	}
	return found[0], nil
}

// User returns a user by id, as in an Actor; NotFound for a machine and for the operator.
func (store *Store) User(ctx context.Context, id string) (u User, err error) {
	err = store.Read(ctx, "User", func(t *sqldb.Tx) error {
		return t.Row("SELECT "+userColumns+" FROM users WHERE id = ?", []any{id}, u.fields()...)
	})
	return u, err
}
