package people

import (
	"cmp"
	"context"
	"encoding/base64"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/letterhead"
)

// maxFreshness is the maximum of Tenant.FreshnessMonths.
const maxFreshness = 120

// SetFreshness changes for how many months a source of by's tenant stays fresh, and logs it.
func (store *Store) SetFreshness(ctx context.Context, by access.Actor, months int) error {
	if months < 1 || months > maxFreshness {
		return domain.Refuse(domain.Invalid, "freshness_months", "refused_sources_stay_fresh", "N", maxFreshness)
	}
	return store.changeTenant(ctx, by, "freshness_months", months, map[string]any{"freshness_months": months})
}

// SetSecondReview changes whether two people review sessions of by's tenant imported from now on, and logs it.
func (store *Store) SetSecondReview(ctx context.Context, by access.Actor, second ledger.SecondReview) error {
	if !second.Valid() {
		return domain.Refuse(domain.Invalid, "second_review", "refused_choose_open_blind")
	}
	return store.changeTenant(ctx, by, "second_review", string(second), map[string]any{"second_review": second.Name()})
}

// SetTimeZone changes in which time zone days of by's tenant end, and logs it. Due dates that are set already stay as
// they are.
func (store *Store) SetTimeZone(ctx context.Context, by access.Actor, name string) error {
	zone, err := due.Zone(name)
	if err != nil {
		return err
	}
	name = due.ZoneName(zone)
	return store.changeTenant(ctx, by, "time_zone", name, map[string]any{"time_zone": cmp.Or(name, "UTC")})
}

// SetWeekStart changes with which day weeks of by's tenant begin, and logs it.
func (store *Store) SetWeekStart(ctx context.Context, by access.Actor, day access.WeekStart) error {
	if !day.Valid() {
		return domain.Refuse(domain.Invalid, "week_start", "refused_week_start")
	}
	return store.changeTenant(ctx, by, "week_start", string(day), map[string]any{"week_start": day.Weekday().String()})
}

// SetCalendar changes whether by's tenant reads Hijri dates beside Gregorian ones, and logs it.
func (store *Store) SetCalendar(ctx context.Context, by access.Actor, calendar access.Calendar) error {
	if !calendar.Valid() {
		return domain.Refuse(domain.Invalid, "calendar", "refused_calendar")
	}
	return store.changeTenant(ctx, by, "calendar", string(calendar), map[string]any{"hijri": calendar == access.Hijri})
}

// RenameTenant changes the display name of by's tenant, and logs it.
func (store *Store) RenameTenant(ctx context.Context, by access.Actor, name string) error {
	if err := access.CheckName("name", name); err != nil {
		return err
	}
	return store.changeTenant(ctx, by, "name", name, map[string]any{"name": true})
}

// SetMailTitles changes whether mails to people of by's tenant name the titles of sessions and packs, and logs it.
func (store *Store) SetMailTitles(ctx context.Context, by access.Actor, on bool) error {
	return store.changeTenant(ctx, by, "mail_titles", on, map[string]any{"mail_titles": on})
}

// SetReminders changes when approvers of by's tenant are reminded of packs that wait for them, and logs it.
func (store *Store) SetReminders(ctx context.Context, by access.Actor, r due.Reminders) error {
	if err := r.Check(); err != nil {
		return err
	}
	return store.Write(ctx, sqldb.EveryTenant, "SetReminders", func(t *sqldb.Tx) error {
		if err := reads.AcceptsMembers(t, by.Tenant); err != nil {
			return err
		}
		n, err := t.Exec(`UPDATE tenants SET remind_after = ?, remind_every = ?, remind_most = ? WHERE id = ?
			AND (remind_after <> ? OR remind_every <> ? OR remind_most <> ?)`, r.After, r.Every, r.Most, by.Tenant, r.After,
			r.Every, r.Most)
		if err != nil || n == 0 {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Wrote("tenants", []any{by.Tenant}, "remind_after", "remind_every",
			"remind_most"))
		return store.AppendEvent(t, by, tenantEvent("tenant.changed", by.Tenant, map[string]any{
			"remind_after": r.After, "remind_every": r.Every, "remind_most": r.Most}))
	})
}

// SetLetterhead changes what stands at the head of PDFs of by's tenant that are made from now on, and logs that it was
// changed. Files that are stored stay as they are.
func (store *Store) SetLetterhead(ctx context.Context, by access.Actor, l letterhead.Letterhead) error {
	name, address, err := letterhead.Tidy(l.Name, l.Address)
	if err != nil {
		return err
	}
	if len(l.Logo) > 0 {
		if l.Logo, err = letterhead.ReadLogo(l.Logo); err != nil {
			return err
		}
	}
	logo := base64.StdEncoding.EncodeToString(l.Logo)
	return store.Write(ctx, sqldb.EveryTenant, "SetLetterhead", func(t *sqldb.Tx) error {
		if err := reads.AcceptsMembers(t, by.Tenant); err != nil {
			return err
		}
		n, err := t.Exec(`UPDATE tenants SET letter_name = ?, letter_address = ?, letter_logo = ? WHERE id = ?
			AND (letter_name <> ? OR letter_address <> ? OR letter_logo <> ?)`, name, address, logo, by.Tenant, name, address,
			logo)
		if err != nil || n == 0 {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Wrote("tenants", []any{by.Tenant}, "letter_name", "letter_address",
			"letter_logo"))
		return store.AppendEvent(t, by, tenantEvent("tenant.changed", by.Tenant, map[string]any{"letterhead": true}))
	})
}

func (store *Store) changeTenant(ctx context.Context, by access.Actor, column string, v any,
	details map[string]any) error {
	return store.Write(ctx, sqldb.EveryTenant, "ChangeTenant", func(t *sqldb.Tx) error {
		if err := reads.AcceptsMembers(t, by.Tenant); err != nil {
			return err
		}
		n, err := t.Exec("UPDATE tenants SET "+column+" = ? WHERE id = ? AND "+column+" <> ?", v, by.Tenant, v)
		if err != nil || n == 0 {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Wrote("tenants", []any{by.Tenant}, column))
		return store.AppendEvent(t, by, tenantEvent("tenant.changed", by.Tenant, details))
	})
}

// tenantEvent returns an event about a tenant.
func tenantEvent(action, id string, details map[string]any) auditlog.Event {
	return auditlog.Event{Action: action, Kind: "tenant", ObjectID: id, Details: details}
}
