package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Remote returns the options of a server whose API is at an address: https, or http on this machine.
func Remote(address, token string) (Options, error) {
	base, err := checkAddress(address)
	if err != nil {
		return Options{}, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = time.Minute
	transport.MaxResponseHeaderBytes = 64 << 10
	return Options{API: &bearer{next: transport, token: token},
		Base: func(context.Context) string { return base }}, nil
}

// checkAddress returns the address of a server without what does not belong to it.
func checkAddress(address string) (string, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		u.Scheme != "http" && u.Scheme != "https":
		return "", errors.New("it must be the address of a Sanad server, as https://sanad.example")
	case strings.Trim(u.Path, "/") != "":
		return "", errors.New("it must have no path, as https://sanad.example")
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return "", fmt.Errorf("http would send the token and the documents to %s in the clear; use https", u.Hostname())
	}
	return u.Scheme + "://" + u.Host, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// bearer sends the token with each request.
type bearer struct {
	next  http.RoundTripper
	token string
}

// callTimeout bounds one request: an import of many claims takes some seconds.
const callTimeout = 2 * time.Minute

func (b *bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	r = r.Clone(ctx)
	r.Header.Set("Authorization", "Bearer "+b.token)
	resp, err := b.next.RoundTrip(r)
	if err != nil {
		cancel()
		return nil, err
	}
	resp.Body = &ending{resp.Body, cancel}
	return resp, nil
}

// ending is a body whose request ends when it is closed.
type ending struct {
	io.ReadCloser
	end context.CancelFunc
}

func (e *ending) Close() error {
	defer e.end()
	return e.ReadCloser.Close()
}
