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
	"sanad/internal/domain"
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
		return nil, f.failed(errors.Join(fmt.Errorf("%s: %w; delete this file, and give the model's folder to have it made again",
			file, err), model.Close()))
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
		Short: "Find what the word of --reader counts in a tenant, on rows with verdicts of people",
		Long: "calibrate has the reader read rows with verdicts of people, finds how likely a claim is supported or contradicted\n" +
			"if the reader says so, and stores that for the tenant and this reader. FILE has a JSON object a line, as for\n" +
			"sanad judge: {\"claim\",\"evidence\":[{\"doc\",\"text\"}],\"verdict\"}; the verdict is supported, contradicted, weak or\n" +
			"not_found (- for standard input). Without FILE the tenant's own claims are taken whose verdict people settled.\n" +
			"At least " + fmt.Sprint(judge.LeastLabelled) + " rows each are needed that are supported, contradicted, and neither, over at least five\n" +
			"different sources. It prints how well the reader did before, and does afterwards on rows of other sources.",
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
			fmt.Fprintf(to.err, "reader: %d rows are left out: there is nothing to read, or the claim is too long\n", left)
		}
	}
	watch.end()
	if err != nil {
		return err
	}
	found, err := own.Calibrate(ctx, store, domain.AtCommandLine(tenant.ID), rows)
	if err != nil {
		return err
	}
	fmt.Fprintf(to.out, `%s	%s
rows %d: supported %d, contradicted %d, neither %d
share right: %.1f %% before, %.1f %% after
calibration error: %.1f points before, %.1f after
shown as supported: %d, of which right %d
What is said of after was measured by cross-validation, on rows of sources that the reader was not calibrated on.
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
