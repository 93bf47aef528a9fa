package main

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"
)

// certificate is a certificate in two files, read again when they change: so that a renewal needs no restart.
type certificate struct {
	cert, key string

	mu   sync.Mutex
	seen [2]time.Time // when the two files were written that were read last, whether they served or not
	pair *tls.Certificate
}

func loadCertificate(cert, key string) (*certificate, error) {
	c := &certificate{cert: cert, key: key}
	c.seen = c.written()
	return c, c.load()
}

// written tells when the files were written; the zero time for one that is not there.
func (c *certificate) written() (at [2]time.Time) {
	for i, f := range []string{c.cert, c.key} {
		if info, err := os.Stat(f); err == nil {
			at[i] = info.ModTime()
		}
	}
	return at
}

// load reads the files. What does not serve leaves the old pair in place.
func (c *certificate) load() error {
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err == nil {
		c.pair = &pair
	}
	return err
}

// current reads files that have changed, and gives the pair that serves. An error is told once for each change.
func (c *certificate) current() (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.written()
	if now == c.seen {
		return c.pair, nil
	}
	c.seen = now
	err := c.load()
	return c.pair, err
}

// config is for a server: TLS 1.2 and newer, the certificate of the moment.
func (c *certificate) config(log *slog.Logger) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		pair, err := c.current()
		if err != nil {
			log.Warn("the new TLS certificate cannot be used; the old one stays", "err", err)
		}
		return pair, nil
	}}
}
