package notices

import (
	"context"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/notify"
)

// Notify tells a member of a tenant of something, in the transaction of what it tells of, unless they did it
// themselves; people who have left, machines and the operator are told nothing. The oldest go if a person has too many.
func (store *Store) Notify(t *sqldb.Tx, tenant string, n *notify.Message) error {
	if n.To == "" || n.To == n.By {
		return nil
	}
	stored, err := t.Exec(`INSERT INTO notifications (tenant_id, user_id, key, kind, object_kind, object_id, claim, place,
		by_id, at, read_at)
		SELECT m.tenant_id, m.user_id, ?, ?, ?, ?, ?, ?, ?, ?, '' FROM memberships m
		JOIN users u ON u.id = m.user_id
		WHERE m.tenant_id = ? AND m.user_id = ? AND m.disabled_at = '' AND u.disabled_at = ''
		ON CONFLICT (tenant_id, user_id, key) DO NOTHING`,
		n.Key, string(n.Kind), n.ObjectKind, n.ObjectID, n.Claim, n.Place, n.By, sqldb.Stamp(store.Now()), tenant, n.To)
	if err != nil || stored == 0 {
		return err
	}
	if err := store.queueMail(t, tenant, n); err != nil {
		return err
	}
	_, err = t.Exec(`DELETE FROM notifications WHERE tenant_id = ?1 AND user_id = ?2 AND no <= (SELECT no FROM notifications
		WHERE tenant_id = ?1 AND user_id = ?2 ORDER BY no DESC LIMIT 1 OFFSET ?3)`, tenant, n.To, notify.KeptMax)
	return err
}

// Told reports whether a person was told of what has a key, as long as that is kept.
func (store *Store) Told(t *sqldb.Tx, tenant, user, key string) (told bool, err error) {
	err = t.Row("SELECT count(*) > 0 FROM notifications WHERE tenant_id = ? AND user_id = ? AND key = ?",
		[]any{tenant, user, key}, &told)
	return told, err
}

// Settled marks notifications of a kind about an object as read: what they asked for is done. user "" means
// everybody's.
func (store *Store) Settled(t *sqldb.Tx, tenant string, kind notify.Kind, object, id, user string) error {
	_, err := t.Exec(`UPDATE notifications SET read_at = ?
		WHERE tenant_id = ? AND object_kind = ? AND object_id = ? AND kind = ? AND read_at = '' AND (?6 = '' OR user_id = ?6)`,
		sqldb.Stamp(store.Now()), tenant, object, id, string(kind), user)
	return err
}

// Unseated marks as read what a person was told of sessions in which they have no seat any more.
func (store *Store) Unseated(t *sqldb.Tx, tenant, user string) error {
	const mine = " FROM sessions s WHERE s.tenant_id = ?2 AND (s.first_reviewer = ?3 OR s.second_reviewer = ?3)"
	_, err := t.Exec(`UPDATE notifications SET read_at = ?1 WHERE tenant_id = ?2 AND user_id = ?3 AND kind = ?4
		AND read_at = '' AND (object_kind = 'session' AND object_id NOT IN (SELECT s.id`+mine+`)
		OR object_kind = 'sessions' AND NOT EXISTS (SELECT 1`+mine+" AND s.status = 'open'))",
		sqldb.Stamp(store.Now()), tenant, user, string(notify.Assigned))
	return err
}

// PruneNotices deletes notifications older than notify.KeptFor, of all tenants, some at a time.
func (store *Store) PruneNotices(ctx context.Context) (pruned int64, err error) {
	return store.Prune(ctx, "PruneNotices",
		"DELETE FROM notifications WHERE no IN (SELECT no FROM notifications WHERE at < ? LIMIT ?)",
		sqldb.Stamp(store.Now().Add(-notify.KeptFor)), 5000)
}
