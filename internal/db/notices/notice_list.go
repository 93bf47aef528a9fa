package notices

import (
	"context"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/notify"
)

// noticeTitle is where a notification's title stands: in the session or pack that it is about, which must still be
// there. Several sessions have none; of a deputy it is the name of the other person.
var noticeTitle = `CASE n.object_kind WHEN 'sessions' THEN ''
	WHEN 'deputy' THEN ` + reads.OtherOfDeputy + `
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
func (store *Store) Notices(ctx context.Context, who access.Actor, unread bool, before int64,
	limit int) (out []notify.Notice, err error) {
	query, args := fromNotices, []any{who.Tenant, who.ID}
	if unread {
		query += " AND n.read_at = ''"
	}
	if before > 0 {
		query, args = query+" AND n.no < ?", append(args, before)
	}
	err = store.Read(ctx, "Notices", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, query+" ORDER BY n.no DESC LIMIT ?", append(args, limit), scanNotice)
		return err
	})
	return out, err
}

// UnreadNotices counts the unread notifications of a person in a tenant, up to limit.
func (store *Store) UnreadNotices(ctx context.Context, who access.Actor, limit int) (n int, err error) {
	err = store.Read(ctx, "UnreadNotices", func(t *sqldb.Tx) error {
		return t.Row(`SELECT count(*) FROM (SELECT 1 FROM notifications WHERE tenant_id = ? AND user_id = ? AND read_at = ''
			LIMIT ?) AS unread`, []any{who.Tenant, who.ID, limit}, &n)
	})
	return n, err
}

// ReadNotice marks one notification of a person as read; NotFound for anybody else's.
func (store *Store) ReadNotice(ctx context.Context, who access.Actor, no int64) error {
	return store.Write(ctx, sqldb.OfTenant(who.Tenant), "ReadNotice", func(t *sqldb.Tx) error {
		n, err := t.Exec(`UPDATE notifications SET read_at = CASE read_at WHEN '' THEN ? ELSE read_at END
			WHERE tenant_id = ? AND user_id = ? AND no = ?`, sqldb.Stamp(store.Now()), who.Tenant, who.ID, no)
		return sqldb.RefuseUnlessOne(n, err, sqldb.NotFound())
	})
}

// ReadNotices marks all notifications of a person up to the one with the number last as read.
func (store *Store) ReadNotices(ctx context.Context, who access.Actor, last int64) error {
	return store.Write(ctx, sqldb.OfTenant(who.Tenant), "ReadNotices", func(t *sqldb.Tx) error {
		_, err := t.Exec("UPDATE notifications SET read_at = ? WHERE tenant_id = ? AND user_id = ? AND no <= ? AND read_at = ''",
			sqldb.Stamp(store.Now()), who.Tenant, who.ID, last)
		return err
	})
}
