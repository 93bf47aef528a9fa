// Package webhooks sends what the outbox holds to the endpoints of tenants (rule SEC-10): signed, to
// public addresses only unless the operator allows others, without redirects, in order for each endpoint, again and again with
// growing waits until it is taken or given up. All its state is in the database, so it goes on after a restart where it was.
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

// Timeout is how long one attempt may take, from the resolving of the name to the end of the answer (rule SEC-10).
const Timeout = 5 * time.Second

const (
	workers = 8           // attempts at the same time; never two for one endpoint
	pause   = time.Second // between looks into the outbox while nothing ends
)

// Options is what a Deliverer is made of. Time and chance are passed in so that tests can fix them.
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

// Deliverer sends. Of the outbox it holds at most as many messages as there are workers.
type Deliverer struct {
	Options
	sender *sender
}

// New makes a Deliverer.
func New(o Options) *Deliverer {
	if o.Timeout == 0 {
		o.Timeout = Timeout
	}
	if o.Pause == 0 {
		o.Pause = pause
	}
	return &Deliverer{o, newSender(&o)}
}

// endpoint names an endpoint of any tenant.
type endpoint struct{ tenant, id string }

// Run sends until ctx ends; then what is under way is broken off, as not having been sent, and all of it has ended.
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

// doneUnless is ctx's end, or nothing where attempts must end first.
func doneUnless(ctx context.Context, busy bool) <-chan struct{} {
	if busy {
		return nil
	}
	return ctx.Done()
}

// start begins an attempt for each message that is due, as long as there are workers. Messages of busy endpoints come back at
// the next look.
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

// attempt sends one message and records how that ended. Logged is no address, as it may hold a secret.
func (d *Deliverer) attempt(ctx context.Context, m *db.DueDelivery) {
	status, reason := d.sender.send(ctx, m)
	if reason != "" && ctx.Err() != nil {
		return // broken off by our own end: it is due again when we come back
	}
	a := db.Attempt{No: m.No, Tenant: m.Tenant, Webhook: m.WebhookID, State: db.DeliveryDone, Status: status, Reason: reason}
	if reason != "" {
		wait, more := webhook.Wait(m.Attempts+1, d.Jitter())
		a.State, a.NextAt = db.DeliveryWaiting, d.Now().Add(wait)
		if !more {
			a.State = db.DeliveryFailed
			d.Log.Warn("a webhook message was given up", "tenant", m.Tenant, "webhook", m.WebhookID, "delivery", m.ID, "reason", reason, "status", status)
		}
	}
	// What was taken is recorded although we are ending: else it would be sent twice.
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), Timeout)
	defer cancel()
	if err := d.Store.SaveAttempt(saving, a); err != nil {
		d.Log.Error("a webhook attempt cannot be recorded", "tenant", m.Tenant, "webhook", m.WebhookID, "err", err)
		d.rest(ctx)
	}
}

// rest holds an endpoint up for a while: a store that takes no writes must not have receivers sent the same again and again.
func (d *Deliverer) rest(ctx context.Context) {
	select {
	case <-time.After(10 * d.Pause):
	case <-ctx.Done():
	}
}
