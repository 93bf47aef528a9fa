package webhooks_test

import (
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/webhook"
	"sanad/internal/webhooks"
)

func TestDelivery(t *testing.T) {
	p := newFixture(t)
	r := receive(t, status(204))
	w, secret := p.hook(r.URL + "/sanad?key=swordfish")
	p.happen(1)
	p.run()
	d := p.attempted(w.ID, 1)
	require.Equal(t, webhook.Delivery{ID: d.ID, Kind: "pack.submitted", State: db.DeliveryDone, Attempts: 1,
		Status: 204, CreatedAt: start, EndedAt: start}, d)
	require.Len(t, r.all(), 1)
	got := r.all()[0]
	at, ok := verify(secret, got)
	require.True(t, ok)
	require.Equal(t, start, at)
	_, ok = verify(secret+"x", got)
	require.False(t, ok)
	m := got.message(t)
	require.Equal(t, webhook.Message{Format: webhook.Format, ID: d.ID, Kind: "pack.submitted", At: m.At,
		Tenant: p.actor.Tenant,
		Object: webhook.Object{Kind: "pack", ID: "pack_0"}, Event: webhook.Event{ID: m.Event.ID, Seq: 2}}, m)
	require.Equal(t, []string{"application/json", d.ID, "pack.submitted"},
		[]string{got.header.Get("Content-Type"), got.header.Get("Sanad-Delivery"), got.header.Get("Sanad-Event")})
	for _, name := range []string{"Authorization", "Cookie", "Referer"} {
		require.Empty(t, got.header.Get(name))
	}
	require.NotContains(t, p.log.String(), "swordfish")
}

// A failed message is sent again after the prescribed waits, with a signature of its new time, and before later
// messages.
func TestRetry(t *testing.T) {
	p := newFixture(t)
	r := receive(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		if n <= 3 {
			w.WriteHeader(500)
		}
	})
	w, secret := p.hook(r.URL)
	p.happen(3)
	p.run()
	for i := 1; i <= 3; i++ {
		d := p.attempted(w.ID, i)
		require.Equal(t, db.DeliveryWaiting, d.State)
		require.Equal(t, []any{500, webhooks.ReasonStatus}, []any{d.Status, d.Reason})
		wait, _ := webhook.Wait(i, 0)
		require.Equal(t, p.now().Add(wait), d.NextAt)
		require.Len(t, r.all(), i, "later messages do not overtake it")
		p.move(wait - time.Second)
		p.looked()
		require.Len(t, r.all(), i, "it waits")
		p.move(time.Second)
	}
	p.until("all", func() bool { return len(r.all()) == 6 && p.deliveries(w.ID)[2].State == db.DeliveryDone })
	all := r.all()
	for i, got := range all {
		_, ok := verify(secret, got)
		require.True(t, ok)
		require.Equal(t, fmt.Sprintf("pack_%d", max(0, i-3)), got.message(t).Object.ID)
	}
	require.Equal(t, all[0].body, all[3].body, "a retry is the same message")
	require.NotEqual(t, all[0].header.Get("Sanad-Signature"), all[3].header.Get("Sanad-Signature"))
	require.Empty(t, p.deliveries(w.ID)[0].Reason)
}

func TestGivingUp(t *testing.T) {
	p := newFixture(t)
	r := receive(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		if n <= webhook.MaxAttempts {
			http.Error(w, "secret words of the receiver", http.StatusServiceUnavailable)
		}
	})
	w, secret := p.hook(r.URL + "/swordfish")
	p.happen(2)
	p.run()
	for i := 1; i <= webhook.MaxAttempts; i++ {
		p.attempted(w.ID, i)
		p.move(time.Hour)
	}
	p.until("the next one", func() bool { return p.deliveries(w.ID)[1].State == db.DeliveryDone })
	d := p.deliveries(w.ID)[0]
	require.Equal(t, []any{db.DeliveryFailed, webhook.MaxAttempts, 503, webhooks.ReasonStatus},
		[]any{d.State, d.Attempts, d.Status, d.Reason})
	require.Len(t, r.all(), webhook.MaxAttempts+1)
	require.Contains(t, p.log.String(), "given up")
	for _, hidden := range []string{"swordfish", secret, "secret words", strings.TrimPrefix(r.URL, "http://")} {
		require.NotContains(t, p.log.String(), hidden)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	p := newFixture(t)
	target := receive(t, nil)
	for _, code := range []int{301, 302, 303, 307, 308} {
		r := receive(t, func(_ int, w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, target.URL, code) })
		w, _ := p.hook(r.URL)
		_, err := p.TestWebhook(p.ctx, p.actor, w.ID)
		require.NoError(t, err)
		stop := p.run()
		d := p.attempted(w.ID, 1)
		stop()
		require.Equal(t, []any{db.DeliveryWaiting, code, webhooks.ReasonRedirect}, []any{d.State, d.Status, d.Reason})
	}
	require.Empty(t, target.all())
}

