package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"
)

// healthTimeout bounds a health check.
const healthTimeout = 4 * time.Second

func newHealthcheck(io streams) *cobra.Command {
	var addr, cert string
	var alive bool
	cmd := &cobra.Command{
		Use: "healthcheck", Short: "Ask the server on this machine whether it is ready; for containers", Args: cobra.NoArgs,
		Long: "healthcheck asks the server that listens on --addr of this machine for /readyz, by TLS if --tls-cert is\n" +
			"given to the server too. It prints the answer; the exit code is 1 unless it is ready.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), healthTimeout)
			defer cancel()
			return asFailure(checkHealth(ctx, io.out, addr, cert != "", alive))
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8080", "address that the server listens on")
	cmd.Flags().StringVar(&cert, "tls-cert", "", "the server's --tls-cert; given, it is asked by TLS")
	cmd.Flags().BoolVar(&alive, "alive", false, "ask only whether the process answers (/healthz)")
	return cmd
}

func checkHealth(ctx context.Context, out io.Writer, addr string, secure, alive bool) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("--addr: %w", err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1" // it listens on every address
	}
	scheme, path := "http", "/readyz"
	if secure {
		scheme = "https"
	}
	if alive {
		path = "/healthz"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://"+net.JoinHostPort(host, port)+path, nil)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{ // no proxy of the environment
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // our own machine, whose name no certificate has
	}}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(io.LimitReader(resp.Body, 4<<10))
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", resp.Status, text)
	}
	fmt.Fprintf(out, "%s\n", text)
	return nil
}
