package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/handlers"
)

// config is what the flags that several commands share say.
type config struct {
	data   string
	bucket string
	addr   string
	tenant string
}

// dataFlags adds where the store lies.
func (c *config) dataFlags(cmd *cobra.Command, standard string) {
	cmd.Flags().StringVar(&c.data, "data", standard, "folder of the database and the original documents")
	cmd.Flags().StringVar(&c.bucket, "bucket", "", "bucket URL for original documents (default: a folder below --data)")
	cmd.Flags().StringVar(&c.tenant, "tenant", "main", "tenant, by its short name")
}

// addrFlag adds where the server listens.
func (c *config) addrFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.addr, "addr", "127.0.0.1:8080", "address to listen on; loopback only until logins exist (port 0 takes a free one)")
}

// open opens (and where new, makes) the store and its tenant.
func (c *config) open(ctx context.Context) (*db.Store, db.Tenant, error) {
	dir, err := filepath.Abs(c.data)
	if err != nil {
		return nil, db.Tenant{}, failure{err}
	}
	store, err := db.Open(ctx, db.Options{Dir: dir, Bucket: c.bucket, Now: time.Now, NewID: newID})
	if err != nil {
		return nil, db.Tenant{}, failure{err}
	}
	tenant, err := store.EnsureTenant(ctx, c.tenant, c.tenant)
	if err != nil {
		_ = store.Close() // the first error is the one to tell
		return nil, db.Tenant{}, failure{err}
	}
	return store, tenant, nil
}

// newID makes random UUIDs; the one source of randomness, passed in from here.
func newID() string { return uuid.NewString() }

// localActor is who every request is until logins exist.
func localActor(tenant db.Tenant) domain.Actor {
	return domain.Actor{Tenant: tenant.ID, User: "local", Role: domain.Admin}
}

// newServer wires the app.
func newServer(store *db.Store, tenant db.Tenant, log *slog.Logger) handlers.Options {
	return handlers.Options{
		Store: store, Log: log, Now: time.Now, NewID: newID, Actor: localActor(tenant),
		DevToken: os.Getenv("SANAD_DEV_TOKEN"),
	}
}

// newLog writes structured lines to w.
func newLog(w io.Writer) *slog.Logger { return slog.New(slog.NewJSONHandler(w, nil)) }

// listen opens the loopback address, and no other: without logins, whoever reaches the port may do everything.
func listen(addr string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("--addr %q: give HOST:PORT, as 127.0.0.1:8080", addr)
	}
	if !handlers.IsLoopback(host) {
		return nil, failure{fmt.Errorf("--addr %q is not a loopback address: there are no logins yet, so Sanad listens on 127.0.0.1 or ::1 only", addr)}
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, failure{err}
	}
	return l, nil
}