// Proxies from the environment are ignored: they could connect to addresses that are refused here.
func TestEnvironmentProxyIsNotUsed(t *testing.T) {
	proxy := receive(t, nil)
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"} {
		t.Setenv(name, proxy.URL)
	}
	p := newFixture(t)
	p.allow = nil
	w, _ := p.hook("http://203.0.113.9/x")
	p.happen(1)
	p.run()
	require.Equal(t, webhooks.ReasonRefused, p.attempted(w.ID, 1).Reason)
	require.Empty(t, proxy.all())
}

// A receiver that is slow, or sends without end, costs only the time of one attempt and delays nobody else.
func TestSlowReceivers(t *testing.T) {
	p := newFixture(t)
	// long enough that a fast receiver never counts as slow
	p.change = func(o *webhooks.Options) { o.Timeout = 3 * time.Second }
	release := make(chan struct{})
	defer close(release)
	hang := func(r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}
	silent := receive(t, func(_ int, _ http.ResponseWriter, r *http.Request) { hang(r) })
	dripping := receive(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("x"))
		_ = http.NewResponseController(w).Flush()
		hang(r)
	})
	endless := receive(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	})
	header := receive(t, func(_ int, w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("x", 1<<20)) })
	quick := receive(t, nil)
	want := map[string]string{silent.URL: webhooks.ReasonTimeout, dripping.URL: webhooks.ReasonTimeout,
		endless.URL: "", header.URL: webhooks.ReasonConnect, quick.URL: ""}
	ids := map[string]string{}
	for url := range want {
		w, _ := p.hook(url)
		ids[url] = w.ID
	}
	p.happen(1)
	p.run()
	for url, reason := range want {
		d := p.attempted(ids[url], 1)
		require.Equal(t, reason, d.Reason, url)
		require.Equal(t, reason == "", d.State == db.DeliveryDone)
	}
	require.Len(t, quick.all(), 1)
}

// Messages that wait when the process ends are sent in order after a restart; accepted ones are not sent again.
func TestRestart(t *testing.T) {
	p := newFixture(t)
	r := receive(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		if n == 2 {
			w.WriteHeader(500)
		}
	})
	w, _ := p.hook(r.URL)
	p.happen(4)
	stop := p.run()
	p.until("two", func() bool { return p.deliveries(w.ID)[1].Attempts == 1 })
	stop()
	require.NoError(t, p.Close())
	p.open()
	p.run()
	p.move(10 * time.Second)
	p.until("all", func() bool { return p.deliveries(w.ID)[3].State == db.DeliveryDone })
	var order []string
	for _, got := range r.all() {
		order = append(order, got.message(t).Object.ID)
	}
	require.Equal(t, []string{"pack_0", "pack_1", "pack_1", "pack_2", "pack_3"}, order)
}

// A shutdown during an attempt cancels it; the message counts as not sent.
func TestShutdownCancelsAttempt(t *testing.T) {
	p := newFixture(t)
	started := make(chan struct{}, 9)
	r := receive(t, func(n int, _ http.ResponseWriter, r *http.Request) {
		if n == 1 {
			started <- struct{}{}
			<-r.Context().Done()
		}
	})
	w, _ := p.hook(r.URL)
	p.happen(1)
	stop := p.run()
	<-started
	stop()
	require.Equal(t, []any{db.DeliveryWaiting, 0}, []any{p.deliveries(w.ID)[0].State, p.deliveries(w.ID)[0].Attempts})
	p.run()
	require.Equal(t, db.DeliveryDone, p.attempted(w.ID, 1).State)
}

