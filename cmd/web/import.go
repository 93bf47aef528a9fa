package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/handlers"
	"sanad/internal/importers"
)

func newImport(io streams) *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use: "import FILE…", Short: "Read sessions from interchange files (- for standard input)", Args: cobra.MinimumNArgs(1),
		Long: "import reads each file (sanad.session/v1, or an exported ledger), judges what has no verdict yet and stores it.\n" +
			"The same content is stored once. It prints one line per file: the session's id, and whether it is new.",
		RunE: func(cmd *cobra.Command, files []string) error { return runImport(cmd.Context(), c, files, io) },
	}
	c.dataFlags(cmd, "data")
	return cmd
}

// runImport imports every file it can and fails at the end if one could not be read.
func runImport(ctx context.Context, c config, files []string, io streams) error {
	store, tenant, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // every write has been committed by then
	failed := false
	for _, name := range files {
		data, err := readInput(name, io.in)
		if err != nil {
			failed = true
			fmt.Fprintln(io.err, "web:", err)
			continue
		}
		taken, err := importFile(ctx, store, tenant, data, importers.Options{})
		if err != nil {
			failed = true
			fmt.Fprintf(io.err, "web: %s: %s\n", name, explain(err))
			continue
		}
		for _, w := range taken.Warnings {
			fmt.Fprintf(io.err, "%s: warning: %s: %s\n", name, w.Path, w.Msg)
		}
		state := "new"
		if !taken.Created {
			state = "already there"
		}
		fmt.Fprintf(io.out, "%s\t%s\t%s\n", taken.SessionID, state, name)
	}
	if failed {
		return errFailed
	}
	return nil
}

// readInput reads a file, or standard input for "-", up to the import limit and a byte more, so that the reader can
// say that it is too large.
func readInput(name string, stdin io.Reader) ([]byte, error) {
	r := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close() //nolint:errcheck // only read
		r = f
	}
	return io.ReadAll(io.LimitReader(r, importers.MaxBytes+1))
}

// importFile takes one file in.
func importFile(ctx context.Context, store *db.Store, tenant db.Tenant, data []byte, o importers.Options) (handlers.Taken, error) {
	read, err := importers.Read(data, o)
	if err != nil {
		return handlers.Taken{}, err
	}
	in := handlers.Intake{Store: store, Actor: domain.AtCommandLine(tenant.ID), Now: time.Now().UTC(), NewID: newID}
	return in.Take(ctx, read, nil)
}
