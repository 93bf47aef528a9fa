package db

import (
	"context"
	"time"

	"sanad/internal/domain"
)

// Token is an API token without its secret.
type Token struct {
	ID         string
	UserID     string // the person it acts as; "" for a machine token
	UserName   string // display name; set by the store
	Name       string
	Role       domain.Role
	Hash       string // HashToken of the secret; empty in lists
	CreatedAt  time.Time
	CreatedBy  string // id of an actor; set by the store
	ExpiresAt  time.Time
	RevokedAt  time.Time // zero while valid
	LastUsedAt time.Time // zero if never used
}

// AddToken stores a token of by's tenant and logs it. A person's token requires an enabled membership (NotFound) and
// gets at most the person's role. The store sets CreatedAt, and ID if it is "".
func (s *Store) AddToken(ctx context.Context, by domain.Actor, k Token) (Token, error) {
	now := s.now().UTC()
	if err := checkToken(k, now); err != nil {
		return Token{}, err
	}
	if k.ID == "" {
		k.ID = s.newID()
	}
	k.CreatedAt, k.CreatedBy, k.RevokedAt, k.LastUsedAt = now, by.ID, time.Time{}, time.Time{}
	err := s.writeRoles(ctx, "AddToken", func(t *tx) error {
		if err := acceptsMembers(t, by.Tenant); err != nil {
			return err
		}
		if err := bindToken(t, by.Tenant, &k); err != nil {
			return err
		}
		_, err := t.exec(`INSERT INTO api_tokens (id, tenant_id, user_id, name, role, hash, created_at, created_by, expires_at, revoked_at, last_used_at)
			VALUES (?, ?, nullif(?, ''), ?, ?, ?, ?, ?, ?, '', '')`,
			k.ID, by.Tenant, k.UserID, k.Name, string(k.Role), k.Hash, stamp(k.CreatedAt), k.CreatedBy,
			stamp(k.ExpiresAt))
		if err != nil {
			return err
		}
		return s.appendEvent(t, by, tokenEvent("token.added", k.ID, map[string]any{
			"role": string(k.Role), "user": k.UserID, "expires_at": stamp(k.ExpiresAt),
		}))
	})
	return k, err
}

func checkToken(k Token, now time.Time) error {
	if err := domain.CheckName("name", k.Name); err != nil {
		return err
	}
	if !k.ExpiresAt.After(now) {
		return domain.Invalidf("expires", "A token expires in the future.")
	}
	return checkRole(k.Role)
}

// bindToken limits a person's token to the person's role.
func bindToken(t *tx, tenant string, k *Token) error {
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
	k.Role = k.Role.AtMost(st.role)
	return t.row("SELECT name FROM users WHERE id = ?", []any{k.UserID}, &k.UserName)
}

// RevokeToken revokes a token of by's tenant at once and logs it; NotFound for another tenant's.
func (s *Store) RevokeToken(ctx context.Context, by domain.Actor, id string) error {
	return s.writeRoles(ctx, "RevokeToken", func(t *tx) error {
		var revoked bool
		err := t.row("SELECT revoked_at FROM api_tokens WHERE tenant_id = ? AND id = ?", []any{by.Tenant, id},
			setColumn{&revoked})
		if err != nil || revoked {
			return err
		}
		_, err = t.exec("UPDATE api_tokens SET revoked_at = ? WHERE tenant_id = ? AND id = ?", stamp(s.now()),
			by.Tenant, id)
		if err != nil {
			return err
		}
		return s.appendEvent(t, by, tokenEvent("token.revoked", id, nil))
	})
}

// tokenEvent returns an event about a token.
func tokenEvent(action, id string, details map[string]any) Event {
	return Event{Action: action, Kind: "token", ObjectID: id, Details: details}
}