// Many endpoints are served at once, each in order and never by two workers at a time.
func TestEndpointsAreServedConcurrently(t *testing.T) {
	p := newFixture(t)
	const endpoints, events = 12, 15
	var running, most, overlaps atomic.Int64
	var two sync.WaitGroup // the first messages to two endpoints wait for each other
	two.Add(2)
	servers := make([]*receiver, endpoints)
	ids := make([]string, endpoints)
	for i := range servers {
		var here atomic.Int64
		servers[i] = receive(t, func(n int, _ http.ResponseWriter, _ *http.Request) {
			if here.Add(1) > 1 {
				overlaps.Add(1)
			}
			at := running.Add(1)
			for old := most.Load(); at > old && !most.CompareAndSwap(old, at); old = most.Load() {
			}
			if n == 1 && i < 2 {
				two.Done()
				two.Wait()
			}
			running.Add(-1)
			here.Add(-1)
		})
		w, _ := p.hook(servers[i].URL)
		ids[i] = w.ID
	}
	p.run()
	p.happen(events) // while it runs
	for i, id := range ids {
		p.until("all of one", func() bool { d := p.deliveries(id); return len(d) == events && d[events-1].State == db.DeliveryDone })
		for j, got := range servers[i].all() {
			require.Equal(t, fmt.Sprintf("pack_%d", j), got.message(t).Object.ID)
		}
		require.Len(t, servers[i].all(), events)
	}
	require.Zero(t, overlaps.Load(), "one at a time for each endpoint")
	require.LessOrEqual(t, most.Load(), int64(8))
	require.Greater(t, most.Load(), int64(1))
}

// TLS is checked: an untrusted certificate is refused, and so is a server without TLS.
func TestTLS(t *testing.T) {
	p := newFixture(t)
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(s.Close)
	s.Config.ErrorLog = nil
	plain := receive(t, nil)
	unknown, _ := p.hook(s.URL)
	none, _ := p.hook(strings.Replace(plain.URL, "http:", "https:", 1))
	p.happen(1)
	p.roots = x509.NewCertPool()
	stop := p.run()
	require.Equal(t, webhooks.ReasonTLS, p.attempted(unknown.ID, 1).Reason)
	require.Equal(t, webhooks.ReasonTLS, p.attempted(none.ID, 1).Reason)
	stop()
	p.roots.AddCert(s.Certificate())
	p.run()
	p.move(10 * time.Second)
	require.Equal(t, db.DeliveryDone, p.attempted(unknown.ID, 2).State)
}

// An unreachable receiver has its own reason, and the system's error text is not kept.
func TestUnreachableReceiver(t *testing.T) {
	p := newFixture(t)
	s := httptest.NewServer(nil)
	s.Close()
	w, _ := p.hook(s.URL)
	p.happen(1)
	p.run()
	require.Equal(t, webhooks.ReasonConnect, p.attempted(w.ID, 1).Reason)
}

// Two servers send from one store: each message arrives once, and those of one endpoint in their order.
func TestTwoServersSendOnce(t *testing.T) {
	const endpoints, messages = 5, 20
	p := newFixture(t)
	var all []*receiver
	var ids []string
	for range endpoints {
		r := receive(t, status(204))
		w, _ := p.hook(r.URL)
		all, ids = append(all, r), append(ids, w.ID)
	}
	p.happen(messages)
	p.run()
	p.run()
	require.Eventually(t, func() bool {
		for _, id := range ids {
			for _, d := range p.deliveries(id) {
				if d.State != db.DeliveryDone {
					return false
				}
			}
		}
		return true
	}, time.Minute, 5*time.Millisecond)
	for i, r := range all {
		var got []string
		for _, m := range r.all() {
			got = append(got, m.message(t).Object.ID)
		}
		var want []string
		for n := range messages {
			want = append(want, fmt.Sprintf("pack_%d", n))
		}
		require.Equal(t, want, got)
		for _, d := range p.deliveries(ids[i]) {
			require.Equal(t, 1, d.Attempts)
		}
	}
}

// A server that was killed while it sent a message holds it up for a moment only; another one sends it then.
func TestAKilledServersMessageIsSentByAnother(t *testing.T) {
	p := newFixture(t)
	r := receive(t, status(204))
	w, _ := p.hook(r.URL)
	p.happen(1)
	due, err := p.DueDeliveries(p.ctx, p.now(), 10)
	require.NoError(t, err)
	require.Len(t, due, 1)
	taken, err := p.TakeDelivery(p.ctx, &due[0], p.now().Add(15*time.Second))
	require.NoError(t, err)
	require.True(t, taken)
	p.run()
	p.looked()
	require.Empty(t, r.all())
	p.move(15 * time.Second)
	p.attempted(w.ID, 1)
	require.Len(t, r.all(), 1)
}
