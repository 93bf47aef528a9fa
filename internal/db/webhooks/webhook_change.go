package webhooks

import (
	"context"
	"slices"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/webhook"
)

// WebhookChange has the new values; nil leaves a value unchanged.
type WebhookChange struct {
	URL     *string
	Kinds   []string
	Enabled *bool
}

// UpdateWebhook changes an endpoint of by's tenant and logs it. check, unless nil, is first called with the present
// endpoint and may refuse. A disabled endpoint receives nothing; messages waiting for it are dropped. When enabled
// again, it starts with new messages.
func (store *Store) UpdateWebhook(ctx context.Context, by access.Actor, id string, change WebhookChange,
	check func(webhook.Endpoint) error) (w webhook.Endpoint, err error) {
	err = store.Write(ctx, sqldb.OfTenant(by.Tenant), "UpdateWebhook", func(t *sqldb.Tx) error {
		if w, err = oneWebhook(t, by.Tenant, id); err != nil {
			return err
		}
		if check != nil {
			if err := check(w); err != nil {
				return err
			}
		}
		events, err := change.apply(&w)
		if err != nil || len(events) == 0 {
			return err
		}
		w.Revision++
		if err := store.saveWebhook(t, by.Tenant, &w); err != nil {
			return err
		}
		for _, e := range events {
			if err := store.AppendEvent(t, by, e); err != nil {
				return err
			}
		}
		w, err = oneWebhook(t, by.Tenant, id)
		return err
	})
	return w, err
}

// apply applies the change and returns the events to log; none if nothing changes.
func (webhookChange *WebhookChange) apply(w *webhook.Endpoint) (events []auditlog.Event, err error) {
	before := *w
	if webhookChange.URL != nil {
		if err := webhook.CheckURL(*webhookChange.URL); err != nil {
			return nil, err
		}
		w.URL = *webhookChange.URL
	}
	if webhookChange.Kinds != nil {
		if w.Kinds, err = webhook.CheckKinds(webhookChange.Kinds); err != nil {
			return nil, err
		}
	}
	if w.URL != before.URL || !slices.Equal(w.Kinds, before.Kinds) {
		events = append(events, webhookEvent("webhook.changed", w.ID, webhookDetails(w)))
	}
	switch {
	case webhookChange.Enabled == nil || *webhookChange.Enabled != w.Disabled:
	case w.Disabled:
		w.Disabled = false
		events = append(events, webhookEvent("webhook.enabled", w.ID, nil))
	default:
		w.Disabled = true
		events = append(events, webhookEvent("webhook.disabled", w.ID, nil))
	}
	return events, nil
}

// saveWebhook stores the values that can change, and drops messages that wait for a disabled endpoint.
func (store *Store) saveWebhook(t *sqldb.Tx, tenant string, w *webhook.Endpoint) error {
	kinds, err := sqldb.JSONText(w.Kinds)
	if err != nil {
		return err
	}
	disabledAt := ""
	if w.Disabled {
		disabledAt = sqldb.Stamp(store.Now())
		_, err := t.Exec(`UPDATE webhook_deliveries SET state = 'dropped', ended_at = ?
			WHERE tenant_id = ? AND webhook_id = ? AND state = 'waiting'`,
			disabledAt, tenant, w.ID)
		if err != nil {
			return err
		}
	}
	_, err = t.Exec("UPDATE webhooks SET url = ?, kinds = ?, revision = ?, disabled_at = ? WHERE tenant_id = ? AND id = ?",
		w.URL, kinds, w.Revision, disabledAt, tenant, w.ID)
	auditlog.Record(t, tenant, auditlog.Wrote("webhooks", []any{w.ID}, "url", "kinds", "disabled_at"))
	if err != nil || !w.Disabled {
		return err
	}
	return pruneDeliveries(t, tenant, w.ID)
}

// RotateWebhook gives an endpoint of by's tenant another secret, which signs all further attempts, and logs it.
func (store *Store) RotateWebhook(ctx context.Context, by access.Actor,
	id string) (w webhook.Endpoint, secret string, err error) {
	err = store.Write(ctx, sqldb.OfTenant(by.Tenant), "RotateWebhook", func(t *sqldb.Tx) error {
		if w, err = oneWebhook(t, by.Tenant, id); err != nil {
			return err
		}
		var sealed []byte
		if sealed, secret, err = store.webhookSecret(by.Tenant, id); err != nil {
			return err
		}
		w.Revision++
		if _, err := t.Exec("UPDATE webhooks SET sealed = ?, revision = ? WHERE tenant_id = ? AND id = ?", sealed,
			w.Revision, by.Tenant, id); err != nil {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Wrote("webhooks", []any{id}, "sealed"))
		return store.AppendEvent(t, by, webhookEvent("webhook.rotated", id, nil))
	})
	if err != nil {
		return webhook.Endpoint{}, "", err
	}
	return w, secret, nil
}

// RemoveWebhook deletes an endpoint of by's tenant with its deliveries, and logs it.
func (store *Store) RemoveWebhook(ctx context.Context, by access.Actor, id string) error {
	return store.Write(ctx, sqldb.OfTenant(by.Tenant), "RemoveWebhook", func(t *sqldb.Tx) error {
		w, err := oneWebhook(t, by.Tenant, id)
		if err != nil {
			return err
		}
		if _, err := t.Exec("DELETE FROM webhook_deliveries WHERE tenant_id = ? AND webhook_id = ?", by.Tenant,
			id); err != nil {
			return err
		}
		if _, err := t.Exec("DELETE FROM webhooks WHERE tenant_id = ? AND id = ?", by.Tenant, id); err != nil {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Deleted("webhooks", id))
		if err := store.AppendEvent(t, by, webhookEvent("webhook.removed", id, webhookDetails(&w))); err != nil {
			return err
		}
		return auditlog.ForgetTexts(t, by.Tenant, "webhook", id)
	})
}
