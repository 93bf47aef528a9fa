package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/importers"
	"sanad/internal/words"
)

func newImport(io streams) *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use: "import FILE…", Short: "Read sessions and decisions from interchange files (- for standard input)",
		Args: cobra.MinimumNArgs(1),
		Long: "import reads each file and stores it. It recognises by the content whether that is a decision (an\n" +
			"object with a decision_id) or a session (sanad.session/v1, an exported ledger, or a file of a\n" +
			"provider, an evaluation tool or a tracer, which may hold several; see docs/format.md). Claims of a\n" +
			"session that have no verdict yet are judged. The same content is stored once. It prints one line per\n" +
			"file: the session's or decision's id, whether it is new, and, for a decision, whether it must have\n" +
			"an evidence pack.",
		RunE: func(cmd *cobra.Command, files []string) error { return runImport(cmd.Context(), c, files, io) },
	}
	c.dataFlags(cmd, "data")
	c.reader.add(cmd)
	return cmd
}

// runImport imports every file that it can, and fails at the end if one could not be imported.
func runImport(ctx context.Context, c config, files []string, io streams) error {
	c.creates = true
	c.makeRoom = debug.FreeOSMemory // the garbage of reading and judging; a server has others who wait meanwhile
	own, err := c.reader.open(io.embedded, c.data)
	if err != nil {
		return err
	}
	store, tenant, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer store.Close()                              //nolint:errcheck // every write has been committed by then
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // a large session leaves much garbage: collect it sooner
	failed := false
	for _, name := range files {
		if err := importNamed(ctx, importer(store, tenant, own), name, io); ctx.Err() != nil {
			return fmt.Errorf("%s: the import ended early; what is printed above is stored, "+
				"and importing the file again continues from there", name)
		} else if err != nil {
			failed = true
			printFaults(io.err, name, err)
		}
	}
	if failed {
		return errFailed
	}
	return nil
}

// importNamed imports one file. Standard input, for "-", is read into memory up to the import limit and one byte more,
// so that the reader can report that it is too large. A file is read as its format needs it (importers.ReadEach).
func importNamed(ctx context.Context, in app.Importer, name string, to streams) error {
	if name == "-" {
		data, err := io.ReadAll(io.LimitReader(to.in, importers.MaxBytes+1))
		if err != nil {
			return err
		}
		return importAny(ctx, in, name, bytes.NewReader(data), int64(len(data)), to)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // opened for reading only
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("not a file; give a file, or - for standard input")
	}
	return importAny(ctx, in, name, f, info.Size(), to)
}

// imported is the outcome for one session or decision of a file.
type imported struct {
	id, more string // more: the rest of its line
	created  bool
	warnings []domain.Warning
}

// importAny imports one file of any supported kind, and prints a line for each session or decision in it.
func importAny(ctx context.Context, in app.Importer, name string, file io.ReaderAt, size int64, to streams) error {
	head := make([]byte, min(size, decisionHead))
	if size <= importers.MaxDecision {
		head = make([]byte, size)
	}
	if _, err := io.ReadFull(io.NewSectionReader(file, 0, size), head); err != nil {
		return err
	}
	if !importers.IsDecision(head) {
		return orDecision(importSessions(ctx, in, name, file, size, to))
	}
	if size > importers.MaxDecision {
		return domain.Refuse(domain.TooLarge, "", "refused_decision_bytes_more", "N", int(size), "Most",
			importers.MaxDecision)
	}
	got, err := importDecision(ctx, in, head)
	if err == nil {
		got.print(name, to)
	}
	return err
}

// orDecision adds to the error for an unknown session format that decisions are accepted too.
func orDecision(err error) error {
	var e *domain.Error
	if !errors.As(err, &e) || e.Kind != domain.Unsupported {
		return err
	}
	more := *e
	more.Message = words.Msg("refused_or_decision", "Why", e.Message, "Name", importers.DecisionFormat)
	return &more
}

// decisionHead is how many bytes of a file that is too large for a decision are checked for being one.
const decisionHead = 1 << 20

// print prints the outcome of a file or of one of its rows.
func (got imported) print(name string, io streams) {
	for _, w := range got.warnings {
		fmt.Fprintf(io.err, "%s: warning: %s: %s\n", name, w.Path, w.Msg)
	}
	state := "new"
	if !got.created {
		state = "already there"
	}
	fmt.Fprintf(io.out, "%s\t%s\t%s%s\n", got.id, state, name, got.more)
}

// refusedRows is the error that some rows of a file, already reported, were refused.
type refusedRows int

func (n refusedRows) Error() string { return fmt.Sprintf("%d rows were not taken", int(n)) }

// importSessions imports each session of a file on its own: a refused one is reported at once and does not stop the
// others.
func importSessions(ctx context.Context, in app.Importer, name string, file io.ReaderAt, size int64, to streams) error {
	var left refusedRows
	refuse := func(err error) error {
		left++
		fmt.Fprintf(to.err, "%s: %s: %s\n", calledBy(), name, explain(err))
		return nil
	}
	opt := importers.Options{TextDir: in.Store.Folder()}
	err := importers.ReadEach(file, size, opt, func(r *importers.Result, refused *domain.Error) error {
		if refused != nil {
			return refuse(refused)
		}
		in.Now = time.Now().UTC()
		if name != "-" {
			in.File = filepath.Base(name)
		}
		watch := newProgress(name, to.err)
		in.Watch = func(_ string, done, total int) error {
			watch.update(done, total)
			return ctx.Err()
		}
		done, err := in.Import(ctx, r, nil)
		watch.end()
		switch {
		case err != nil && domain.KindOf(err) != domain.Internal:
			return refuse(err)
		case err != nil:
			return err
		}
		imported{id: done.SessionID, created: done.Created, warnings: done.Warnings}.print(name, to)
		return nil
	})
	if err == nil && left > 0 {
		return left
	}
	return err
}

// importer returns the importer for the command line. It judges any number of claims, since no request waits for it.
func importer(store *db.Store, tenant db.Tenant, own *app.Embedded) app.Importer {
	return app.Importer{
		Store: store, Actor: access.AtCommandLine(tenant.ID), Now: time.Now().UTC(), NewID: newID, Embedded: own,
		Watch: func(string, int, int) error { return nil },
	}
}

func importDecision(ctx context.Context, in app.Importer, data []byte) (imported, error) {
	d, warnings, err := importers.ReadDecision(data)
	if err != nil {
		return imported{}, err
	}
	need, created, err := in.Store.AddDecision(ctx, in.Actor, d, nil)
	return imported{id: d.DecisionID, more: "\tpack " + string(need.Level), created: created, warnings: warnings}, err
}

// printFaults prints why a file was refused, with all of its faults if they are known.
func printFaults(w io.Writer, name string, err error) {
	var left refusedRows
	if errors.As(err, &left) {
		return // each row was already reported
	}
	var all *importers.DecisionError
	if !errors.As(err, &all) {
		fmt.Fprintf(w, "%s: %s: %s\n", calledBy(), name, explain(err))
		return
	}
	for _, f := range all.Faults {
		fmt.Fprintf(w, "%s: %s: %s\n", calledBy(), name, f.Safe())
	}
}

// importFile imports one session.
func importFile(ctx context.Context, in app.Importer, data []byte, o importers.Options) (app.Imported, error) {
	read, err := importers.Read(data, o)
	if err != nil {
		return app.Imported{}, err
	}
	return in.Import(ctx, read, nil)
}
