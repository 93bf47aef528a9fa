package webhooks

import (
	"context"
	"slices"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/webhook"
)

// listener is an endpoint that may have subscribed to an event.
type listener struct {
	id      string
	kinds   []string
	waiting int
}

// Tell writes the messages about an event, in its transaction, for every endpoint that subscribed to its kind or to one
// of also; object is the one that receivers are told of, by the id that the caller chose. It sends one query for events
// that endpoints can subscribe to, and none for others.
func (store *Store) Tell(t *sqldb.Tx, e *audit.Event, object audit.Object, also []string) error {
	var kinds []string
	if slices.Contains(webhook.Kinds, e.Action) {
		kinds = append(kinds, e.Action)
	}
	kinds = append(kinds, also...)
	if len(kinds) == 0 {
		return nil
	}
	listeners, err := sqldb.Collect(t, `SELECT w.id, w.kinds, (SELECT count(*) FROM webhook_deliveries d
		WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.id AND d.state = 'waiting')
		FROM webhooks w WHERE w.tenant_id = ? AND w.disabled_at = '' ORDER BY w.id`, []any{e.Tenant},
		func(r sqldb.Scanner, l *listener) error { return r.Scan(&l.id, sqldb.JSONInto(&l.kinds), &l.waiting) })
	if err != nil {
		return err
	}
	for i := range listeners {
		for _, kind := range kinds {
			if !slices.Contains(listeners[i].kinds, kind) {
				continue
			}
			if err := store.post(t, &listeners[i], e, object, kind); err != nil {
				return err
			}
		}
	}
	return nil
}

// post adds one message to an endpoint's outbox. If too many wait already, it counts the message as missed, so that an
// unreachable endpoint can't fill the disk.
func (store *Store) post(t *sqldb.Tx, l *listener, e *audit.Event, object audit.Object, kind string) error {
	if l.waiting >= webhook.MaxWaiting {
		_, err := t.Exec("UPDATE webhooks SET missed = missed + 1 WHERE tenant_id = ? AND id = ?", e.Tenant, l.id)
		return err
	}
	l.waiting++
	_, err := store.postMessage(t, l.id, webhook.Message{
		ID: store.NewID(), Kind: kind, At: e.At, Tenant: e.Tenant, Object: webhook.Object(object),
		Event: webhook.Event{ID: e.ID, Seq: e.Seq},
	})
	return err
}

func (store *Store) postMessage(t *sqldb.Tx, endpoint string, m webhook.Message) (id string, err error) {
	body, err := m.Body()
	if err != nil {
		return "", err
	}
	at := sqldb.Stamp(store.Now())
	_, err = t.Exec(`INSERT INTO webhook_deliveries (tenant_id, webhook_id, id, kind, body, created_at, state,
		attempts, next_at, status, reason, ended_at)
		VALUES (?, ?, ?, ?, ?, ?, 'waiting', 0, ?, 0, '', '')`, m.Tenant, endpoint, m.ID, m.Kind, body, at, at)
	return m.ID, err
}

// TestWebhook adds a test message to the outbox of an endpoint of by's tenant, and logs it. It is delivered like every
// other message. Conflict if the endpoint is disabled or has too many waiting messages.
func (store *Store) TestWebhook(ctx context.Context, by access.Actor, id string) (delivery string, err error) {
	err = store.Write(ctx, sqldb.OfTenant(by.Tenant), "TestWebhook", func(t *sqldb.Tx) error {
		w, err := oneWebhook(t, by.Tenant, id)
		switch {
		case err != nil:
			return err
		case w.Disabled:
			return domain.Refuse(domain.Conflict, "", "refused_webhook_disabled_enable")
		case w.Waiting >= webhook.MaxWaiting:
			return domain.Refuse(domain.Conflict, "", "refused_too_many_messages")
		}
		if err := store.AppendEvent(t, by, webhookEvent("webhook.tested", id, nil)); err != nil {
			return err
		}
		delivery, err = store.postMessage(t, id, webhook.Message{
			ID: store.NewID(), Kind: webhook.Test, At: sqldb.Stamp(store.Now()), Tenant: by.Tenant,
			Object: webhook.Object{Kind: "webhook", ID: id},
		})
		return err
	})
	return delivery, err
}
