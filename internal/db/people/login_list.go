package people

import (
	"context"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

const loginColumns = "id, user_id, tenant_id, created_at, seen_at, fresh_at, agent, address, vouched"

func loginFields(l *access.Login) []any {
	return []any{&l.ID, &l.UserID, &l.TenantID, sqldb.TimeInto(&l.CreatedAt), sqldb.TimeInto(&l.SeenAt),
		sqldb.TimeInto(&l.FreshAt), &l.Agent, &l.Address, &l.Vouched}
}

// SignedIn is the login, user and tenant of a request's cookie.
type SignedIn struct {
	access.Login
	User   User
	Role   access.Role
	Title  string // job title in the tenant
	Tenant Tenant
}

// Actor returns the actor of the request.
func (l *SignedIn) Actor() access.Actor {
	return access.Actor{Tenant: l.TenantID, ID: l.UserID, User: l.User.Name, Title: l.Title, Role: l.Role, Human: true,
		Unproven: access.LacksFactor(l.Tenant.SecondFactor, l.Role, l.User.TOTP != nil || l.Vouched)}
}

// living returns the arguments of "l.seen_at > ? AND l.created_at > ?", the condition for logins that have not ended.
func (store *Store) living() (seen, created string) {
	now := store.Now()
	return sqldb.Stamp(now.Add(-access.LoginIdle)), sqldb.Stamp(now.Add(-access.LoginAbsolute))
}

// SignedIn returns the login for a cookie's hash, in one query. The error is NotFound if no login has this hash, if it
// has ended (idle or absolute), or if its user or membership is disabled.
func (store *Store) SignedIn(ctx context.Context, tokenHash string) (*SignedIn, error) {
	seen, created := store.living()
	l := &SignedIn{Login: access.Login{TokenHash: tokenHash}}
	if err := store.ReadOne(ctx, "SignedIn", signedIn, []any{tokenHash, seen, created}, l.fields()...); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *SignedIn) fields() []any {
	return append(append(append(loginFields(&l.Login), l.User.fields()...), l.Tenant.fields()...), &l.Role, &l.Title)
}

var signedIn = "SELECT " + sqldb.Qualified("l", loginColumns) + ", " + sqldb.Qualified("u", userColumns) + ", " +
	sqldb.Qualified("t", tenantColumns) + `, m.role, m.title
	FROM logins l JOIN users u ON u.id = l.user_id
		JOIN memberships m ON m.tenant_id = l.tenant_id AND m.user_id = l.user_id
		JOIN tenants t ON t.id = l.tenant_id
	WHERE l.token_hash = ? AND l.seen_at > ? AND l.created_at > ? AND u.disabled_at = '' AND m.disabled_at = ''`

// Logins lists a user's logins that have not ended, newest first.
func (store *Store) Logins(ctx context.Context, userID string) (out []access.Login, err error) {
	seen, created := store.living()
	err = store.Read(ctx, "Logins", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, "SELECT "+loginColumns+
			" FROM logins WHERE user_id = ? AND seen_at > ? AND created_at > ? ORDER BY created_at DESC, rowid DESC",
			[]any{userID, seen, created},
			func(r sqldb.Scanner, l *access.Login) error { return r.Scan(loginFields(l)...) })
		return err
	})
	return out, err
}
