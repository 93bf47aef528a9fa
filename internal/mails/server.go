package mails

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"

	"sanad/internal/domain/notify"
)

// Mode is how the connection to the mail server is protected.
type Mode string

// The modes.
const (
	StartTLS Mode = "starttls" // begins in the clear; without TLS nothing is sent
	TLS      Mode = "tls"      // from its first byte
	Plain    Mode = "plain"    // not at all; for a relay on this machine or a network that the operator trusts
)

// Modes lists them.
var Modes = []Mode{StartTLS, TLS, Plain}

// Timeout limits one attempt, from the connection to the server's last answer.
const Timeout = 30 * time.Second

// Server is the operator's mail server.
type Server struct {
	Host     string
	Port     int
	Mode     Mode
	User     string // "" for no login
	Password string
	Hello    string         // how we call ourselves
	Timeout  time.Duration  // 0 for Timeout
	Roots    *x509.CertPool // nil for the system's
}

// connection is an open session with the mail server. It ends with ctx.
type connection struct {
	client *mail.Client
	smtp   *smtp.Client
	end    func() bool
}

// connect opens a session: TLS and login are done. It follows no proxy from the environment.
func (s *Server) connect(ctx context.Context) (*connection, error) {
	timeout := s.Timeout
	if timeout == 0 {
		timeout = Timeout
	}
	secure := &tls.Config{ServerName: s.Host, MinVersion: tls.VersionTLS12, RootCAs: s.Roots}
	c := &connection{end: func() bool { return true }}
	dial := func(dialing context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(dialing, network, address)
		if err != nil {
			return nil, err
		}
		c.end = context.AfterFunc(ctx, func() { _ = conn.Close() }) // go-mail knows no context once it is connected
		if s.Mode != TLS {
			return conn, nil
		}
		over := tls.Client(conn, secure)
		if err := over.HandshakeContext(dialing); err != nil {
			_ = conn.Close()
			return nil, err
		}
		return over, nil
	}
	options := []mail.Option{mail.WithPort(s.Port), mail.WithTimeout(timeout), mail.WithTLSConfig(secure),
		mail.WithDialContextFunc(dial), mail.WithHELO(s.Hello), mail.WithoutNoop()}
	if s.Mode == StartTLS {
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	} else {
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	}
	if s.User != "" {
		ways := []mail.SMTPAuthType{mail.SMTPAuthSCRAMSHA256, mail.SMTPAuthPlain, mail.SMTPAuthLogin}
		if s.Mode == Plain { // to a loopback address: see Check
			ways = []mail.SMTPAuthType{mail.SMTPAuthSCRAMSHA256, mail.SMTPAuthPlainNoEnc, mail.SMTPAuthLoginNoEnc}
		}
		options = append(options, mail.WithOpportunisticSMTPAuth(ways...), mail.WithUsername(s.User),
			mail.WithPassword(s.Password))
	}
	var err error
	if c.client, err = mail.NewClient(s.Host, options...); err != nil {
		return nil, err
	}
	if c.smtp, err = c.client.DialToSMTPClientWithContext(ctx); err != nil {
		c.end()
		return nil, err
	}
	return c, nil
}

// close says goodbye; what the server thinks of that changes nothing.
func (c *connection) close() {
	_ = c.client.CloseWithSMTPClient(c.smtp)
	c.end()
}

// Check connects to the mail server, as for a mail, and sends none.
func (s *Server) Check(ctx context.Context) error {
	c, err := s.connect(ctx)
	if err != nil {
		return err
	}
	c.close()
	return nil
}

// Address is the server's host and port.
func (s *Server) Address() string { return net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }

// outcome is how an attempt ended.
type outcome struct {
	status int    // SMTP reply code, 0 if none
	reason string // "" if the server accepted the mail
	final  bool   // another attempt would end the same
	broken bool   // it is about the server, not about this mail
	cause  error  // for the operator's log
}

// send makes one attempt.
func (s *Server) send(ctx context.Context, m *mail.Msg) outcome {
	c, err := s.connect(ctx)
	if err != nil {
		return connecting(err)
	}
	defer c.close()
	err = c.client.SendWithSMTPClient(c.smtp, m)
	if err == nil || m.IsDelivered() { // accepted, whatever came after that
		return outcome{status: 250}
	}
	return sending(err)
}

// replyCode is what the server said to us, if it said something; else 0.
func replyCode(err error) int {
	var protocol interface{ ErrorCode() int }
	if errors.As(err, &protocol) && protocol.ErrorCode() != 0 {
		return protocol.ErrorCode()
	}
	for _, word := range strings.FieldsFunc(err.Error(), func(r rune) bool { return r == ' ' || r == ':' || r == '-' }) {
		if n, failed := strconv.Atoi(word); failed == nil && len(word) == 3 && n >= 400 && n < 600 {
			return n
		}
	}
	return 0
}

// connecting judges why there is no session with the server. All of it can be mended without the mail.
func connecting(err error) outcome {
	o := outcome{reason: ReasonOf(err), broken: true, cause: err}
	if o.reason == notify.MailLogin {
		o.status = replyCode(err)
	}
	return o
}

// sending judges why a mail was not accepted.
func sending(err error) outcome {
	o := outcome{status: replyCode(err), cause: err}
	switch {
	case o.status == 530 || o.status == 535: // it wants a login, or another one: for the operator to mend
		o.reason, o.broken = notify.MailLogin, true
	case o.status == 421:
		o.reason, o.broken = notify.MailPutOff, true
	case o.status >= 500:
		o.reason, o.final = notify.MailRefused, true
	case o.status >= 400:
		o.reason = notify.MailPutOff
	default:
		o.reason, o.broken = ReasonOf(err), true
	}
	return o
}

// ReasonOf says in one word why there is no session with the server.
func ReasonOf(err error) string {
	var (
		timeout net.Error
		alert   tls.AlertError
		unknown *tls.CertificateVerificationError
		header  tls.RecordHeaderError
	)
	text := err.Error()
	switch {
	case errors.As(err, &timeout) && timeout.Timeout(), strings.Contains(text, "i/o timeout"): // go-mail wraps no cause
		return notify.MailTimeout
	case errors.As(err, &alert), errors.As(err, &unknown), errors.As(err, &header), strings.Contains(text, "STARTTLS"),
		strings.Contains(text, "tls: "):
		return notify.MailTLS
	case strings.Contains(text, "AUTH"), strings.Contains(text, "auth"):
		return notify.MailLogin
	}
	return notify.MailConnect
}
