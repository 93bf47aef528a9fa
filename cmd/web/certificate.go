package main

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"os"
	"sync"
	"time"
)

// certificate is a certificate in two files, read again when they change: so that a renewal needs no restart.
type certificate struct {
	cert, key string

	mu   sync.Mutex
	seen time.Time // when the newer of the files was written that pair is of, or that did not serve
	pair *tls.Certificate
}

func loadCertificate(cert, key string) (*certificate, error) {
	c := &certificate{cert: cert, key: key}
	return c, c.reload()
}

// reload reads the files where they are not those of the last time. What does not serve leaves the old pair in place.
func (c *certificate) reload() error {
	changed, err := newest(c.cert, c.key)
	if err != nil || changed.Equal(c.seen) {
		return err
	}
	c.seen = changed
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err == nil {
		c.pair = &pair
	}
	return err
}

// newest tells when the newest of some files was written.
func newest(files ...string) (at time.Time, err error) {
	for _, f := range files {
		info, e := os.Stat(f)
		if e != nil {
			err = errors.Join(err, e)
			continue
		}
		if info.ModTime().After(at) {
			at = info.ModTime()
		}
	}
	return at, err
}

// config is for a server: TLS 1.2 and newer, the certificate of the moment.
func (c *certificate) config(log *slog.Logger) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if err := c.reload(); err != nil {
			log.Warn("the new TLS certificate cannot be used; the old one stays", "err", err)
		}
		return c.pair, nil
	}}
}
