package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"sanad/internal/domain/judge"
	"sanad/internal/importers"
)

func newJudge(streams streams) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use: "judge", Short: "Judge claims from standard input, one JSON object a line; no database", Args: cobra.NoArgs,
		Long: `judge reads {"id","claim","evidence":[{"doc","text"}],"lang"} and writes, in the same order,
{"id","verdict","confidence","p_supported","notes","matches":[…]}. A row that cannot be judged gives
{"id","verdict":null,"confidence":0,"p_supported":0.5,"unjudged":cause}; a broken row does too, and exit code 1 at the end.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if name != judge.NewLexical().Name() {
				return fmt.Errorf("--judge %q: the judge here is lexical", name)
			}
			return runJudge(cmd.Context(), judge.NewLexical(), streams.in, streams.out)
		},
	}
	cmd.Flags().StringVar(&name, "judge", judge.NewLexical().Name(), "which judge: lexical")
	return cmd
}

// maxRow is the longest line judged, in bytes.
const maxRow = 16 << 20

// answered is one line of output; broken says that its row could not be read.
type answered struct {
	line   []byte
	broken bool
}

// runJudge streams: a reader hands each line to a free worker, and lines come out in the order in which they came in.
// At most a few rows per core are in memory.
func runJudge(ctx context.Context, j judge.Judge, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan chan answered, 4*runtime.GOMAXPROCS(0))
	readErr := make(chan error, 1)
	go func() {
		defer close(queue)
		readErr <- readRows(ctx, j, in, queue)
	}()
	w := bufio.NewWriter(out)
	broken := 0
	for slot := range queue {
		a := <-slot
		if a.broken {
			broken++
		}
		if _, err := w.Write(a.line); err != nil {
			return failure{err}
		}
		if len(queue) == 0 { // nobody waits: let the reader at the other end see what is done
			if err := w.Flush(); err != nil {
				return failure{err}
			}
		}
	}
	if err := errors.Join(<-readErr, w.Flush()); err != nil {
		return failure{err}
	}
	if broken > 0 {
		return failure{fmt.Errorf("%d row(s) could not be read; their lines say why", broken)}
	}
	return nil
}

// readRows starts the judging of each line; the queue's length bounds how many run.
func readRows(ctx context.Context, j judge.Judge, in io.Reader, queue chan<- chan answered) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), maxRow)
	for n := 1; lines.Scan(); n++ {
		line := bytes.Clone(bytes.TrimSpace(lines.Bytes()))
		if len(line) == 0 {
			continue
		}
		slot := make(chan answered, 1)
		select {
		case queue <- slot:
		case <-ctx.Done():
			return ctx.Err()
		}
		go func() { slot <- judgeLine(j, line, n) }()
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a row is longer than %d MiB; what follows it was not read", maxRow>>20)
	}
	return lines.Err()
}

// judgeLine answers one line; one that cannot be read is unjudged, with its place and cause.
func judgeLine(j judge.Judge, line []byte, n int) answered {
	row, err := importers.ReadRow(line)
	if err != nil {
		return answered{resultLine(judge.UnjudgedRow(row.ID, fmt.Sprintf("line %d: %s", n, explain(err)))), true}
	}
	return answered{resultLine(judge.JudgeRow(row, j)), false}
}

// resultLine is one line of output.
func resultLine(r judge.Result) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		panic(err) // a Result holds strings and finite figures only
	}
	return b.Bytes()
}
