package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/judge"
	"sanad/internal/importers"
	"sanad/internal/reader/published"
)

// readerFlags say what the embedded judge reads with in the place of the reader that ships.
type readerFlags struct{ path, labels string }

func (f *readerFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.path, "reader", "",
		"what the embedded judge reads with in the place of its own reader: the folder of a published model "+
			"(docs/reader.md), or the file below readers/ in --data that was made of one")
	cmd.Flags().StringVar(&f.labels, "reader-labels", "",
		"which class of --reader is which, in the order of their ids, if its config.json does not say it: for example "+
			"supports,neither,contradicts")
}

// addAlone adds them to a command that has no store.
func (f *readerFlags) addAlone(cmd *cobra.Command, data *string) {
	f.add(cmd)
	cmd.Flags().StringVar(data, "data", "data", "folder that a model of --reader is made ready in, once")
}

// open returns the judge with the reader that the flags name, or own if they name none. A model's folder is first made
// ready in the data folder, once. The reader stays open as long as the process.
func (f *readerFlags) open(own *app.Embedded, data string) (*app.Embedded, error) {
	if f.path == "" && f.labels != "" {
		return nil, errors.New("--reader-labels needs --reader")
	}
	if f.path == "" {
		return own, nil
	}
	file, err := f.file(data)
	if err != nil {
		return nil, f.failed(err)
	}
	model, err := published.Open(file)
	if err != nil {
		return nil, f.failed(err)
	}
	if err := model.Check(); err != nil {
		err = fmt.Errorf("%s: %w; delete this file, and give the model's folder to have it made again", file, err)
		return nil, f.failed(errors.Join(err, model.Close()))
	}
	return app.NewChosen(model.Reader), nil
}

// file returns the file that the reader is in.
func (f *readerFlags) file(data string) (string, error) {
	labels, err := published.ParseLabels(f.labels)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(f.path); err == nil && info.Mode().IsRegular() {
		if labels != nil {
			return "", errors.New("this file has its labels; give --reader-labels with the model's folder only")
		}
		return f.path, nil
	}
	file, _, err := published.Import(f.path, data, labels)
	return file, err
}

// failed says which reader an error is about.
func (f *readerFlags) failed(err error) error {
	return failure{fmt.Errorf("--reader %s: %s", f.path, explain(err))}
}

func newReader(io streams) *cobra.Command {
	return group("reader", "Calibrate a reader of your choice",
		"A published model can read in the place of the reader that ships: see docs/reader.md.", newReaderCalibrate(io))
}

func newReaderCalibrate(io streams) *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use: "calibrate [FILE]", Args: cobra.MaximumNArgs(1),
		Short: "Calibrate --reader for a tenant on claims whose verdicts people gave",
		Long: "calibrate runs the reader on claims whose verdicts people gave, computes from its answers how\n" +
			"likely each is to be supported or contradicted, and stores the result for the tenant and this\n" +
			"reader. Without FILE it uses the tenant's own claims whose verdicts are settled.\n\n" +
			"FILE, or standard input if it is -, has one JSON object per line, as for sanad judge, with a\n" +
			"verdict: " + `{"claim","evidence":[{"doc","text"}],"verdict"}` + ". The verdict is supported,\n" +
			"contradicted, weak or not_found; the last two count as neither. At least\n" +
			fmt.Sprint(judge.LeastLabelled) + " rows of each kind (supported, contradicted, neither) are needed, from at least\n" +
			"five different sources.\n\n" +
			"It prints how accurate the reader was before, and how accurate it is once calibrated, measured\n" +
			"on sources that were not used for the calibration.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.reader.path == "" {
				return errors.New("name the reader: --reader DIR")
			}
			return c.with(cmd.Context(), func(store *db.Store, tenant db.Tenant) error {
				own, err := c.reader.open(io.embedded, c.data)
				if err != nil {
					return err
				}
				return calibrate(cmd.Context(), own, store, tenant, args, io)
			})
		},
	}
	c.dataFlags(cmd, "data")
	c.reader.add(cmd)
	return cmd
}

// calibrate calibrates a reader for a tenant and prints what came of it.
func calibrate(
	ctx context.Context, own *app.Embedded, store *db.Store, tenant db.Tenant, files []string, to streams,
) error {
	watch := newProgress("reader", to.err)
	step := func(done int) error {
		watch.update(done, 0)
		return ctx.Err()
	}
	var rows []judge.Labelled
	var err error
	if len(files) == 0 {
		rows, err = own.ReadReviewed(ctx, store, tenant.ID, step)
	} else {
		var given []app.VerdictRow
		if given, err = readVerdictRows(files[0], to.in); err == nil {
			rows, err = own.ReadRows(ctx, given, step)
		}
		if left := len(given) - len(rows); err == nil && left > 0 {
			fmt.Fprintf(to.err, "reader: %d rows are left out: there is nothing to read, or the claim is too long\n",
				left)
		}
	}
	watch.end()
	if err != nil {
		return err
	}
	found, err := own.Calibrate(ctx, store, access.AtCommandLine(tenant.ID), rows)
	if err != nil {
		return err
	}
	fmt.Fprintf(to.out, `%s	%s
rows %d: supported %d, contradicted %d, neither %d
share right: %.1f %% before, %.1f %% after
calibration error: %.1f points before, %.1f after
shown as supported: %d, of which right %d
The figures after calibration are cross-validated: each row was judged by a calibration made on other sources.
`, tenant.Slug, own.Chosen(), found.Rows, found.Supported, found.Contradicted, found.Neither, 100*found.RightBefore,
		100*found.RightAfter, 100*found.ErrorBefore, 100*found.ErrorAfter, found.Shown, found.ShownRight)
	return nil
}

// mostVerdictRows is how many rows a reader is calibrated on.
const mostVerdictRows = 20_000

// readVerdictRows reads the rows of a file; - is standard input.
func readVerdictRows(name string, in io.Reader) (rows []app.VerdictRow, err error) {
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close() //nolint:errcheck // opened for reading only
		in = f
	}
	lines := bufio.NewReaderSize(in, 64<<10)
	for n := 1; ; n++ {
		line, err := readLine(lines, maxRow)
		if len(line) > maxRow {
			return nil, fmt.Errorf("%s: line %d is longer than %d MiB; cut its evidence", name, n, maxRow>>20)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			row, verdict, err := importers.ReadVerdictRow(line)
			if err != nil {
				return nil, fmt.Errorf("%s: line %d: %s", name, n, explain(err))
			}
			if rows = append(rows, app.VerdictRow{Row: row, Verdict: verdict}); len(rows) > mostVerdictRows {
				return nil, fmt.Errorf("%s has more than %d rows; give fewer", name, mostVerdictRows)
			}
		}
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
