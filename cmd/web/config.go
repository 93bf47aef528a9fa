package main

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"sanad/internal/db"
)

// config is what the flags that several commands share say.
type config struct {
	data   string
	bucket string
	addr   string
	tenant string

	masterKeyFile string
	checkpoints   string
	inspect       bool // see db.Options.Inspect

	// Set by a command that has them, not by flags.
	log          *slog.Logger
	rolesChanged func()
}

// dataFlags adds where the store lies, and which tenant of it.
func (c *config) dataFlags(cmd *cobra.Command, standard string) {
	c.storeFlags(cmd, standard)
	cmd.Flags().StringVar(&c.tenant, "tenant", mainTenant, "tenant, by its short name")
}

// storeFlags adds where the store lies.
func (c *config) storeFlags(cmd *cobra.Command, standard string) {
	cmd.Flags().StringVar(&c.data, "data", standard, "folder of the database and the original documents")
	cmd.Flags().StringVar(&c.bucket, "bucket", "", "bucket URL for original documents (default: a folder below --data)")
	c.keyFlags(cmd)
}

// addrFlag adds where the server listens.
func (c *config) addrFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.addr, "addr", "127.0.0.1:8080", "address to listen on (port 0 takes a free one)")
}

// open opens (and where new, makes) the store, and finds the tenant.
func (c *config) open(ctx context.Context) (*db.Store, db.Tenant, error) {
	store, err := c.openStore(ctx)
	if err != nil {
		return nil, db.Tenant{}, err
	}
	tenant, err := findTenant(ctx, store, c.tenant)
	if err != nil {
		_ = store.Close() // the first error is the one to tell
		return nil, db.Tenant{}, failure{err}
	}
	return store, tenant, nil
}

// openStore opens (and where new, makes) the store.
func (c *config) openStore(ctx context.Context) (*db.Store, error) {
	dir, err := filepath.Abs(c.data)
	if err != nil {
		return nil, failure{err}
	}
	box, err := c.box()
	if err != nil {
		return nil, failure{err}
	}
	store, err := db.Open(ctx, db.Options{
		Dir: dir, Bucket: c.bucket, Now: time.Now, NewID: newID, Keys: box, Checkpoints: c.checkpoints, Inspect: c.inspect,
		RolesChanged: c.rolesChanged, Log: c.log,
	})
	if err != nil {
		return nil, failure{err}
	}
	return store, nil
}

// newID makes random UUIDs; the one source of randomness, passed in from here.
func newID() string { return uuid.NewString() }

// newLog writes structured lines to w.
func newLog(w io.Writer) *slog.Logger { return slog.New(slog.NewJSONHandler(w, nil)) }
