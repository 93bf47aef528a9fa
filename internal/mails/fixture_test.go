package mails_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/e2e/interop"
	"sanad/internal/handlers/webtest"
	"sanad/internal/mails"
)

const (
	user     = "sanad"
	password = "correct horse battery staple"
)

// relay is a real SMTP server that keeps what it takes. The functions, if set, answer a command instead; n begins
// at 1.
type relay struct {
	t      *testing.T
	port   int
	trust  *x509.CertPool
	mu     sync.Mutex
	got    []received
	logins int
	datas  int
	onMail func(from string) error
	onRcpt func(to string) error
	onData func(n int, c *smtp.Conn, r io.Reader) error
}

// received is a message as the relay took it.
type received struct {
	from, to string
	data     []byte
	secure   bool
	login    bool
}

// relayOptions change how a relay listens.
type relayOptions struct {
	implicit bool // TLS from the first byte
	noTLS    bool
	noAuth   bool
}

func startRelay(t *testing.T, o relayOptions) *relay {
	t.Helper()
	certFile, keyFile, trust := interop.NewCertificate(t, t.TempDir(), 1)
	cert, err := tls.LoadX509KeyPair(certFile, keyFile)
	require.NoError(t, err)
	r := &relay{t: t, trust: trust}
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		s := &session{relay: r, conn: c}
		if o.noAuth {
			return struct{ smtp.Session }{s}, nil
		}
		return s, nil
	}))
	server.Domain, server.ErrorLog = "relay.test", silent{}
	server.ReadTimeout, server.WriteTimeout = 20*time.Second, 20*time.Second
	server.AllowInsecureAuth = o.noTLS
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	r.port = listener.Addr().(*net.TCPAddr).Port
	switch config := (&tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}); {
	case o.implicit:
		listener = tls.NewListener(listener, config)
	case !o.noTLS:
		server.TLSConfig = config
	}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return r
}

type silent struct{}

func (silent) Printf(string, ...any) {}
func (silent) Println(...any)        {}

// session is one connection to the relay.
type session struct {
	relay    *relay
	conn     *smtp.Conn
	login    bool
	from, to string
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, u, p string) error {
		if u != user || p != password {
			return errors.New("no")
		}
		s.login = true
		s.relay.mu.Lock()
		defer s.relay.mu.Unlock()
		s.relay.logins++
		return nil
	}), nil
}

func (s *session) Reset()        { s.from, s.to = "", "" }
func (s *session) Logout() error { return nil }

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	if s.relay.onMail != nil {
		return s.relay.onMail(from)
	}
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	if s.relay.onRcpt != nil {
		return s.relay.onRcpt(to)
	}
	return nil
}

func (s *session) Data(r io.Reader) error {
	s.relay.mu.Lock()
	s.relay.datas++
	n, onData := s.relay.datas, s.relay.onData
	s.relay.mu.Unlock()
	if onData != nil {
		if err := onData(n, s.conn, r); err != nil {
			return err
		}
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	_, secure := s.conn.TLSConnectionState()
	s.relay.mu.Lock()
	defer s.relay.mu.Unlock()
	s.relay.got = append(s.relay.got, received{from: s.from, to: s.to, data: data, secure: secure, login: s.login})
	return nil
}

func (r *relay) all() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]received(nil), r.got...)
}

func (r *relay) tries() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.datas
}

// desk is the app with a relay and somebody who sends its mails.
type desk struct {
	*webtest.Server
	t     *testing.T
	ctx   context.Context
	relay *relay
	log   logged
	may   access.Authorizer
	edit  func(*mails.Options)
	posts []*mails.Post // that were run
}

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

func newDesk(t *testing.T, o relayOptions) *desk {
	t.Helper()
	d := &desk{Server: webtest.NewServer(t), t: t, ctx: context.Background(), relay: startRelay(t, o),
		may: access.ByRole{}}
	for _, who := range []string{"reviewer", "approver", "admin", "viewer"} {
		d.address(who, who+"@people.test")
	}
	return d
}

// address gives a person an address, as the operator does.
func (d *desk) address(who, address string) {
	d.t.Helper()
	require.NoError(d.t, d.Store.SetEmail(d.ctx, access.AtCommandLine(d.Tenant.ID), d.Person(who).ID, address))
}

// actor is a person as the store knows them.
func (d *desk) actor(who string) access.Actor {
	p := d.Person(who)
	return access.Actor{Tenant: d.Tenant.ID, ID: p.ID, User: p.Name, Role: access.Role(who), Human: true}
}

