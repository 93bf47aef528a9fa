package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"sanad/internal/db"
	"sanad/internal/domain/notify"
)

// config holds the flags that several commands share.
type config struct {
	data string
	// database is the address of a PostgreSQL database, "" for the file in data.
	database string
	bucket   string
	files    string
	addr     string
	tenant   string

	masterKeyFile    string
	masterKeyCommand string
	checkpoints      string
	configFile       string // of --config
	inspect          bool   // see db.Options.Inspect
	reader           readerFlags

	// Set by commands, not by flags.
	creates      bool             // whether the command creates a missing store
	now          func() time.Time // the store's clock; nil for the machine's
	log          *slog.Logger
	rolesChanged func()
	makeRoom     func()
	daily        *notify.Schedule // of mails; nil if none are sent
}

// dataFlags adds the flags for the store and its tenant.
func (c *config) dataFlags(cmd *cobra.Command, standard string) {
	c.storeFlags(cmd, standard)
	cmd.Flags().StringVar(&c.tenant, "tenant", mainTenant, "tenant, by its short name")
}

// storeFlags adds the flags for the store.
func (c *config) storeFlags(cmd *cobra.Command, standard string) {
	cmd.Flags().StringVar(&c.data, "data", standard, "folder of the database and the original documents")
	cmd.Flags().StringVar(&c.database, "database", "",
		"PostgreSQL database (postgres://USER@HOST:5432/NAME) instead of the file in --data; "+
			"its password is best in PGPASSWORD or a password file")
	c.placeFlags(cmd)
	c.keyFlags(cmd)
}

// placeFlags adds the flags for the places of files.
func (c *config) placeFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.bucket, "bucket", "", "bucket URL for original documents (default: a folder below --data)")
	cmd.Flags().StringVar(&c.files, "files", "",
		"folder or S3-compatible bucket (s3://NAME?…) that servers share, for originals, uploads, lake and checkpoints, "+
			"unless a flag of their own says otherwise (default: folders below and beside --data)")
}

// addrFlag adds the flag for the listening address.
func (c *config) addrFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.addr, "addr", "127.0.0.1:8080", "address to listen on (port 0 picks a free one)")
}

// open opens the store and looks up the tenant.
func (c *config) open(ctx context.Context) (*db.Store, db.Tenant, error) {
	store, err := c.openStore(ctx)
	if err != nil {
		return nil, db.Tenant{}, err
	}
	tenant, err := findTenant(ctx, store, c.tenant)
	if err != nil {
		_ = store.Close() // the first error is the one to report
		return nil, db.Tenant{}, failure{err}
	}
	return store, tenant, nil
}

// openStore opens the store. A missing one is created if c.creates is set, and is an error otherwise.
func (c *config) openStore(ctx context.Context) (*db.Store, error) {
	dir, err := filepath.Abs(c.data)
	if err != nil {
		return nil, failure{err}
	}
	box, err := c.box()
	if err != nil {
		return nil, failure{err}
	}
	places, err := c.filePlaces()
	if err != nil {
		return nil, err
	}
	o := db.Options{
		Dir: dir, Database: c.database,
		Now: time.Now, NewID: newID, Keys: box,
		Inspect: c.inspect, Existing: !c.creates, ServerClock: c.now == nil,
		RolesChanged: c.rolesChanged, MakeRoom: c.makeRoom, Log: c.log, Mail: c.daily,
	}
	if c.now != nil {
		o.Now = c.now
	}
	places.put(&o)
	store, err := db.Open(ctx, o)
	if errors.Is(err, db.ErrNoStore) {
		err = fmt.Errorf("%s; name that of sanad serve, with --data or --database as there", explain(err))
	}
	if err != nil {
		return nil, failure{err}
	}
	return store, nil
}

// newID returns a random UUID. All other packages receive their ids from here.
func newID() string { return uuid.NewString() }

// newLog returns a logger that writes JSON lines to w.
func newLog(w io.Writer) *slog.Logger { return slog.New(slog.NewJSONHandler(w, nil)) }
