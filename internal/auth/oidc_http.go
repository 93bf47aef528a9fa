package auth

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Limits on what a provider can make us do.
const (
	oidcTimeout = 10 * time.Second
	oidcAnswer  = 1 << 20 // bytes of one answer
)

// newOIDCClient returns the HTTP client for a provider. Its time and bytes are limited, and it follows no redirects,
// since none of the endpoints that it calls should redirect.
func newOIDCClient() *http.Client {
	return &http.Client{Timeout: oidcTimeout, Transport: bounded{http.DefaultTransport}, CheckRedirect: refuseRedirect}
}

func refuseRedirect(req *http.Request, _ []*http.Request) error {
	return fmt.Errorf("the provider redirects to %s, which is not followed", req.URL.Host)
}

// bounded truncates answers. A truncated answer does not parse, and is refused as malformed.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := b.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(res.Body, oidcAnswer), res.Body}
	return res, nil
}

// shortened keeps an error's chain but limits its text, since a provider's answer may be a whole page.
type shortened struct{ error }

func (s shortened) Unwrap() error { return s.error }

func (s shortened) Error() string {
	const most = 300
	text := s.error.Error()
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
