package llm

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"sanad/internal/domain/webhook"
)

// errForbidden says that the endpoint's name resolves to an address that may not be reached.
var errForbidden = errors.New("the address is neither public nor allowed")

// errUnreached says that no connection came about: nobody listens there, or nothing of the network answers.
var errUnreached = errors.New("no connection")

// newHTTP returns the client for one endpoint. It connects to nothing else: redirects are not followed, no proxy of the
// environment is used, and the address is looked at when it is connected to, so that a name cannot change in between.
func newHTTP(c *Config, u *url.URL) *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !webhook.MayReach(at.Addr(), u.Scheme == "https", c.Allow) {
			return errForbidden
		}
		return nil
	}}
	return &http.Client{
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				if address != authority(u) {
					return nil, errForbidden
				}
				conn, err := dialer.DialContext(ctx, network, address)
				if err != nil && ctx.Err() == nil { // else the request's own time is over
					err = fmt.Errorf("%w: %w", errUnreached, err)
				}
				return conn, err
			},
			TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: c.Roots},
			TLSHandshakeTimeout: 10 * time.Second, MaxResponseHeaderBytes: 64 << 10,
			MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// authority is host and port of an address.
func authority(u *url.URL) string {
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port)
}
