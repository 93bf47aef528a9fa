package people

import (
	"context"
	"net/netip"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// usedEvery is the precision of LastUsedAt.
const usedEvery = time.Minute

// TokenActor returns the actor of a token's hash, used from an address, in one query. A machine has the second factor
// of the person who made its token; the operator's need none. The error is NotFound if no token has this hash, if it is
// revoked or expired, or if its person is disabled, and Denied if the token may not be used from there. The role is the
// lower of the token's and the person's. It records the use, at most once a minute.
func (store *Store) TokenActor(ctx context.Context, hash string, from netip.Addr) (access.Actor, error) {
	var a access.Actor
	var addresses string
	var required, has bool
	var person access.Role
	var used time.Time
	now := store.Now()
	err := store.Read(ctx, "TokenActor", func(t *sqldb.Tx) error {
		return t.Row(`SELECT k.id, k.tenant_id, k.role, k.last_used_at, coalesce(k.user_id, k.id), coalesce(u.name, k.name),
			coalesce(m.role, ''), coalesce(m.title, ''), k.user_id IS NOT NULL, k.scopes, k.addresses,
			n.second_factor, CASE WHEN k.user_id IS NULL THEN k.created_by = ?3 ELSE FALSE END OR EXISTS (SELECT 1 FROM users w
				WHERE w.id = coalesce(k.user_id, k.created_by) AND w.totp IS NOT NULL)
			FROM api_tokens k JOIN tenants n ON n.id = k.tenant_id LEFT JOIN users u ON u.id = k.user_id
			LEFT JOIN memberships m ON m.tenant_id = k.tenant_id AND m.user_id = k.user_id
			WHERE k.hash = ?1 AND k.revoked_at = '' AND k.expires_at > ?2
			AND (k.user_id IS NULL OR u.disabled_at = '' AND m.disabled_at = '')`, []any{hash, sqldb.Stamp(now), access.Operator},
			&a.Token, &a.Tenant, &a.Role, sqldb.TimeOrNoneInto(&used), &a.ID, &a.User, &person, &a.Title, &a.Human, &a.Scopes,
			&addresses, &required, &has)
	})
	if err != nil {
		return access.Actor{}, err
	}
	networks, err := access.ParseNetworks(addresses)
	if err != nil || !access.MayComeFrom(networks, from) {
		return access.Actor{}, domain.Refuse(domain.Denied, "", "fault_token_elsewhere")
	}
	if a.Human {
		a.Role = a.Role.AtMost(person)
	}
	a.Unproven = access.LacksFactor(required, a.Role, has)
	if now.Sub(used) >= usedEvery {
		store.noteUse(ctx, a.Token, now)
	}
	return a, nil
}

// noteUse records when a token was last used. It does not wait for other writes, and its failure fails no request: the
// next request records it.
func (store *Store) noteUse(ctx context.Context, id string, now time.Time) {
	if store.WritersBusy() {
		return
	}
	_ = store.Write(ctx, sqldb.AsyncRow, "TokenActor", func(t *sqldb.Tx) error { // see above
		_, err := t.Exec("UPDATE api_tokens SET last_used_at = ? WHERE id = ? AND last_used_at <= ?",
			sqldb.Stamp(now), id, sqldb.Stamp(now.Add(-usedEvery)))
		return err
	})
}
