package main

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"
)

// certificate is a TLS certificate in two files. It is read again when they change, so that a renewal needs no restart.
type certificate struct {
	cert, key string

	mu   sync.Mutex
	seen [2]time.Time // modification times of the files last read, whether valid or not
	pair *tls.Certificate
}

func loadCertificate(cert, key string) (*certificate, error) {
	c := &certificate{cert: cert, key: key}
	c.seen = c.written()
	return c, c.load()
}

// written returns the modification times of the files; the zero time for a missing one.
func (c *certificate) written() (at [2]time.Time) {
	for i, f := range []string{c.cert, c.key} {
		if info, err := os.Stat(f); err == nil {
			at[i] = info.ModTime()
		}
	}
	return at
}

// load reads the files. If they are invalid, the previous certificate stays.
func (c *certificate) load() error {
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err == nil {
		c.pair = &pair
	}
	return err
}

// current reads the files if they changed, and returns the valid certificate. An error is reported once per change.
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

// suites are what TLS 1.2 is spoken with: keys that are made for one connection, and ciphers that authenticate. Go
// would also take CBC with SHA-1. The suites of TLS 1.3 are all so, and cannot be chosen.
var suites = []uint16{
	tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
	tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
	tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
}

// config returns a server configuration: TLS 1.2 and newer, with the current certificate.
func (c *certificate) config(log *slog.Logger) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, CipherSuites: suites,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			pair, err := c.current()
			if err != nil {
				log.Warn("the new TLS certificate cannot be used; the old one stays", "err", err)
			}
			return pair, nil
		}}
}
