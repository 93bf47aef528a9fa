package people

import (
	"cmp"
	"context"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// AddToken stores a token of by's tenant and logs it. A person's token requires an enabled membership (NotFound) and
// gets at most the person's role. The store sets CreatedAt, and ID if it is "".
func (store *Store) AddToken(ctx context.Context, by access.Actor, k access.Token) (access.Token, error) {
	now := store.Now().UTC()
	if err := checkToken(&k, now); err != nil {
		return access.Token{}, err
	}
	if k.ID == "" {
		k.ID = store.NewID()
	}
	k.CreatedAt, k.CreatedBy, k.RevokedAt, k.LastUsedAt = now, by.ID, time.Time{}, time.Time{}
	err := store.writeRoles(ctx, "AddToken", func(t *sqldb.Tx) error {
		if err := reads.AcceptsMembers(t, by.Tenant); err != nil {
			return err
		}
		if k.UserID != "" && k.UserID != by.ID && by.ID != access.Operator {
			return domain.Refuse(domain.Invalid, "person", "refused_people_make_their")
		}
		if err := mayMakeTokens(t, by); err != nil {
			return err
		}
		if err := bindToken(t, by.Tenant, &k); err != nil {
			return err
		}
		scopes, addresses := access.ScopeNames(k.Scopes), access.NetworkNames(k.Addresses)
		_, err := t.Exec(`INSERT INTO api_tokens (id, tenant_id, user_id, name, role, hash, created_at, created_by, expires_at,
			revoked_at, last_used_at, scopes, addresses) VALUES (?, ?, nullif(?, ''), ?, ?, ?, ?, ?, ?, '', '', ?, ?)`,
			k.ID, by.Tenant, k.UserID, k.Name, string(k.Role), k.Hash, sqldb.Stamp(k.CreatedAt), k.CreatedBy,
			sqldb.Stamp(k.ExpiresAt), scopes, addresses)
		if err != nil {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Wrote("api_tokens", []any{k.ID}))
		details := map[string]any{"role": string(k.Role), "user": k.UserID, "expires_at": sqldb.Stamp(k.ExpiresAt)}
		if scopes != "" {
			details["scopes"] = scopes
		}
		if addresses != "" {
			details["networks"] = len(k.Addresses)
		}
		return store.AppendEvent(t, by, tokenEvent("token.added", k.ID, details))
	})
	return k, err
}

func checkToken(k *access.Token, now time.Time) (err error) {
	if err := access.CheckName("name", k.Name); err != nil {
		return err
	}
	if k.Scopes, err = access.CheckScopes(k.Scopes); err != nil {
		return err
	}
	if !k.ExpiresAt.After(now) {
		return domain.Refuse(domain.Invalid, "expires", "refused_token_expires_future")
	}
	return checkRole(k.Role)
}

// mayMakeTokens refuses a token that is narrowed: what it makes could be used where it cannot.
func mayMakeTokens(t *sqldb.Tx, by access.Actor) error {
	if by.Token == "" {
		return nil
	}
	var narrowed bool
	err := t.Row("SELECT scopes <> '' OR addresses <> '' FROM api_tokens WHERE tenant_id = ? AND id = ?",
		[]any{by.Tenant, by.Token}, &narrowed)
	if err == nil && narrowed {
		err = domain.Refuse(domain.Denied, "", "refused_token_narrow")
	}
	return err
}

// bindToken limits a person's token to the person's role, which it gets where neither has all that the other is allowed.
func bindToken(t *sqldb.Tx, tenant string, k *access.Token) error {
	if k.UserID == "" {
		return nil
	}
	if err := mayEnter(t, tenant, k.UserID); err != nil {
		return err
	}
	st, err := standingOf(t, tenant, k.UserID)
	if err != nil {
		return err
	}
	k.Role = cmp.Or(k.Role.AtMost(st.role), st.role)
	return t.Row("SELECT name FROM users WHERE id = ?", []any{k.UserID}, &k.UserName)
}

// tokenEvent returns an event about a token.
func tokenEvent(action, id string, details map[string]any) auditlog.Event {
	return auditlog.Event{Action: action, Kind: "token", ObjectID: id, Details: details}
}
