package dbtest

import (
	"context"
	"net"
	"net/url"
	"os"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// Wire is a way to the PostgreSQL server of tests that counts how often somebody waited for it.
type Wire struct{ trips atomic.Int64 }

// CountTrips puts a Wire before the server for stores that the test opens from now on.
func CountTrips(t *testing.T) *Wire {
	t.Helper()
	u, err := url.Parse(os.Getenv(Server))
	require.NoError(t, err)
	to := u.Host
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	w := &Wire{}
	go w.accept(listener, to)
	u.Host = listener.Addr().String()
	t.Setenv(Server, u.String())
	return w
}

// Trips returns how many round trips there were: parts that a client sent at the beginning or after an answer. What is
// sent without waiting between counts once.
func (wire *Wire) Trips() int64 { return wire.trips.Load() }

func (wire *Wire) accept(listener net.Listener, to string) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		server, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", to) // the server of the tests
		if err != nil {
			_ = client.Close()
			return
		}
		var answered atomic.Bool
		answered.Store(true)
		go forward(client, server, func() {
			if answered.Swap(false) {
				wire.trips.Add(1)
			}
		})
		go forward(server, client, func() { answered.Store(true) })
	}
}

// forward copies until one side closes, and calls seen for each part; then it closes both.
func forward(from, to net.Conn, seen func()) {
	defer from.Close() //nolint:errcheck // the other direction may have closed it
	defer to.Close()   //nolint:errcheck // likewise
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			seen()
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
