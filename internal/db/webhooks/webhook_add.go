package webhooks

import (
	"context"
	"io"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/webhook"
)

const webhookColumns = `w.id, w.url, w.kinds, w.revision, w.missed, w.created_at, w.created_by, w.disabled_at,
	(SELECT count(*) FROM webhook_deliveries d WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.id
	AND d.state = 'waiting')`

func scanWebhook(r sqldb.Scanner, w *webhook.Endpoint) error {
	return r.Scan(&w.ID, &w.URL, sqldb.JSONInto(&w.Kinds), &w.Revision, &w.Missed, sqldb.TimeInto(&w.CreatedAt),
		&w.CreatedBy,
		sqldb.SetInto(&w.Disabled), &w.Waiting)
}

// Webhooks lists a tenant's endpoints, the newest first; there are at most webhook.MaxEndpoints.
func (store *Store) Webhooks(ctx context.Context, tenant string) (out []webhook.Endpoint, err error) {
	err = store.Read(ctx, "Webhooks", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, "SELECT "+webhookColumns+
			" FROM webhooks w WHERE w.tenant_id = ? ORDER BY w.created_at DESC, "+auditlog.Logged("min", "webhook",
			"w", "id")+" DESC",
			[]any{tenant}, scanWebhook)
		return err
	})
	return out, err
}

// Webhook returns one endpoint of a tenant; NotFound for another tenant's.
func (store *Store) Webhook(ctx context.Context, tenant, id string) (w webhook.Endpoint, err error) {
	err = store.Read(ctx, "Webhook", func(t *sqldb.Tx) error {
		w, err = oneWebhook(t, tenant, id)
		return err
	})
	return w, err
}

func oneWebhook(t *sqldb.Tx, tenant, id string) (webhook.Endpoint, error) {
	return sqldb.First(sqldb.Collect(t, "SELECT "+webhookColumns+" FROM webhooks w WHERE w.tenant_id = ? AND w.id = ?",
		[]any{tenant, id}, scanWebhook))
}

// AddWebhook creates an endpoint of by's tenant and logs it. The secret is returned only here, and stored sealed.
func (store *Store) AddWebhook(ctx context.Context, by access.Actor, address string,
	kinds []string) (w webhook.Endpoint, secret string, err error) {
	if err := webhook.CheckURL(address); err != nil {
		return w, "", err
	}
	if kinds, err = webhook.CheckKinds(kinds); err != nil {
		return w, "", err
	}
	w = webhook.Endpoint{ID: store.NewID(), URL: address, Kinds: kinds, CreatedAt: store.Now().UTC(), CreatedBy: by.ID}
	sealed, secret, err := store.webhookSecret(by.Tenant, w.ID)
	if err != nil {
		return webhook.Endpoint{}, "", sqldb.Fail("AddWebhook", err)
	}
	err = store.Write(ctx, sqldb.OfTenant(by.Tenant), "AddWebhook", func(t *sqldb.Tx) error {
		if err := roomForWebhook(t, by.Tenant); err != nil {
			return err
		}
		list, err := sqldb.JSONText(w.Kinds)
		if err != nil {
			return err
		}
		_, err = t.Exec(`INSERT INTO webhooks (tenant_id, id, url, kinds, sealed, revision, missed, created_at,
			created_by, disabled_at)
			VALUES (?, ?, ?, ?, ?, 0, 0, ?, ?, '')`, by.Tenant, w.ID, w.URL, list, sealed, sqldb.Stamp(w.CreatedAt),
			w.CreatedBy)
		if err != nil {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Wrote("webhooks", []any{w.ID}))
		return store.AppendEvent(t, by, webhookEvent("webhook.added", w.ID, webhookDetails(&w)))
	})
	if err != nil {
		return webhook.Endpoint{}, "", err
	}
	return w, secret, nil
}

// roomForWebhook returns an error if a tenant has the maximum number of endpoints.
func roomForWebhook(t *sqldb.Tx, tenant string) error {
	if err := reads.AcceptsMembers(t, tenant); err != nil {
		return err
	}
	var n int
	if err := t.Row("SELECT count(*) FROM webhooks WHERE tenant_id = ?", []any{tenant}, &n); err != nil {
		return err
	}
	if n >= webhook.MaxEndpoints {
		return domain.Refuse(domain.Conflict, "", "refused_organisation_most_webhooks", "N", webhook.MaxEndpoints)
	}
	return nil
}

// webhookSecret creates a secret and seals it for its endpoint.
func (store *Store) webhookSecret(tenant, id string) (sealed []byte, secret string, err error) {
	random := make([]byte, secretBytes)
	if _, err := io.ReadFull(store.Random, random); err != nil {
		return nil, "", err
	}
	secret = webhook.Secret(random)
	sealed, err = store.Box.Seal(WebhookContext(tenant, id), []byte(secret))
	return sealed, secret, err
}

// secretBytes is the length of an endpoint's secret.
const secretBytes = 32

// WebhookContext binds a sealed secret to its endpoint.
func WebhookContext(tenant, id string) string { return "webhook/" + tenant + "/" + id }

// webhookEvent returns an event about an endpoint.
func webhookEvent(action, id string, details map[string]any) auditlog.Event {
	return auditlog.Event{Action: action, Kind: "webhook", ObjectID: id, Details: details}
}

// webhookDetails describes an endpoint for the log. Its address, which may contain a secret, is included as
// a hash only.
func webhookDetails(w *webhook.Endpoint) map[string]any {
	return map[string]any{"kinds": w.Kinds, "url_commitment": auditlog.Hide(w.URL)}
}
