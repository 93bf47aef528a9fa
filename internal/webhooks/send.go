package webhooks

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain/webhook"
)

// The reasons why an attempt failed. Each may be shown: no text of a receiver, a resolver or a driver is kept.
const (
	ReasonStatus   = "status"   // answered, not with 2xx
	ReasonRedirect = "redirect" // answered with 3xx; redirects are not followed
	ReasonTimeout  = "timeout"
	// ReasonRefused says that the name does not resolve, or not to an address that is public or allowed. Both are one
	// reason: else any tenant could ask which names the operator's own network has.
	ReasonRefused = webhook.ReasonAddress
	ReasonTLS     = "tls"
	ReasonConnect = "connect" // anything else about the connection
	ReasonSecret  = "secret"  // the stored secret cannot be decrypted
	ReasonURL     = "url"
)

// Reasons lists all of them, for the translations.
var Reasons = []string{ReasonStatus, ReasonRedirect, ReasonTimeout, ReasonRefused, ReasonTLS, ReasonConnect,
	ReasonSecret, ReasonURL}

const (
	maxAnswer  = 4 << 10 // bytes of an answer's body that are read and discarded
	maxHeaders = 16 << 10
)

// sender makes one attempt per call.
type sender struct {
	plain, secure *http.Client
	now           func() time.Time
}

// newSender returns a sender. Plain HTTP, which anybody on the network path could read, is only used to networks that
// the operator allows.
func newSender(o *Options) *sender {
	client := func(p policy) *http.Client {
		dialer := &net.Dialer{Timeout: o.Timeout, Control: p.control, Resolver: o.Resolver}
		return &http.Client{
			Timeout: o.Timeout,
			// no proxy from the environment: it could connect to addresses that are refused here
			Transport: &http.Transport{
				DialContext: dialer.DialContext, DisableKeepAlives: true, DisableCompression: true,
				TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.Roots},
				TLSHandshakeTimeout: o.Timeout, ResponseHeaderTimeout: o.Timeout, MaxResponseHeaderBytes: maxHeaders,
			},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	return &sender{plain: client(policy{allowed: o.Allow}), secure: client(policy{allowed: o.Allow, public: true}),
		now: o.Now}
}

// outcome is how an attempt ended.
type outcome struct {
	status int    // of the answer, 0 if none
	reason string // "" if the receiver accepted the message
	cause  error  // for the operator's log alone; nil if the reason says all
}

// send makes one attempt.
func (s *sender) send(ctx context.Context, d *db.DueDelivery) outcome {
	if d.Secret == "" {
		return outcome{reason: ReasonSecret}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL, bytes.NewReader(d.Body))
	if err != nil {
		return outcome{reason: ReasonURL}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Sanad-Webhook/1")
	r.Header.Set("Sanad-Delivery", d.ID)
	r.Header.Set("Sanad-Event", d.Kind)
	at := s.now()
	r.Header.Set(webhook.SignatureHeader, webhook.Sign(d.Secret, at, d.Body))
	for name, value := range webhook.Standard(d.Secret, d.ID, at, d.Body) {
		r.Header.Set(name, value)
	}
	client := s.plain
	if r.URL.Scheme == "https" {
		client = s.secure
	}
	res, err := client.Do(r)
	if err != nil {
		return outcome{reason: reasonOf(err), cause: err}
	}
	defer res.Body.Close() //nolint:errcheck // the body was only read
	_, err = io.Copy(io.Discard, io.LimitReader(res.Body, maxAnswer))
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400:
		return outcome{status: res.StatusCode, reason: ReasonRedirect}
	case res.StatusCode < 200 || res.StatusCode > 299:
		return outcome{status: res.StatusCode, reason: ReasonStatus}
	case err != nil:
		return outcome{status: res.StatusCode, reason: reasonOf(err), cause: err}
	}
	return outcome{status: res.StatusCode}
}

// reasonOf maps a connection error to a reason.
func reasonOf(err error) string {
	var (
		timeout net.Error
		name    *net.DNSError
		alert   tls.AlertError
		unknown *tls.CertificateVerificationError
		header  tls.RecordHeaderError
	)
	switch {
	case errors.Is(err, errRefused):
		return ReasonRefused
	case errors.As(err, &timeout) && timeout.Timeout():
		return ReasonTimeout
	case errors.As(err, &name):
		return ReasonRefused
	case errors.As(err, &alert), errors.As(err, &unknown), errors.As(err, &header), strings.Contains(err.Error(),
		"server gave HTTP response to HTTPS client"):
		return ReasonTLS
	}
	return ReasonConnect
}

// maxCause bounds, in bytes, what the log takes of an error's text, in which a receiver's words may stand.
const maxCause = 300

// causeWords returns an error's text for the log, "" if none, without the address of the endpoint, which may contain a
// secret.
func causeWords(err error) string {
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	if err == nil {
		return ""
	}
	words := err.Error()
	return words[:min(len(words), maxCause)]
}
