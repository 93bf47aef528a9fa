package notices

import (
	"context"
	"time"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/notify"
)

// queueMail has a notification that was stored just now mailed, if mail is set up and the person wants it. It is in the
// transaction of what it tells of: one row for each notification, which has one person.
func (store *Store) queueMail(t *sqldb.Tx, tenant string, n *notify.Message) error {
	if store.Needs.Mail == nil {
		return nil
	}
	settings, err := mailSettings(t, tenant, n.To)
	if err != nil {
		return err
	}
	due, daily := store.Now().Add(notify.MailGrace), false
	switch settings.Choices.Of(n.Kind) {
	case notify.Off:
		return nil
	case notify.Daily:
		daily = true
		if due, err = store.nextDaily(t, tenant); err != nil {
			return err
		}
	}
	_, err = t.Exec(`INSERT INTO mail_queue (notice, tenant_id, user_id, due_at, daily, mail)
		SELECT no, tenant_id, user_id, ?, ?, '' FROM notifications WHERE tenant_id = ? AND user_id = ? AND key = ?`,
		sqldb.Stamp(due), daily, tenant, n.To, n.Key)
	return err
}

// nextDaily returns when the next daily mail of a tenant is sent: at its hour in the tenant's zone, if it has one.
func (store *Store) nextDaily(t *sqldb.Tx, tenant string) (time.Time, error) {
	zone := ""
	err := t.Row("SELECT time_zone FROM tenants WHERE id = ?", []any{tenant}, &zone)
	return store.Needs.Mail.In(zone).Next(store.Now()), err
}

// testMailsPerHour bounds the test messages of a person.
const testMailsPerHour = 5

// QueueTestMail adds a test message to by, and to nobody else, to the outbox. Conflict if by has no address, or asked
// for too many.
func (store *Store) QueueTestMail(ctx context.Context, by access.Actor) error {
	return store.Write(ctx, sqldb.OfTenant(by.Tenant), "QueueTestMail", func(t *sqldb.Tx) error {
		to, err := mailTarget(t, by)
		if err != nil {
			return err
		}
		if to.Address == "" {
			return domain.Refuse(domain.Conflict, "", "fault_mail_no_address")
		}
		var n int
		err = t.Row("SELECT count(*) FROM mails WHERE user_id = ? AND kind = 'test' AND created_at > ?",
			[]any{by.ID, sqldb.Stamp(store.Now().Add(-time.Hour))}, &n)
		if err != nil {
			return err
		}
		if n >= testMailsPerHour {
			return domain.Refuse(domain.Conflict, "", "refused_mail_many_tests", "N", n)
		}
		return store.insertMail(t, store.NewID(), by.Tenant, by.ID, notify.MailTest)
	})
}

func (store *Store) insertMail(t *sqldb.Tx, id, tenant, user, kind string) error {
	now := sqldb.Stamp(store.Now())
	_, err := t.Exec(`INSERT INTO mails (id, tenant_id, user_id, kind, state, attempts, next_at, status, reason, created_at,
		ended_at) VALUES (?, ?, ?, ?, 'waiting', 0, ?, 0, '', ?, '')`, id, tenant, user, kind, now, now)
	return err
}

// MailSummary returns how the mails to people of a tenant fare, with the newest limit that are waiting or were not
// sent.
func (store *Store) MailSummary(ctx context.Context, tenant string, limit int) (out notify.MailSummary, err error) {
	err = store.Read(ctx, "MailSummary", func(t *sqldb.Tx) error {
		err := t.Row(`SELECT mail_titles, time_zone, (SELECT count(*) FROM mail_queue q WHERE q.tenant_id = n.id AND q.mail = '')
			FROM tenants n WHERE n.id = ?`, []any{tenant}, &out.Titles, &out.Zone, &out.Queued)
		if err != nil {
			return err
		}
		err = t.Row(`SELECT count(*) FILTER (WHERE state = 'waiting'), count(*) FILTER (WHERE state = 'sent'),
			count(*) FILTER (WHERE state = 'failed'), count(*) FILTER (WHERE state = 'dropped') FROM mails WHERE tenant_id = ?`,
			[]any{tenant}, &out.Waiting, &out.Sent, &out.Failed, &out.Dropped)
		if err != nil {
			return err
		}
		out.Recent, err = sqldb.Collect(t,
			"SELECT x.id, x.user_id, coalesce("+reads.NameOf("x", "user_id")+`, ''), x.kind, x.state,
			x.attempts, x.status, x.reason, x.created_at, x.next_at, x.ended_at FROM mails x
			WHERE x.tenant_id = ? AND (x.state IN ('failed', 'waiting') OR x.kind = 'test')
			ORDER BY x.created_at DESC, x.id LIMIT ?`, []any{tenant, limit},
			func(r sqldb.Scanner, m *notify.MailRow) error {
				err := r.Scan(&m.ID, &m.UserID, &m.Name, &m.Kind, &m.State, &m.Attempts, &m.Status, &m.Reason,
					sqldb.TimeInto(&m.CreatedAt), sqldb.TimeInto(&m.NextAt), sqldb.TimeOrNoneInto(&m.EndedAt))
				if m.State != notify.MailWaiting {
					m.NextAt = time.Time{}
				}
				return err
			})
		return err
	})
	return out, err
}

// PruneMails deletes mails that ended more than notify.MailsKept ago, of all tenants, some at a time.
func (store *Store) PruneMails(ctx context.Context) (pruned int64, err error) {
	return store.Prune(ctx, "PruneMails",
		"DELETE FROM mails WHERE id IN (SELECT id FROM mails WHERE ended_at <> '' AND ended_at < ? LIMIT ?)",
		sqldb.Stamp(store.Now().Add(-notify.MailsKept)), 5000)
}
