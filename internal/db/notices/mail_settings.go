package notices

import (
	"context"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/notify"
)

// MailSettings are what a person wants by mail in a tenant.
type MailSettings struct {
	Lang    string // "" if it isn't known
	Chosen  bool   // the person has saved them
	Choices notify.Choices
}

// MailTarget is where a member's mails go, and by which zone.
type MailTarget struct {
	Address string // "" if none
	Zone    string // of the tenant, "" if none was set
}

func mailSettings(t *sqldb.Tx, tenant, user string) (out MailSettings, err error) {
	err = t.Row("SELECT lang, chosen, choices FROM mail_settings WHERE tenant_id = ? AND user_id = ?",
		[]any{tenant, user},
		&out.Lang, &out.Chosen, sqldb.JSONInto(&out.Choices))
	if sqldb.NoRow(err) {
		err = nil
	}
	return out, err
}

// MailSettings returns what a person wants by mail in their tenant, and where it goes.
func (store *Store) MailSettings(ctx context.Context, who access.Actor) (out MailSettings, to MailTarget, err error) {
	err = store.Read(ctx, "MailSettings", func(t *sqldb.Tx) error {
		if out, err = mailSettings(t, who.Tenant, who.ID); err != nil {
			return err
		}
		to, err = mailTarget(t, who)
		return err
	})
	return out, to, err
}

// mailTarget returns where mails to a member go; NotFound for anybody else.
func mailTarget(t *sqldb.Tx, who access.Actor) (to MailTarget, err error) {
	var login, email, contact, slug string
	err = t.Row(`SELECT u.login, u.email, u.contact, n.slug, n.time_zone FROM memberships m JOIN users u ON u.id = m.user_id
		JOIN tenants n ON n.id = m.tenant_id WHERE m.tenant_id = ? AND m.user_id = ?`, []any{who.Tenant, who.ID},
		&login, &email, &contact, &slug, &to.Zone)
	to.Address = notify.MailTo(login, email, contact, slug)
	return to, err
}

// SetMailSettings stores what a member wants by mail, as change makes it of what was stored.
func (store *Store) SetMailSettings(ctx context.Context, who access.Actor,
	change func(MailSettings) (MailSettings, error)) (out MailSettings, err error) {
	err = store.Write(ctx, sqldb.OfTenant(who.Tenant), "SetMailSettings", func(t *sqldb.Tx) error {
		if err := isMember(t, who.Tenant, who.ID); err != nil {
			return err
		}
		was, err := mailSettings(t, who.Tenant, who.ID)
		if err != nil {
			return err
		}
		if out, err = change(was); err != nil {
			return err
		}
		out.Chosen = true
		out.Choices = out.Choices.All()
		choices, err := sqldb.JSONText(out.Choices)
		if err != nil {
			return err
		}
		_, err = t.Exec(`INSERT INTO mail_settings (tenant_id, user_id, lang, chosen, choices) VALUES (?, ?, ?, 1, ?)
			ON CONFLICT (tenant_id, user_id) DO UPDATE SET lang = excluded.lang, chosen = 1, choices = excluded.choices`,
			who.Tenant, who.ID, out.Lang, choices)
		return err
	})
	return out, err
}

// NoteLanguage keeps the language in which a person logged in, for mails to who has chosen none.
func (store *Store) NoteLanguage(ctx context.Context, who access.Actor, lang string) error {
	return store.Write(ctx, sqldb.OfTenant(who.Tenant), "NoteLanguage", func(t *sqldb.Tx) error {
		_, err := t.Exec(`INSERT INTO mail_settings (tenant_id, user_id, lang, chosen, choices) VALUES (?, ?, ?, 0, '{}')
			ON CONFLICT (tenant_id, user_id) DO UPDATE SET lang = excluded.lang WHERE chosen = 0`, who.Tenant, who.ID, lang)
		return err
	})
}

// isMember returns NotFound if somebody is not a member of a tenant.
func isMember(t *sqldb.Tx, tenant, userID string) error {
	var one int
	return t.Row("SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.tenant_id = ? AND m.user_id = ?",
		[]any{tenant, userID}, &one)
}