func (d *desk) options() mails.Options {
	o := mails.Options{
		Store: d.Store, Log: slog.New(slog.NewJSONHandler(&d.log, nil)), Now: d.Clock.Now,
		Jitter: func() float64 { return 0 }, Authorizer: d.may, MAC: d.Keys.MAC,
		Server: mails.Server{Host: "127.0.0.1", Port: d.relay.port, Mode: mails.StartTLS, User: user, Password: password,
			Hello: "sanad.test", Timeout: time.Minute, Roots: d.relay.trust},
		From: "sanad@sanad.test", FromName: "Sanad", Base: "https://sanad.test",
		Pause: 2 * time.Millisecond, Breather: 5 * time.Millisecond,
	}
	if d.edit != nil {
		d.edit(&o)
	}
	return o
}

// run sends mails until stop is called or the test ends.
func (d *desk) run() (p *mails.Post, stop func()) {
	d.t.Helper()
	p = mails.New(d.options())
	d.posts = append(d.posts, p)
	ctx, cancel := context.WithCancel(d.ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.Run(ctx)
	}()
	var once sync.Once
	stop = func() { once.Do(func() { cancel(); <-ended }) }
	d.t.Cleanup(stop)
	return p, stop
}

func (d *desk) until(what string, is func() bool) {
	d.t.Helper()
	require.Eventually(d.t, is, time.Minute, 3*time.Millisecond, what)
}

// calm waits until nothing is left to do. What is being sent is not due, so that is asked last.
func (d *desk) calm() {
	d.t.Helper()
	d.until("nothing is due", func() bool {
		n, err := d.Store.GatherMails(d.ctx, 10)
		require.NoError(d.t, err)
		due, err := d.Store.DueMails(d.ctx, 10)
		require.NoError(d.t, err)
		return n == 0 && len(due) == 0 &&
			!slices.ContainsFunc(d.posts, func(p *mails.Post) bool { return p.Sending() > 0 })
	})
}

// session imports a session of some claims.
func (d *desk) session() string {
	d.t.Helper()
	return d.Create(webtest.ManyClaims(3)).SessionID
}

// mention has the reviewer address somebody in a comment, in words that no mail may hold.
func (d *desk) mention(session, who string) {
	d.t.Helper()
	res := d.As("reviewer").Do("POST", "/api/v1/sessions/"+session+"/claims/2/reviews",
		`{"action":"comment","reason":"@`+d.Person(who).Login+` Zanzibarite words"}`, "If-Match", "*")
	require.Equal(d.t, 201, res.Code, res.Body.String())
}

// summary lists the tenant's mails that were not sent, newest first.
func (d *desk) summary() (out []string) {
	d.t.Helper()
	all, err := d.Store.MailSummary(d.ctx, d.Tenant.ID, 100)
	require.NoError(d.t, err)
	for _, m := range all.Recent {
		out = append(out, strings.TrimSpace(m.State+" "+m.Reason))
	}
	return out
}

// letter is a message as a mail program reads it.
type letter struct {
	header     mail.Header
	subject    string
	text, html string
}

// read parses a message with what the standard library has, and none of the sender's code.
func read(t *testing.T, data []byte) letter {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(data))
	require.NoError(t, err)
	l := letter{header: m.Header}
	l.subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	require.NoError(t, err)
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	require.NoError(t, err)
	require.Equal(t, "multipart/alternative", kind)
	parts := multipart.NewReader(m.Body, params["boundary"])
	for {
		p, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		var body io.Reader = p
		switch p.Header.Get("Content-Transfer-Encoding") {
		case "base64":
			body = base64.NewDecoder(base64.StdEncoding, p)
		case "quoted-printable":
			body = quotedprintable.NewReader(p)
		}
		text, err := io.ReadAll(body)
		require.NoError(t, err)
		switch strings.ToLower(p.Header.Get("Content-Type")) {
		case "text/plain; charset=utf-8":
			require.Empty(t, l.html, "the plain part comes first")
			l.text = strings.ReplaceAll(string(text), "\r\n", "\n")
		case "text/html; charset=utf-8":
			l.html = string(text)
		default:
			require.Fail(t, "a part of another kind", p.Header.Get("Content-Type"))
		}
	}
	require.NotEmpty(t, l.text)
	require.NotEmpty(t, l.html)
	return l
}

func (d *desk) settings(who string, change func(*db.MailSettings)) {
	d.t.Helper()
	_, err := d.Store.SetMailSettings(d.ctx, d.actor(who), func(s db.MailSettings) (db.MailSettings, error) {
		change(&s)
		return s, nil
	})
	require.NoError(d.t, err)
}
