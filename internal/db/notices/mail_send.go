package notices

import (
	"context"
	"errors"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/notify"
)

// addressee is a person in a tenant.
type addressee struct{ tenant, user string }

// GatherMails puts the notifications that are to be mailed now into mails, one for each person and tenant, of up to
// limit people. It returns how many people it looked at.
func (store *Store) GatherMails(ctx context.Context, limit int) (n int, err error) {
	var people []addressee
	err = store.Read(ctx, "GatherMails", func(t *sqldb.Tx) error {
		people, err = sqldb.Collect(t, "SELECT DISTINCT tenant_id, user_id FROM mail_queue WHERE mail = '' AND due_at <= ? LIMIT ?",
			[]any{sqldb.Stamp(store.Now()), limit},
			func(r sqldb.Scanner, a *addressee) error { return r.Scan(&a.tenant, &a.user) })
		return err
	})
	for _, a := range people {
		if err == nil {
			err = store.Write(ctx, sqldb.OfTenant(a.tenant), "GatherMails",
				func(t *sqldb.Tx) error { return store.gatherMail(t, a) })
		}
	}
	return len(people), err
}

const dueInQueue = "tenant_id = ?1 AND user_id = ?2 AND mail = '' AND due_at <= ?3"

// gatherMail makes one mail of what a person is to be told of now. What was read meanwhile, or is stale, is left out.
// Who got too many mails within the hour gets the rest with the daily one.
func (store *Store) gatherMail(t *sqldb.Tx, a addressee) error {
	now := store.Now()
	_, err := t.Exec("DELETE FROM mail_queue WHERE "+dueInQueue+` AND notice IN (SELECT no FROM notifications
		WHERE tenant_id = ?1 AND user_id = ?2 AND (read_at <> '' OR at < ?4))`, a.tenant, a.user, sqldb.Stamp(now),
		sqldb.Stamp(now.Add(-notify.MailStale)))
	if err != nil {
		return err
	}
	var lately int
	err = t.Row("SELECT count(*) FROM mails WHERE user_id = ? AND created_at > ? AND kind = 'notices' AND state <> 'dropped'",
		[]any{a.user, sqldb.Stamp(now.Add(-time.Hour))}, &lately)
	if err != nil {
		return err
	}
	if lately >= notify.MailsPerHour && store.Needs.Mail != nil {
		next, err := store.nextDaily(t, a.tenant)
		if err != nil {
			return err
		}
		if _, err = t.Exec("UPDATE mail_queue SET due_at = ?4, daily = 1 WHERE "+dueInQueue+" AND daily = 0",
			a.tenant, a.user,
			sqldb.Stamp(now), sqldb.Stamp(next)); err != nil {
			return err
		}
	}
	var due, daily int
	if err := t.Row("SELECT count(*), coalesce(sum(daily), 0) FROM mail_queue WHERE "+dueInQueue,
		[]any{a.tenant, a.user, sqldb.Stamp(now)}, &due, &daily); err != nil || due == 0 {
		return err
	}
	id, kind := store.NewID(), notify.MailNotices
	if daily == due {
		kind = notify.MailDigest
	}
	if err := store.insertMail(t, id, a.tenant, a.user, kind); err != nil {
		return err
	}
	_, err = t.Exec("UPDATE mail_queue SET mail = ?4 WHERE "+dueInQueue, a.tenant, a.user, sqldb.Stamp(now), id)
	return err
}

// DueMail is a mail to be sent now, with what it is to tell. Whether the person may still see each of it is for the
// caller to ask.
type DueMail struct {
	ID, Kind   string
	Who        access.Actor // the person in the tenant; with no role if they have left or were disabled
	Address    string       // "" if none
	TenantName string
	Titles     bool // the tenant allows titles in mails
	Settings   MailSettings
	Attempts   int // made so far
	Notices    []notify.Notice
	due        string // when it was due, or until when it is taken
}

