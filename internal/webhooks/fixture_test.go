package webhooks_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/webhook"
	"sanad/internal/keys"
	"sanad/internal/webhooks"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fixture is a store with a tenant, a deliverer, and the deliverer's log.
type fixture struct {
	*db.Store
	t      *testing.T
	ctx    context.Context
	dir    string
	actor  access.Actor
	offset atomic.Int64 // of the clock from start
	looks  atomic.Int64 // how often a deliverer has asked for the time, which it does to look for messages
	log    logged
	allow  []string // networks that are allowed although they are not public
	roots  *x509.CertPool
	change func(*webhooks.Options) // changes the options of the next run, nil for nothing
}

// logged is a log that can be read while it is written.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (p *fixture) now() time.Time        { return start.Add(time.Duration(p.offset.Load())) }
func (p *fixture) move(by time.Duration) { p.offset.Add(int64(by)) }

func newFixture(t *testing.T) *fixture {
	t.Helper()
	p := &fixture{t: t, ctx: context.Background(), dir: dbtest.Dir(t), allow: []string{"127.0.0.0/8"}}
	p.open()
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	tenant, err := p.EnsureTenant(p.ctx, "main", "Main")
	require.NoError(t, err)
	p.actor = access.Actor{Tenant: tenant.ID, ID: "id-of-noura", Role: access.Admin}
	return p
}

func (p *fixture) open() {
	box, err := keys.New(bytes.Repeat([]byte{1}, keys.MasterSize))
	require.NoError(p.t, err)
	p.Store, err = db.Open(p.ctx, db.Options{Dir: p.dir, Database: dbtest.Database(p.dir), Now: p.now, NewID: uuid.NewString, Keys: box})
	require.NoError(p.t, err)
}

// run starts a deliverer; stop ends it and waits until it has ended.
func (p *fixture) run() (stop func()) {
	p.t.Helper()
	o := webhooks.Options{
		Store: p.Store, Log: slog.New(slog.NewJSONHandler(&p.log, nil)),
		Now:     func() time.Time { p.looks.Add(1); return p.now() },
		Jitter:  func() float64 { return 0 },
		Timeout: time.Minute, Pause: time.Millisecond, Roots: p.roots,
	}
	for _, text := range p.allow {
		n, err := webhooks.ParseNetwork(text)
		require.NoError(p.t, err)
		o.Allow = append(o.Allow, n)
	}
	if p.change != nil {
		p.change(&o)
	}
	ctx, cancel := context.WithCancel(p.ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		webhooks.New(o).Run(ctx)
	}()
	var once sync.Once
	stop = func() { once.Do(func() { cancel(); <-ended }) }
	p.t.Cleanup(stop)
	return stop
}

// hook adds an endpoint for submitted and returned packs, and returns it with its secret.
func (p *fixture) hook(url string) (webhook.Endpoint, string) {
	p.t.Helper()
	w, secret, err := p.AddWebhook(p.ctx, p.actor, url, []string{"pack.submitted", "pack.returned"})
	require.NoError(p.t, err)
	return w, secret
}

// happen logs n events that the endpoints of hook receive.
func (p *fixture) happen(n int) {
	p.t.Helper()
	for i := range n {
		require.NoError(p.t, p.LogEvent(p.ctx, p.actor,
			db.Event{Action: "pack.submitted", Kind: "pack", ObjectID: fmt.Sprintf("pack_%d", i)}))
	}
}

// deliveries returns all deliveries of an endpoint, oldest first.
func (p *fixture) deliveries(id string) []webhook.Delivery {
	p.t.Helper()
	out, _, err := p.Deliveries(p.ctx, p.actor.Tenant, id, "", 1000)
	require.NoError(p.t, err)
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// until waits until is returns true; another goroutine must make that happen.
func (p *fixture) until(what string, is func() bool) {
	p.t.Helper()
	require.Eventually(p.t, is, time.Minute, 2*time.Millisecond, what)
}

// looked waits until the deliverer has looked for messages many times.
func (p *fixture) looked() {
	p.t.Helper()
	before := p.looks.Load()
	p.until("looks", func() bool { return p.looks.Load() > before+10 })
}

// attempted waits until the oldest delivery of an endpoint has had n attempts.
func (p *fixture) attempted(id string, n int) webhook.Delivery {
	p.t.Helper()
	p.until(fmt.Sprintf("%d attempts", n), func() bool { return p.deliveries(id)[0].Attempts >= n })
	return p.deliveries(id)[0]
}

// received is a request as the receiver got it.
type received struct {
	header http.Header
	body   []byte
}

func (r received) message(t *testing.T) (m webhook.Message) {
	t.Helper()
	require.NoError(t, json.Unmarshal(r.body, &m))
	return m
}

// receiver is a real HTTP server that records what it is sent. If answer is set, it writes the response.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	got    []received
	answer func(n int, w http.ResponseWriter, r *http.Request)
}

func receive(t *testing.T, answer func(n int, w http.ResponseWriter, r *http.Request)) *receiver {
	t.Helper()
	s := &receiver{answer: answer}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.got = append(s.got, received{r.Header.Clone(), body})
	n := len(s.got)
	s.mu.Unlock()
	if s.answer != nil {
		s.answer(n, w, r)
	}
}

func (s *receiver) all() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]received(nil), s.got...)
}

// verify is a receiver's check, written from docs/api.md alone and without our code.
func verify(secret string, r received) (at time.Time, ok bool) {
	var stamp, sent string
	for part := range strings.SplitSeq(r.header.Get("Sanad-Signature"), ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "t":
			stamp = value
		case "v1":
			sent = value
		}
	}
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(stamp + "." + string(r.body)))
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	return time.Unix(seconds, 0).UTC(), err == nil && hmac.Equal([]byte(hex.EncodeToString(h.Sum(nil))), []byte(sent))
}

func status(code int) func(int, http.ResponseWriter, *http.Request) {
	return func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}
