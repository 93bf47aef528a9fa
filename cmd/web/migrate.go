package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

func newMigrate(streams streams) *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use: "migrate", Short: "Bring the database to this version's schema, and list the migrations",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runMigrate(cmd.Context(), c, streams.out) },
	}
	c.dataFlags(cmd, "data")
	return cmd
}

func runMigrate(ctx context.Context, c config, out io.Writer) error {
	c.creates = true
	store, _, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // every write has been committed by then
	done, err := store.Migrations(ctx)
	if err != nil {
		return failure{err}
	}
	for _, m := range done {
		fmt.Fprintf(out, "%s\t%s\tsha256:%s\n", m.Name, m.AppliedAt, m.Hash)
	}
	return nil
}
