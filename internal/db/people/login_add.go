package people

import (
	"context"
	"strings"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// CreateLogin stores a new login, logs it ("login.succeeded") with its factors, and deletes logins that have ended.
// NotFound if the user may not enter the tenant. The store sets ID if it is "".
func (store *Store) CreateLogin(ctx context.Context, by access.Actor, l access.Login) error {
	if l.ID == "" {
		l.ID = store.NewID()
	}
	return store.Write(ctx, sqldb.OfTenant(l.TenantID), "CreateLogin", func(t *sqldb.Tx) error {
		now := store.Now()
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
		return store.AppendEvent(t, by, loginEvent("login.succeeded", l.ID, signedInBy(&l)))
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

// pruneBatch is how many old rows of a kind one write deletes.
const pruneBatch = 100
