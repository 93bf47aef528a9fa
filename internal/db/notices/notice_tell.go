package notices

import (
	"context"
	"errors"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/notify"
)

// Notify tells a member of a tenant of something, in the transaction of what it tells of, unless they did it
// themselves; people who have left, machines and the operator are told nothing. The oldest go if a person has too many.
func (s *Store) Notify(t *sqldb.Tx, tenant string, n *notify.Message) error {
	if n.To == "" || n.To == n.By {
		return nil
	}
	stored, err := t.Exec(`INSERT INTO notifications (tenant_id, user_id, key, kind, object_kind, object_id, claim, place,
		by_id, at, read_at)
		SELECT m.tenant_id, m.user_id, ?, ?, ?, ?, ?, ?, ?, ?, '' FROM memberships m
		JOIN users u ON u.id = m.user_id
		WHERE m.tenant_id = ? AND m.user_id = ? AND m.disabled_at = '' AND u.disabled_at = ''
		ON CONFLICT (tenant_id, user_id, key) DO NOTHING`,
		n.Key, string(n.Kind), n.ObjectKind, n.ObjectID, n.Claim, n.Place, n.By, sqldb.Stamp(s.Now()), tenant, n.To)
	if err != nil || stored == 0 {
		return err
	}
	if err := s.queueMail(t, tenant, n); err != nil {
		return err
	}
	_, err = t.Exec(`DELETE FROM notifications WHERE tenant_id = ?1 AND user_id = ?2 AND no <= (SELECT no FROM notifications
		WHERE tenant_id = ?1 AND user_id = ?2 ORDER BY no DESC LIMIT 1 OFFSET ?3)`, tenant, n.To, notify.KeptMax)
	return err
}

// Settled marks notifications of a kind about an object as read: what they asked for is done. user "" means
// everybody's.
func (s *Store) Settled(t *sqldb.Tx, tenant string, kind notify.Kind, object, id, user string) error {
	_, err := t.Exec(`UPDATE notifications SET read_at = ?
		WHERE tenant_id = ? AND object_kind = ? AND object_id = ? AND kind = ? AND read_at = '' AND (?6 = '' OR user_id = ?6)`,
		sqldb.Stamp(s.Now()), tenant, object, id, string(kind), user)
	return err
}

// ForgetNotices deletes all notifications about an object that is erased.
func (*Store) ForgetNotices(t *sqldb.Tx, tenant, object, id string) error {
	_, err := t.Exec("DELETE FROM notifications WHERE tenant_id = ? AND object_kind = ? AND object_id = ?", tenant,
		object, id)
	return err
}

// noticeTitle is where a notification's title stands: in the session or pack that it is about, which must still be
// there.
const noticeTitle = `CASE n.object_kind
	WHEN 'session' THEN (SELECT CASE WHEN s.title <> '' THEN s.title ELSE s.query END FROM sessions s
		WHERE s.tenant_id = n.tenant_id AND s.id = n.object_id)
	ELSE (SELECT p.title FROM evidence_packs p WHERE p.tenant_id = n.tenant_id AND p.pack_id = n.object_id) END`

var fromNotices = "SELECT n.no, n.kind, n.object_kind, n.object_id, " + noticeTitle + `, n.claim, n.place,
	coalesce(` + reads.NameOf("n", "by_id") + `, ''), n.at, n.read_at FROM notifications n
	WHERE n.tenant_id = ? AND n.user_id = ? AND ` + noticeTitle + " IS NOT NULL"

func scanNotice(r sqldb.Scanner, n *notify.Notice) error {
	return r.Scan(&n.No, &n.Kind, &n.ObjectKind, &n.ObjectID, &n.Title, &n.Claim, &n.Place, &n.By,
		sqldb.TimeInto(&n.At),
		sqldb.SetInto(&n.Read))
}

// Notices lists up to limit notifications of a person in a tenant, newest first, that came before the one with the
// number before (0 for the newest); unread leaves out what was read. The caller asks whether the person may still see
// what each is about.
func (s *Store) Notices(ctx context.Context, who access.Actor, unread bool, before int64,
	limit int) (out []notify.Notice, err error) {
	query, args := fromNotices, []any{who.Tenant, who.ID}
	if unread {
		query += " AND n.read_at = ''"
	}
	if before > 0 {
		query, args = query+" AND n.no < ?", append(args, before)
	}
	err = s.Read(ctx, "Notices", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, query+" ORDER BY n.no DESC LIMIT ?", append(args, limit), scanNotice)
		return err
	})
	return out, err
}

// UnreadNotices counts the unread notifications of a person in a tenant, up to limit.
func (s *Store) UnreadNotices(ctx context.Context, who access.Actor, limit int) (n int, err error) {
	err = s.Read(ctx, "UnreadNotices", func(t *sqldb.Tx) error {
		return t.Row(`SELECT count(*) FROM (SELECT 1 FROM notifications WHERE tenant_id = ? AND user_id = ? AND read_at = ''
			LIMIT ?) AS unread`, []any{who.Tenant, who.ID, limit}, &n)
	})
	return n, err
}

// ReadNotice marks one notification of a person as read; NotFound for anybody else's.
func (s *Store) ReadNotice(ctx context.Context, who access.Actor, no int64) error {
	return s.Write(ctx, sqldb.OfTenant(who.Tenant), "ReadNotice", func(t *sqldb.Tx) error {
		n, err := t.Exec(`UPDATE notifications SET read_at = CASE read_at WHEN '' THEN ? ELSE read_at END
			WHERE tenant_id = ? AND user_id = ? AND no = ?`, sqldb.Stamp(s.Now()), who.Tenant, who.ID, no)
		return sqldb.RefuseUnlessOne(n, err, sqldb.NotFound())
	})
}

// ReadNotices marks all notifications of a person up to the one with the number last as read.
func (s *Store) ReadNotices(ctx context.Context, who access.Actor, last int64) error {
	return s.Write(ctx, sqldb.OfTenant(who.Tenant), "ReadNotices", func(t *sqldb.Tx) error {
		_, err := t.Exec("UPDATE notifications SET read_at = ? WHERE tenant_id = ? AND user_id = ? AND no <= ? AND read_at = ''",
			sqldb.Stamp(s.Now()), who.Tenant, who.ID, last)
		return err
	})
}

// PruneNotices deletes notifications older than notify.KeptFor, of all tenants, some at a time.
func (s *Store) PruneNotices(ctx context.Context) (pruned int64, err error) {
	return s.Prune(ctx, "PruneNotices",
		"DELETE FROM notifications WHERE no IN (SELECT no FROM notifications WHERE at < ? LIMIT ?)",
		sqldb.Stamp(s.Now().Add(-notify.KeptFor)), 5000)
}

// ForgetSession deletes what people were told of a session that is erased, and its due date.
func (s *Store) ForgetSession(t *sqldb.Tx, tenant, id string, _ int) error {
	return errors.Join(s.ForgetNotices(t, tenant, notify.Session, id), s.ForgetDue(t, tenant, notify.Session, id))
}

// ForgetWords keeps all: a notification repeats no text of a document.
func (s *Store) ForgetWords(*sqldb.Tx, string, string, int) error { return nil }
