package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/e2e/interop"
)

// Requests that are running when the server is told to stop are answered before it ends.
func TestRunningRequestsFinish(t *testing.T) {
	l, err := listen("127.0.0.1:0")
	require.NoError(t, err)
	running, release := make(chan struct{}), make(chan struct{})
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(running)
		<-release
		w.WriteHeader(http.StatusTeapot)
	})
	ctx, stop := context.WithCancel(context.Background())
	ended, answered := make(chan error, 1), make(chan int, 1)
	go func() { ended <- serveUntil(ctx, l, h, nil, 0, slog.New(slog.DiscardHandler)) }()
	go func() {
		res, err := http.Get("http://" + l.Addr().String())
		if err != nil {
			answered <- 0
			return
		}
		_ = res.Body.Close() // it has none
		answered <- res.StatusCode
	}()
	<-running
	stop()
	require.Eventually(t, func() bool { // no new ones are taken
		_, err := http.Get("http://" + l.Addr().String())
		return err != nil
	}, stopGrace, stopGrace/1000)
	require.Empty(t, ended, "it waits for what runs")
	close(release)
	require.Equal(t, http.StatusTeapot, <-answered)
	require.NoError(t, <-ended)
}

// A server that drains goes on answering, each time on a connection that it then closes, until it ends.
func TestDrainingServerAnswers(t *testing.T) {
	l, err := listen("127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	go func() { ended <- serveUntil(ctx, l, h, nil, time.Second, slog.New(slog.DiscardHandler)) }()
	ask := func() (status int, closes bool) {
		res, err := http.Get("http://" + l.Addr().String())
		if err != nil {
			return 0, false
		}
		_ = res.Body.Close() // it has none
		return res.StatusCode, res.Close
	}
	status, closes := ask()
	require.Equal(t, http.StatusTeapot, status)
	require.False(t, closes)
	stop()
	answered := 0
	for len(ended) == 0 {
		if status, closes := ask(); status != 0 {
			require.Equal(t, http.StatusTeapot, status)
			require.True(t, closes)
			answered++
		}
	}
	require.NoError(t, <-ended)
	require.Positive(t, answered)
}

// Messages of net/http become lines of the log; failed TLS handshakes of strangers are not logged.
func TestNetHTTPErrorsAreLogged(t *testing.T) {
	var log bytes.Buffer
	w := serverLog{slog.New(slog.NewJSONHandler(&log, nil))}
	for _, line := range []string{"http: TLS handshake error from 192.0.2.7:1234: EOF\n",
		"http: Accept error: too many open files\n"} {
		n, err := w.Write([]byte(line))
		require.NoError(t, err)
		require.Len(t, line, n)
	}
	require.NotContains(t, log.String(), "192.0.2.7")
	require.Contains(t, log.String(), "too many open files")
	require.Equal(t, 1, strings.Count(log.String(), "\n"))
}

// While only the certificate of a renewal has been written and not yet its key, the previous pair stays in use.
func TestIncompleteCertificateRenewal(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	cert, key, _ := interop.NewCertificate(t, dir, 1)
	c, err := loadCertificate(cert, key)
	require.NoError(t, err)
	var log bytes.Buffer
	give := c.config(slog.New(slog.NewJSONHandler(&log, nil))).GetCertificate
	first, err := give(&tls.ClientHelloInfo{})
	require.NoError(t, err)

	newCert, newKey, _ := interop.NewCertificate(t, other, 2)
	copyFile(t, newCert, cert)
	aged(t, time.Minute, cert) // the key is still the old one
	for range 3 {
		again, err := give(&tls.ClientHelloInfo{})
		require.NoError(t, err)
		require.Equal(t, first.Certificate, again.Certificate)
	}
	require.Equal(t, 1, strings.Count(log.String(), "the old one stays"), "said once")
	copyFile(t, newKey, key)
	aged(t, 2*time.Minute, key)
	renewed, err := give(&tls.ClientHelloInfo{})
	require.NoError(t, err)
	require.NotEqual(t, first.Certificate, renewed.Certificate)
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, data, 0o600))
}
