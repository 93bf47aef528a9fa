package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"sanad/cmd/web/demo"
	"sanad/internal/importers"
)

func newDemo(io streams) *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use: "demo", Short: "Serve the shipped example from a fresh data folder", Args: cobra.NoArgs,
		Long: "demo makes a fresh folder (or takes --data), fills it with three example sessions and serves them.",
		RunE: func(cmd *cobra.Command, _ []string) error { return runDemo(cmd.Context(), c, io) },
	}
	c.dataFlags(cmd, "")
	c.addrFlag(cmd)
	return cmd
}

func runDemo(ctx context.Context, c config, io streams) error {
	if c.data == "" {
		dir, err := os.MkdirTemp("", "sanad-demo-")
		if err != nil {
			return failure{err}
		}
		c.data = dir
	}
	if err := seedDemo(ctx, c); err != nil {
		return err
	}
	return serve(ctx, c, io, func(url string) {
		fmt.Fprintf(io.out, "Sanad demo\n  open   %s\n  data   %s\n  stop   Ctrl-C\nIt holds three example sessions. There are no logins yet: it answers on this machine only.\n", url, c.data)
	})
}

// seedDemo imports the shipped sessions; one that is there already stays as it is.
func seedDemo(ctx context.Context, c config) error {
	store, tenant, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // every write has been committed by then
	for _, name := range demo.Files {
		data, err := demo.FS.ReadFile(name)
		if err != nil {
			return failure{err}
		}
		if _, err := importFile(ctx, store, tenant, data, importers.Options{}); err != nil {
			return failure{fmt.Errorf("%s: %w", name, err)}
		}
	}
	return nil
}
