package people

import (
	"context"
	"strings"
	"time"

	"sanad/internal/db/auditlog"
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
	Tenant Tenant
}

// Actor returns the actor of the request.
func (l *SignedIn) Actor() access.Actor {
	return access.Actor{Tenant: l.TenantID, ID: l.UserID, User: l.User.Name, Role: l.Role, Human: true,
		Unproven: access.LacksFactor(l.Tenant.SecondFactor, l.Role, l.User.TOTP != nil || l.Vouched)}
}

// living returns the arguments of "l.seen_at > ? AND l.created_at > ?", the condition for logins that have not ended.
func (s *Store) living() (seen, created string) {
	now := s.Now()
	return sqldb.Stamp(now.Add(-access.LoginIdle)), sqldb.Stamp(now.Add(-access.LoginAbsolute))
}

// SignedIn returns the login for a cookie's hash, in one query. The error is NotFound if no login has this hash, if it
// has ended (idle or absolute), or if its user or membership is disabled.
func (s *Store) SignedIn(ctx context.Context, tokenHash string) (*SignedIn, error) {
	seen, created := s.living()
	l := &SignedIn{Login: access.Login{TokenHash: tokenHash}}
	if err := s.ReadOne(ctx, "SignedIn", signedIn, []any{tokenHash, seen, created}, l.fields()...); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *SignedIn) fields() []any {
	return append(append(append(loginFields(&l.Login), l.User.fields()...), l.Tenant.fields()...), &l.Role)
}

var signedIn = "SELECT " + sqldb.Qualified("l", loginColumns) + ", " + sqldb.Qualified("u", userColumns) + ", " +
	sqldb.Qualified("t", tenantColumns) + `, m.role
	FROM logins l JOIN users u ON u.id = l.user_id
		JOIN memberships m ON m.tenant_id = l.tenant_id AND m.user_id = l.user_id
		JOIN tenants t ON t.id = l.tenant_id
	WHERE l.token_hash = ? AND l.seen_at > ? AND l.created_at > ? AND u.disabled_at = '' AND m.disabled_at = ''`

// Logins lists a user's logins that have not ended, newest first.
func (s *Store) Logins(ctx context.Context, userID string) (out []access.Login, err error) {
	seen, created := s.living()
	err = s.Read(ctx, "Logins", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, "SELECT "+loginColumns+
			" FROM logins WHERE user_id = ? AND seen_at > ? AND created_at > ? ORDER BY created_at DESC, rowid DESC",
			[]any{userID, seen, created},
			func(r sqldb.Scanner, l *access.Login) error { return r.Scan(loginFields(l)...) })
		return err
	})
	return out, err
}

// CreateLogin stores a new login, logs it ("login.succeeded") with its factors, and deletes logins that have ended.
// NotFound if the user may not enter the tenant. The store sets ID if it is "".
func (s *Store) CreateLogin(ctx context.Context, by access.Actor, l access.Login) error {
	if l.ID == "" {
		l.ID = s.NewID()
	}
	return s.Write(ctx, sqldb.OfTenant(l.TenantID), "CreateLogin", func(t *sqldb.Tx) error {
		now := s.Now()
		if err := pruneLogins(t, now); err != nil {
			return err
		}
		if err := mayEnter(t, l.TenantID, l.UserID); err != nil {
			return err
		}
		if l.FreshAt.After(now) {
			l.FreshAt = now
		}
		_, err := t.Exec("INSERT INTO logins ("+loginColumns+", token_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			l.ID, l.UserID, l.TenantID, sqldb.Stamp(now), sqldb.Stamp(now), sqldb.Stamp(l.FreshAt),
			clientText(l.Agent), clientText(l.Address), l.Vouched, l.TokenHash)
		if err != nil {
			return err
		}
		by.Tenant = l.TenantID
		return s.AppendEvent(t, by, loginEvent("login.succeeded", l.ID, signedInBy(&l)))
	})
}

// signedInBy returns what the log says of how somebody signed in.
func signedInBy(l *access.Login) map[string]any {
	if len(l.Factors) == 0 {
		return nil
	}
	words := make([]string, len(l.Factors))
	for i, f := range l.Factors {
		words[i] = string(f)
	}
	return map[string]any{"factors": strings.Join(words, " "), "known_browser": l.Known}
}

// pruneLogins deletes some logins that have been idle too long; those over their absolute lifetime become idle soon.
func pruneLogins(t *sqldb.Tx, now time.Time) error {
	_, err := t.Exec("DELETE FROM logins WHERE id IN (SELECT j.id FROM logins j WHERE j.seen_at <= ? "+
		"ORDER BY j.seen_at LIMIT ?"+t.Engine.SkipLocked()+")",
		sqldb.Stamp(now.Add(-access.LoginIdle)), pruneBatch)
	return err
}

// maxAgent is the maximum length of a browser's description of itself, in characters.
const maxAgent = 200

// clientText returns what a client says about itself in a form fit to be stored.
func clientText(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if r := []rune(s); len(r) > maxAgent {
		return string(r[:maxAgent])
	}
	return s
}

// loginEvent returns an event about a login.
func loginEvent(action, loginID string, details map[string]any) auditlog.Event {
	return auditlog.Event{Action: action, Kind: "login", ObjectID: loginID, Details: details}
}

// endLogins ends a user's logins except keep ("" if none).
func endLogins(t *sqldb.Tx, userID, keep string) error {
	_, err := t.Exec("DELETE FROM logins WHERE user_id = ? AND id <> ?", userID, keep)
	return err
}

// pruneBatch is how many old rows of a kind one write deletes.
const pruneBatch = 100
