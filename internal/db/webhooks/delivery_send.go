package webhooks

import (
	"context"
	"errors"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/webhook"
)

// The states of a delivery.
const (
	DeliveryWaiting = "waiting"
	DeliveryDone    = "delivered"
	DeliveryFailed  = "failed"  // after the last attempt
	DeliveryDropped = "dropped" // its endpoint was disabled
)

// keptDeliveries is how many ended deliveries of an endpoint are kept for display.
const keptDeliveries = 100

// Deliveries lists up to limit messages to an endpoint of a tenant, newest first, after the one with the id after (""
// for the first page). next is the after of the next page. NotFound for another tenant's endpoint, and if after no
// longer exists.
func (store *Store) Deliveries(ctx context.Context, tenant, id, after string,
	limit int) (out []webhook.Delivery, next string, err error) {
	err = store.Read(ctx, "Deliveries", func(t *sqldb.Tx) error {
		if _, err := oneWebhook(t, tenant, id); err != nil {
			return err
		}
		before := int64(1) << 62
		if after != "" {
			if err := t.Row("SELECT no FROM webhook_deliveries WHERE tenant_id = ? AND webhook_id = ? AND id = ?",
				[]any{tenant, id, after}, &before); err != nil {
				return err
			}
		}
		out, err = sqldb.Collect(t, `SELECT id, kind, state, attempts, status, reason, created_at, next_at, ended_at
			FROM webhook_deliveries
			WHERE tenant_id = ? AND webhook_id = ? AND no < ? ORDER BY no DESC LIMIT ?`,
			[]any{tenant, id, before, limit + 1}, scanDelivery)
		return err
	})
	if len(out) > limit {
		out = out[:limit]
		next = out[limit-1].ID
	}
	return out, next, err
}

func scanDelivery(r sqldb.Scanner, d *webhook.Delivery) error {
	err := r.Scan(&d.ID, &d.Kind, &d.State, &d.Attempts, &d.Status, &d.Reason, sqldb.TimeInto(&d.CreatedAt),
		sqldb.TimeInto(&d.NextAt), sqldb.TimeOrNoneInto(&d.EndedAt))
	if d.State != DeliveryWaiting {
		d.NextAt = time.Time{}
	}
	return err
}

// DueDelivery is a message to be sent now. It contains a secret and is for package webhooks only.
type DueDelivery struct {
	No                int64
	Tenant, WebhookID string
	ID, Kind          string
	URL               string
	Secret            string // "" if it can't be opened: another master key, or the row was changed
	Body              []byte
	Attempts          int    // made so far
	due               string // when it was due, or until when it is taken
}

// DueDeliveries returns up to limit messages of all tenants that are due at now, the longest due first. Of each enabled
// endpoint it returns only the oldest waiting message, as messages are delivered in order.
func (store *Store) DueDeliveries(ctx context.Context, now time.Time, limit int) (out []DueDelivery, err error) {
	err = store.Read(ctx, "DueDeliveries", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, `SELECT d.no, d.tenant_id, d.webhook_id, d.id, d.kind, w.url, w.sealed, d.body, d.attempts,
			d.next_at
			FROM webhooks w JOIN webhook_deliveries d ON d.no = (SELECT min(n.no) FROM webhook_deliveries n
				WHERE n.tenant_id = w.tenant_id AND n.webhook_id = w.id AND n.state = 'waiting')
			WHERE w.disabled_at = '' AND d.next_at <= ? ORDER BY d.next_at, d.no LIMIT ?`, []any{sqldb.Stamp(now), limit},
			store.scanDue)
		return err
	})
	return out, err
}

