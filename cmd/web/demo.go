package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"sanad/cmd/web/demo"
	"sanad/internal/db"
	"sanad/internal/importers"
)

func newDemo(streams streams) *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use: "demo", Short: "Serve the shipped example from a fresh data folder", Args: cobra.NoArgs,
		Long: "demo makes a fresh folder (or takes --data), fills it with three example sessions and one user per role, and serves\n" +
			"them. The users' passwords are random and shown once.",
		RunE: func(cmd *cobra.Command, _ []string) error { return runDemo(cmd.Context(), c, streams) },
	}
	c.dataFlags(cmd, "")
	c.addrFlag(cmd)
	return cmd
}

func runDemo(ctx context.Context, c config, streams streams) error {
	if c.data == "" {
		dir, err := os.MkdirTemp("", "sanad-demo-")
		if err != nil {
			return failure{err}
		}
		c.data = dir
	}
	if err := c.ownMasterKey(); err != nil {
		return failure{err}
	}
	if err := c.with(ctx, func(store *db.Store, tenant db.Tenant) error {
		return seedDemo(ctx, store, tenant, c, streams.out)
	}); err != nil {
		return err
	}
	return serve(ctx, serveConfig{config: c}, streams, func(url string) {
		fmt.Fprintf(streams.out, "Sanad demo\n  open   %s\n  data   %s\n  stop   Ctrl-C\nIt holds three example sessions.\n", url, c.data)
	})
}

// seedDemo imports the shipped sessions and makes users; what is there already stays as it is.
func seedDemo(ctx context.Context, store *db.Store, tenant db.Tenant, c config, out io.Writer) error {
	for _, name := range demo.Files {
		data, err := demo.FS.ReadFile(name)
		if err != nil {
			return err
		}
		if _, err := importFile(ctx, store, tenant, data, importers.Options{}); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return demoUsers(ctx, store, tenant, c, out)
}
