package webhooks_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"

	"sanad/internal/db"
	"sanad/internal/webhooks"
)

// names is a DNS server that answers each question for an IPv4 address with the result of give.
type names struct {
	conn  net.PacketConn
	asked atomic.Int64
	give  func(n int64) (a [4]byte, found bool)
}

func serveNames(t *testing.T, give func(n int64) ([4]byte, bool)) *names {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &names{conn: conn, give: give}
	t.Cleanup(func() { _ = conn.Close() })
	go s.serve()
	return s
}

func (s *names) serve() {
	buf := make([]byte, 1500)
	for {
		n, from, err := s.conn.ReadFrom(buf)
		if err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(buf[:n]) != nil || len(m.Questions) != 1 {
			continue
		}
		m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
		q := m.Questions[0]
		if q.Type == dnsmessage.TypeA {
			a, found := s.give(s.asked.Add(1))
			if found {
				m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type,
					Class: q.Class, TTL: 0}, Body: &dnsmessage.AResource{A: a}}}
			} else {
				m.RCode = dnsmessage.RCodeNameError
			}
		}
		if out, err := m.Pack(); err == nil {
			_, _ = s.conn.WriteTo(out, from)
		}
	}
}

func (s *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", s.conn.LocalAddr().String())
	}}
}

// underName returns the address of a server with another host name in it.
func underName(t *testing.T, address, name string) string {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	return u.Scheme + "://" + name + ":" + u.Port() + "/"
}

// If a name resolves to an allowed address first and to another one later, the address is checked at each connection;
// an earlier result does not count.
func TestRebinding(t *testing.T) {
	p := newFixture(t)
	p.allow = []string{"127.0.0.2"}
	s := serveNames(t, func(n int64) ([4]byte, bool) {
		if n == 1 {
			return [4]byte{127, 0, 0, 2}, true // allowed
		}
		return [4]byte{127, 0, 0, 1}, true
	})
	p.change = func(o *webhooks.Options) { o.Resolver = s.resolver() }
	r := receiveOnAll(t)
	w, _ := p.hook(underName(t, r.URL, "rebind.example"))
	p.happen(2)
	p.run()
	p.until("the second", func() bool { return p.deliveries(w.ID)[1].Attempts == 1 })
	all := p.deliveries(w.ID)
	require.Equal(t, db.DeliveryDone, all[0].State)
	require.Equal(t, webhooks.ReasonRefused, all[1].Reason)
	require.Len(t, r.all(), 1)
	require.EqualValues(t, 2, s.asked.Load())
}

// receiveOnAll returns a receiver that listens on every loopback address.
func receiveOnAll(t *testing.T) *receiver {
	t.Helper()
	s := &receiver{}
	l, err := net.Listen("tcp4", "0.0.0.0:0")
	require.NoError(t, err)
	s.Server = &httptest.Server{Listener: l, Config: &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// Addresses that are not public are refused however they are written, and no connection is made.
func TestPrivateAddresses(t *testing.T) {
	r := receiveOnAll(t)
	for _, host := range []string{"127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1.2.3",
		"private.example", "10.255.255.1", "169.254.169.254", "[fe80::1]"} {
		t.Run(host, func(t *testing.T) {
			p := newFixture(t)
			p.allow = nil
			s := serveNames(t, func(int64) ([4]byte, bool) { return [4]byte{127, 0, 0, 1}, true })
			p.change = func(o *webhooks.Options) { o.Resolver = s.resolver() }
			secure, _ := p.hook("https" + underName(t, r.URL, host)[4:])
			plain, _ := p.hook(underName(t, r.URL, host))
			p.happen(1)
			p.run()
			require.Equal(t, webhooks.ReasonRefused, p.attempted(secure.ID, 1).Reason)
			require.Equal(t, webhooks.ReasonRefused, p.attempted(plain.ID, 1).Reason)
		})
	}
	require.Empty(t, r.all())
}

func TestUnknownName(t *testing.T) {
	p := newFixture(t)
	s := serveNames(t, func(int64) ([4]byte, bool) { return [4]byte{}, false })
	p.change = func(o *webhooks.Options) { o.Resolver, o.Timeout = s.resolver(), 10*time.Second }
	w, _ := p.hook("https://nowhere.example/")
	p.happen(1)
	p.run()
	require.Equal(t, webhooks.ReasonRefused, p.attempted(w.ID, 1).Reason, "as a name of a private address")
	require.Contains(t, p.log.String(), "no such host", "the operator learns more")
	require.NotContains(t, p.log.String(), "https://")
}
