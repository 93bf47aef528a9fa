// Command ratios runs the benchmarks that the table "Ratios" of docs/measured.md names, and prints each ratio with its
// goal and the committed ratio. It fails if a ratio is worse than the committed one by a factor of 1.5, or if a
// benchmark is missing or fails. Absolute times never fail: a ratio compares two benchmarks of the same round.
//
//	go run ./internal/ratios                 all rows
//	go run ./internal/ratios -only pack      rows whose name contains this
//	go run ./internal/ratios -commit         measures, and writes the column "committed"
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
)

func main() {
	only := flag.String("only", "", "measure only rows whose name contains this")
	rounds := flag.Int("rounds", 3, "how often each benchmark runs; the median of the rounds' ratios counts")
	benchtime := flag.String("benchtime", "0.5s", "how long each benchmark runs in a round, as of go test")
	file := flag.String("file", "docs/measured.md", "the page with the table")
	commit := flag.Bool("commit", false, "write what was measured into the table")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Stdout, *file, *only, runner{rounds: *rounds, benchtime: *benchtime, log: os.Stderr}, *commit)
	if err != nil {
		fmt.Fprintln(os.Stderr, "ratios:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, file, only string, r runner, commit bool) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	rows, err := parse(string(page))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	chosen := make([]*row, 0, len(rows))
	for i := range rows {
		if strings.Contains(rows[i].what, only) {
			chosen = append(chosen, &rows[i])
		}
	}
	found, err := r.measure(ctx, chosen)
	if err != nil {
		return err
	}
	behind := 0
	for _, w := range chosen {
		got, ok := w.ratio(found)
		if !ok {
			behind++
			fmt.Fprintf(out, "%8s  %s: A BENCHMARK IS MISSING OR FAILED\n", "-", w.what)
			continue
		}
		fmt.Fprintf(out, "%8s  %s: %s\n", show(got), w.what, w.judge(got))
		if w.behind(got) {
			behind++
		}
		w.committed = got
	}
	if commit {
		if err := os.WriteFile(file, []byte(update(string(page), rows)), 0o644); err != nil { //nolint:gosec // a page of docs
			return err
		}
	}
	if behind > 0 && !commit {
		return fmt.Errorf("%d of %d ratios fell behind or could not be measured", behind, len(chosen))
	}
	return nil
}
