package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// listen opens the address. Any address is allowed, since every page requires a login.
func listen(addr string) (net.Listener, error) { return listenAt("--addr", addr) }

// listenAt opens the address that a flag gives.
func listenAt(flag, addr string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return nil, fmt.Errorf("%s %q: give HOST:PORT, as 127.0.0.1:8080", flag, addr)
	}
	var config net.ListenConfig
	l, err := config.Listen(context.Background(), "tcp", addr)
	if err != nil {
		return nil, failure{err}
	}
	return l, nil
}

// stopGrace is how long running requests may still take after SIGTERM. Together with the rest of the shutdown it stays
// within the 10 seconds of rule DB-5.
const stopGrace = 7 * time.Second

// serveUntil serves until ctx ends, and then for the time drain, in which a balancer notices at /readyz that the server
// stops. Then it lets running requests finish. Those that take longer than stopGrace are aborted.
func serveUntil(ctx context.Context, l net.Listener, h http.Handler, c *certificate, drain time.Duration,
	logger *slog.Logger) error {
	srv := &http.Server{
		Handler: closeOnStop(ctx, h), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 2 * time.Minute,
		WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: log.New(serverLog{logger}, "", 0),
	}
	done := make(chan error, 1)
	go func() {
		if c == nil {
			done <- srv.Serve(l)
			return
		}
		srv.TLSConfig = c.config(logger)
		done <- srv.ServeTLS(l, "", "")
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(drain):
	}
	grace, cancel := context.WithTimeout(context.Background(), stopGrace)
	defer cancel()
	err := srv.Shutdown(grace)
	if err != nil {
		err = errors.Join(fmt.Errorf("requests that ran longer than %s were aborted: %w", stopGrace, err), srv.Close())
	}
	if e := <-done; !errors.Is(e, http.ErrServerClosed) {
		err = errors.Join(err, e)
	}
	return err
}

// closeOnStop closes every connection with its next answer once ctx has ended, so that a balancer sends no request on a
// connection that is about to close.
func closeOnStop(ctx context.Context, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ctx.Err() != nil {
			w.Header().Set("Connection", "close")
		}
		h.ServeHTTP(w, r)
	})
}

// serverLog forwards the messages of net/http to the log, except failed TLS handshakes: on a public address these are
// mostly scanners, and the messages contain addresses, which must not be logged.
type serverLog struct{ log *slog.Logger }

func (w serverLog) Write(line []byte) (int, error) {
	if !bytes.Contains(line, []byte("TLS handshake error")) {
		w.log.Warn("net/http: " + string(bytes.TrimSpace(line)))
	}
	return len(line), nil
}
