package main

import (
	"context"
	"errors"
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
		Use: "import FILE…", Short: "Read sessions and decisions from interchange files (- for standard input)", Args: cobra.MinimumNArgs(1),
		Long: "import reads each file and stores it. What it is is told by its content: a session (sanad.session/v1, an exported\n" +
			"ledger, or a file of a provider, an evaluation tool or a tracer, which may hold many; see docs/format.md), of which is\n" +
			"judged what has no verdict yet, or a decision (an object with a decision_id).\n" +
			"The same content is stored once. It prints one line per file: the session's or decision's id, whether it is new, and\n" +
			"of a decision whether it must have an evidence pack.",
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
		if err := importAny(ctx, store, tenant, name, data, io); err != nil {
			failed = true
			tellFaults(io.err, name, err)
		}
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

// imported is what became of one file.
type imported struct {
	id, more string // more: what else its line says
	created  bool
	warnings []importers.Warning
}

// importAny takes one file in, of whichever kind it is, and prints a line for each session or decision in it.
func importAny(ctx context.Context, store *db.Store, tenant db.Tenant, name string, data []byte, io streams) error {
	if importers.IsDecision(data) {
		got, err := importDecision(ctx, store, tenant, data)
		if err == nil {
			got.tell(name, io)
		}
		return err
	}
	return importSessions(ctx, store, tenant, name, data, io)
}

// tell prints what became of a file, or of a row of it.
func (got imported) tell(name string, io streams) {
	for _, w := range got.warnings {
		fmt.Fprintf(io.err, "%s: warning: %s: %s\n", name, w.Path, w.Msg)
	}
	state := "new"
	if !got.created {
		state = "already there"
	}
	fmt.Fprintf(io.out, "%s\t%s\t%s%s\n", got.id, state, name, got.more)
}

// refused are the rows of a file that could not be taken, while others were.
type refused []error

func (r refused) Error() string { return fmt.Sprintf("%d rows were not taken", len(r)) }

// importSessions takes every session of a file in, each for itself: one that is refused does not stop the others.
func importSessions(ctx context.Context, store *db.Store, tenant db.Tenant, name string, data []byte, io streams) error {
	batch, err := importers.ReadAll(data, importers.Options{})
	if err != nil {
		return err
	}
	var left refused
	for _, r := range batch.Results {
		taken, err := intake(store, tenant).Take(ctx, r, nil)
		switch {
		case err != nil && len(batch.Results) == 1:
			return err
		case err != nil && domain.KindOf(err) != domain.Internal:
			left = append(left, err)
		case err != nil:
			return err
		default:
			imported{taken.SessionID, "", taken.Created, taken.Warnings}.tell(name, io)
		}
	}
	for _, e := range batch.Refused {
		left = append(left, e)
	}
	if len(left) > 0 {
		return left
	}
	return nil
}

// intake takes sessions in for whoever sits at the command line.
func intake(store *db.Store, tenant db.Tenant) handlers.Intake {
	return handlers.Intake{Store: store, Actor: domain.AtCommandLine(tenant.ID), Now: time.Now().UTC(), NewID: newID}
}

func importDecision(ctx context.Context, store *db.Store, tenant db.Tenant, data []byte) (imported, error) {
	d, warnings, err := importers.ReadDecision(data)
	if err != nil {
		return imported{}, err
	}
	need, created, err := store.AddDecision(ctx, domain.AtCommandLine(tenant.ID), d, nil)
	return imported{d.DecisionID, "\tpack " + string(need.Level), created, warnings}, err
}

// tellFaults says why a file was not taken in: all that is wrong with it, where that is known.
func tellFaults(w io.Writer, name string, err error) {
	var rows refused
	if errors.As(err, &rows) {
		for _, e := range rows {
			fmt.Fprintf(w, "web: %s: %s\n", name, explain(e))
		}
		return
	}
	var all *importers.DecisionError
	if !errors.As(err, &all) {
		fmt.Fprintf(w, "web: %s: %s\n", name, explain(err))
		return
	}
	for _, f := range all.Faults {
		fmt.Fprintf(w, "web: %s: %s\n", name, f.Safe())
	}
}

// importFile takes one session in.
func importFile(ctx context.Context, store *db.Store, tenant db.Tenant, data []byte, o importers.Options) (handlers.Taken, error) {
	read, err := importers.Read(data, o)
	if err != nil {
		return handlers.Taken{}, err
	}
	return intake(store, tenant).Take(ctx, read, nil)
}