func (store *Store) scanDue(r sqldb.Scanner, d *DueDelivery) error {
	var sealed []byte
	if err := r.Scan(&d.No, &d.Tenant, &d.WebhookID, &d.ID, &d.Kind, &d.URL, &sealed, &d.Body, &d.Attempts,
		&d.due); err != nil {
		return err
	}
	secret, err := store.Box.Open(WebhookContext(d.Tenant, d.WebhookID), sealed)
	if err != nil { // reported as a failed attempt, so that one broken row does not stop the others
		store.Logger.Error("the secret of a webhook does not open", "tenant", d.Tenant, "webhook", d.WebhookID)
	}
	d.Secret = string(secret)
	return nil
}

// TakeDelivery reserves a due message for the caller until a time, and reports whether it got it: several servers may
// send, and a message goes to one of them. If the caller dies, the message is due again at that time.
func (store *Store) TakeDelivery(ctx context.Context, d *DueDelivery, until time.Time) (taken bool, err error) {
	return store.moveDelivery(ctx, "TakeDelivery", d, sqldb.Stamp(until))
}

// ReturnDelivery makes a message that was taken and not sent due again, without counting an attempt.
func (store *Store) ReturnDelivery(ctx context.Context, d *DueDelivery) error {
	_, err := store.moveDelivery(ctx, "ReturnDelivery", d, sqldb.Stamp(store.Now()))
	return err
}

// moveDelivery changes when a message is due, unless somebody else has changed it since it was read.
func (store *Store) moveDelivery(ctx context.Context, op string, d *DueDelivery, to string) (moved bool, err error) {
	err = store.Write(ctx, sqldb.OfTenant(d.Tenant), op, func(t *sqldb.Tx) error {
		n, err := t.Exec(`UPDATE webhook_deliveries SET next_at = ? WHERE no = ? AND tenant_id = ? AND webhook_id = ?
			AND state = 'waiting' AND next_at = ?`, to, d.No, d.Tenant, d.WebhookID, d.due)
		moved = n > 0
		return err
	})
	if err == nil && moved {
		d.due = to
	}
	return moved, err
}

// Attempt is the result of one delivery attempt.
type Attempt struct {
	No      int64
	State   string    // DeliveryWaiting to try again at NextAt, DeliveryDone or DeliveryFailed
	NextAt  time.Time // for DeliveryWaiting
	Status  int
	Reason  string
	Tenant  string
	Webhook string
}

// SaveAttempt records an attempt. If the message no longer waits, because its endpoint was disabled or removed
// meanwhile, nothing is changed.
func (store *Store) SaveAttempt(ctx context.Context, a Attempt) error {
	return store.Write(ctx, sqldb.OfTenant(a.Tenant), "SaveAttempt", func(t *sqldb.Tx) error {
		now := sqldb.Stamp(store.Now())
		nextAt, endedAt := now, now
		switch a.State {
		case DeliveryWaiting:
			nextAt, endedAt = sqldb.Stamp(a.NextAt), ""
		case DeliveryDone, DeliveryFailed:
		default:
			return errors.New("an attempt ends as " + a.State)
		}
		n, err := t.Exec(`UPDATE webhook_deliveries SET state = ?, attempts = attempts + 1, next_at = ?, status = ?,
			reason = ?, ended_at = ?
			WHERE no = ? AND tenant_id = ? AND webhook_id = ? AND state = 'waiting'`, a.State, nextAt, a.Status,
			a.Reason, endedAt, a.No, a.Tenant, a.Webhook)
		if err != nil || n == 0 || endedAt == "" {
			return err
		}
		return pruneDeliveries(t, a.Tenant, a.Webhook)
	})
}

// pruneDeliveries deletes all but the newest ended deliveries of an endpoint.
func pruneDeliveries(t *sqldb.Tx, tenant, id string) error {
	_, err := t.Exec(`DELETE FROM webhook_deliveries WHERE tenant_id = ?1 AND webhook_id = ?2 AND state <> 'waiting' AND no <=
		(SELECT no FROM webhook_deliveries WHERE tenant_id = ?1 AND webhook_id = ?2 AND state <> 'waiting'
		ORDER BY no DESC LIMIT 1 OFFSET ?3)`,
		tenant, id, keptDeliveries)
	return err
}