// DueMails returns up to limit mails of all tenants that are due, the longest due first.
func (store *Store) DueMails(ctx context.Context, limit int) (out []DueMail, err error) {
	err = store.Read(ctx, "DueMails", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, `SELECT x.id, x.kind, x.attempts, x.tenant_id, x.user_id, u.name, u.login, u.email, u.contact,
			n.slug, n.name, n.mail_titles, coalesce((SELECT m.role FROM memberships m WHERE m.tenant_id = x.tenant_id
				AND m.user_id = x.user_id AND m.disabled_at = '' AND u.disabled_at = ''), ''),
			coalesce(w.lang, ''), coalesce(w.chosen, 0), coalesce(w.choices, '{}'), x.next_at
			FROM mails x JOIN users u ON u.id = x.user_id JOIN tenants n ON n.id = x.tenant_id
			LEFT JOIN mail_settings w ON w.tenant_id = x.tenant_id AND w.user_id = x.user_id
			WHERE x.state = 'waiting' AND x.next_at <= ? ORDER BY x.next_at, x.id LIMIT ?`, []any{sqldb.Stamp(store.Now()), limit},
			scanDueMail)
		if err != nil {
			return err
		}
		for i := range out {
			m := &out[i]
			m.Notices, err = sqldb.Collect(t, fromNotices+` AND n.read_at = ''
				AND n.no IN (SELECT q.notice FROM mail_queue q WHERE q.mail = ?) ORDER BY n.no DESC`,
				[]any{m.Who.Tenant, m.Who.ID, m.ID}, scanNotice)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

func scanDueMail(r sqldb.Scanner, m *DueMail) error {
	var login, email, contact, slug string
	err := r.Scan(&m.ID, &m.Kind, &m.Attempts, &m.Who.Tenant, &m.Who.ID, &m.Who.User, &login, &email, &contact, &slug,
		&m.TenantName, &m.Titles, &m.Who.Role, &m.Settings.Lang, &m.Settings.Chosen,
		sqldb.JSONInto(&m.Settings.Choices),
		&m.due)
	m.Who.Human = true
	m.Address = notify.MailTo(login, email, contact, slug)
	return err
}

// TakeMail reserves a due mail for the caller until a time, and reports whether it got it: several servers may send,
// and a mail goes to one of them. If the caller dies, the mail is due again at that time.
func (store *Store) TakeMail(ctx context.Context, m *DueMail, until time.Time) (taken bool, err error) {
	return store.moveMail(ctx, "TakeMail", m, sqldb.Stamp(until))
}

// ReturnMail makes a mail that was taken and not sent due again, without counting an attempt.
func (store *Store) ReturnMail(ctx context.Context, m *DueMail) error {
	_, err := store.moveMail(ctx, "ReturnMail", m, sqldb.Stamp(store.Now()))
	return err
}

// moveMail changes when a mail is due, unless somebody else has changed it since it was read.
func (store *Store) moveMail(ctx context.Context, op string, m *DueMail, to string) (moved bool, err error) {
	err = store.Write(ctx, sqldb.SingleRow, op, func(t *sqldb.Tx) error {
		n, err := t.Exec("UPDATE mails SET next_at = ? WHERE id = ? AND state = 'waiting' AND next_at = ?", to, m.ID,
			m.due)
		moved = n > 0
		return err
	})
	if err == nil && moved {
		m.due = to
	}
	return moved, err
}

// MailAttempt is how an attempt to send a mail ended.
type MailAttempt struct {
	ID     string
	State  string    // notify.MailWaiting to try again at NextAt, else one of the others
	NextAt time.Time // for notify.MailWaiting
	Status int       // SMTP reply code, 0 if none
	Reason string
}

// SaveMailAttempt records an attempt. Nothing is changed if the mail no longer waits.
func (store *Store) SaveMailAttempt(ctx context.Context, a MailAttempt) error {
	return store.Write(ctx, sqldb.SingleRow, "SaveMailAttempt", func(t *sqldb.Tx) error {
		now := sqldb.Stamp(store.Now())
		next, ended := now, now
		switch a.State {
		case notify.MailWaiting:
			next, ended = sqldb.Stamp(a.NextAt), ""
		case notify.MailSent, notify.MailFailed, notify.MailDropped:
		default:
			return errors.New("an attempt ends as " + a.State)
		}
		_, err := t.Exec(`UPDATE mails SET state = ?, attempts = attempts + 1, next_at = ?, status = ?, reason = ?, ended_at = ?
			WHERE id = ? AND state = 'waiting'`, a.State, next, a.Status, a.Reason, ended, a.ID)
		return err
	})
}

// MailsWaiting counts the mails that wait, of all tenants.
func (store *Store) MailsWaiting(ctx context.Context) (n int, err error) {
	err = store.Read(ctx, "MailsWaiting", func(t *sqldb.Tx) error {
		return t.Row("SELECT count(*) FROM mails WHERE state = 'waiting'", nil, &n)
	})
	return n, err
}
