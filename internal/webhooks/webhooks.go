// Package webhooks sends the messages of the outbox to the endpoints of tenants (rule SEC-10): signed, without
// redirects, in order for each endpoint, and only to public addresses unless the operator allows others. It retries
// with growing waits until the receiver accepts the message or it is given up. All state is in the database, so that a
// restart continues where the last run stopped.
package webhooks

import (
	"context"
	"crypto/x509"
	"log/slog"
	"net"
	"net/netip"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain/webhook"
)

// Timeout limits one attempt, from resolving the name to the end of the answer (rule SEC-10).
const Timeout = 5 * time.Second

const (
	workers = 8           // concurrent attempts, at most one per endpoint
	pause   = time.Second // between polls of the outbox while no attempt ends
	leases  = 3           // for how many timeouts a message belongs to the server that sends it
)

// Options configures a Deliverer. The clock and randomness are passed in so that tests can fix them.
type Options struct {
	Store  *db.Store
	Log    *slog.Logger
	Now    func() time.Time
	Jitter func() float64 // in [0, 1)
	Allow  []netip.Prefix // networks that may be sent to besides public ones (serve --webhook-allow)

	Timeout  time.Duration  // 0 for Timeout
	Pause    time.Duration  // 0 for a second
	Resolver *net.Resolver  // nil for the system's
	Roots    *x509.CertPool // nil for the system's
}

// Deliverer sends messages. It holds at most as many messages of the outbox in memory as there are workers.
type Deliverer struct {
	Options
	sender *sender
}

// New returns a Deliverer.
func New(o Options) *Deliverer {
	if o.Timeout == 0 {
		o.Timeout = Timeout
	}
	if o.Pause == 0 {
		o.Pause = pause
	}
	return &Deliverer{o, newSender(&o)}
}

// endpoint identifies an endpoint of any tenant.
type endpoint struct{ tenant, id string }

// Run sends until ctx ends. It then cancels running attempts, which count as not sent, and returns when all have ended.
func (d *Deliverer) Run(ctx context.Context) {
	tick := time.NewTicker(d.Pause)
	defer tick.Stop()
	busy, ended := map[endpoint]bool{}, make(chan endpoint, workers)
	for ctx.Err() == nil || len(busy) > 0 {
		if ctx.Err() == nil && len(busy) < workers {
			d.start(ctx, busy, ended)
		}
		select {
		case e := <-ended:
			delete(busy, e)
		case <-tick.C:
		case <-doneUnless(ctx, len(busy) > 0):
		}
	}
}

// doneUnless returns ctx.Done(), or nil while attempts are still running.
func doneUnless(ctx context.Context, busy bool) <-chan struct{} {
	if busy {
		return nil
	}
	return ctx.Done()
}

// start begins an attempt for each due message while workers are free. Messages of busy endpoints are returned again by
// the next poll.
func (d *Deliverer) start(ctx context.Context, busy map[endpoint]bool, ended chan<- endpoint) {
	due, err := d.Store.DueDeliveries(ctx, d.Now(), 2*workers)
	if err != nil {
		if ctx.Err() == nil {
			d.Log.Error("the outbox of webhooks cannot be read", "err", err)
		}
		return
	}
	for i := range due {
		e := endpoint{due[i].Tenant, due[i].WebhookID}
		if busy[e] || len(busy) >= workers {
			continue
		}
		busy[e] = true
		go func() {
			defer func() { ended <- e }()
			d.attempt(ctx, &due[i])
		}()
	}
}

// attempt sends one message and records the outcome. Of a failure
// tenants learn the reason alone; what the connection said is in the log, never the address, which may contain a
// secret.
func (d *Deliverer) attempt(ctx context.Context, m *db.DueDelivery) {
	if taken, err := d.Store.TakeDelivery(ctx, m, d.Now().Add(leases*d.Timeout)); err != nil || !taken {
		if err != nil && ctx.Err() == nil {
			d.Log.Error("a webhook message cannot be taken", "tenant", m.Tenant, "webhook", m.WebhookID, "err", err)
			d.coolDown(ctx)
		}
		return // another server has it
	}
	o := d.sender.send(ctx, m)
	if o.reason != "" && ctx.Err() != nil { // cancelled by our shutdown: the message is due again
		d.giveBack(ctx, m)
		return
	}
	a := db.Attempt{No: m.No, Tenant: m.Tenant, Webhook: m.WebhookID, State: db.DeliveryDone, Status: o.status,
		Reason: o.reason}
	if o.reason != "" {
		d.Log.Info("a webhook attempt failed", "tenant", m.Tenant, "webhook", m.WebhookID, "delivery", m.ID,
			"reason", o.reason, "status", o.status, "cause", causeWords(o.cause))
		wait, more := webhook.Wait(m.Attempts+1, d.Jitter())
		a.State, a.NextAt = db.DeliveryWaiting, d.Now().Add(wait)
		if !more {
			a.State = db.DeliveryFailed
			d.Log.Warn("a webhook message was given up", "tenant", m.Tenant, "webhook", m.WebhookID, "delivery", m.ID,
				"reason", o.reason, "status", o.status)
		}
	}
	// Record an accepted message even during shutdown; otherwise it would be sent twice.
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), Timeout)
	defer cancel()
	if err := d.Store.SaveAttempt(saving, a); err != nil {
		d.Log.Error("a webhook attempt cannot be recorded", "tenant", m.Tenant, "webhook", m.WebhookID, "err", err)
		d.coolDown(ctx)
	}
}

func (d *Deliverer) giveBack(ctx context.Context, m *db.DueDelivery) {
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := d.Store.ReturnDelivery(saving, m); err != nil {
		d.Log.Warn("a webhook message waits a little: it could not be given back", "tenant", m.Tenant, "err", err)
	}
}

// coolDown blocks an endpoint for a while: if the store refuses writes, receivers must not get the same message
// repeatedly.
func (d *Deliverer) coolDown(ctx context.Context) {
	select {
	case <-time.After(10 * d.Pause):
	case <-ctx.Done():
	}
}
