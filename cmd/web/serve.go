package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"sanad/internal/handlers"
)

func newServe(io streams) *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the web app and the API", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return serve(cmd.Context(), c, io, nil)
		},
	}
	c.dataFlags(cmd, "data")
	c.addrFlag(cmd)
	return cmd
}

// stopGrace is how long running requests may still take after SIGTERM (spec page 6 "Storage").
const stopGrace = 10 * time.Second

// serve runs the app until ctx ends. ready, where given, is called once with the address people can open.
func serve(ctx context.Context, c config, io streams, ready func(url string)) error {
	listener, err := listen(c.addr)
	if err != nil {
		return err
	}
	store, tenant, err := c.open(ctx)
	if err != nil {
		_ = listener.Close() // nothing was accepted yet
		return err
	}
	log := newLog(io.err)
	url := "http://" + listener.Addr().String()
	if ready == nil {
		ready = func(url string) { fmt.Fprintf(io.out, "Sanad listens on %s\n", url) }
	}
	ready(url)
	err = serveUntil(ctx, listener, handlers.New(newServer(store, tenant, log)))
	return asFailure(errors.Join(err, store.Close()))
}

// serveUntil serves until ctx ends, then lets running requests finish.
func serveUntil(ctx context.Context, l net.Listener, h http.Handler) error {
	srv := &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 2 * time.Minute,
		WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), stopGrace)
	defer cancel()
	err := srv.Shutdown(grace)
	if e := <-done; !errors.Is(e, http.ErrServerClosed) {
		err = errors.Join(err, e)
	}
	return err
}

func asFailure(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}
