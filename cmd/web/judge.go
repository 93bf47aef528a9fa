package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"sanad/internal/domain/judge"
	"sanad/internal/importers"
	"sanad/internal/llm"
)

func newJudge(streams streams) *cobra.Command {
	var name string
	var models modelFlags
	var chosen readerFlags
	var data string
	cmd := &cobra.Command{
		Use: "judge", Short: "Judge claims from standard input, one JSON object a line; no database",
		Args: cobra.NoArgs,
		Long: `judge reads {"id","claim","evidence":[{"doc","text"}],"lang"} and writes, in the same order,
{"id","verdict","confidence","p_supported","notes","matches":[…]}. A row that cannot be judged gives
{"id","verdict":null,"confidence":0,"p_supported":0.5,"unjudged":cause}; a malformed row gives the same with the
cause as "error" too, and makes the exit code 1. The number of rows is printed on standard error.
With --judge openai, anthropic or nli each row is asked about at --endpoint; the exit code is 1 also if no row could be
judged because the endpoint failed. What is sent, and what an answer is worth, is
in docs/models.md. With --reader what the reader says is not calibrated, so that nothing is more than weak, apart from
a claim that is a sentence of the evidence word for word.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			own, err := chosen.open(streams.embedded, data)
			if err != nil {
				return err
			}
			j, tally, err := models.judgeOf(name, own, streams.err)
			if err != nil {
				return err
			}
			if asking, ok := j.(*llm.Judge); ok {
				j = asking.In(cmd.Context())
			}
			judged, err := runJudge(cmd.Context(), j, models.atOnce(j), streams)
			if ended := tally.end(judged); err == nil && ended != nil {
				err = failure{ended}
			}
			return err
		},
	}
	cmd.Flags().StringVar(&name, "judge", embedded,
		"which judge: embedded (needs nothing), lexical (the same without its reader), openai, anthropic, nli")
	models.add(cmd)
	chosen.addAlone(cmd, &data)
	return cmd
}

// maxRow is the longest line that is judged, in bytes; a longer one is skipped and answered as broken.
const maxRow = 16 << 20

// answered is one line of output and what became of its row.
type answered struct {
	line             []byte
	broken, unjudged bool
}

// judging judges a stream of rows. At most atOnce rows and a few are in memory, and analyses up to the batch's budget.
type judging struct {
	batch  *judge.Batch
	watch  *progress
	atOnce int // rows
	// of the rows answered
	rows, broken, unjudged int
}

// runJudge streams: a reader passes each line to a free worker, and answers are written in the order of the input. At
// the end it prints the counts to to.err and returns how many were judged. It fails if there were broken lines.
func runJudge(ctx context.Context, j judge.Judge, atOnce int, to streams) (judged int, err error) {
	run := &judging{batch: judge.NewBatch(j, judge.DefaultBudget), watch: &progress{}, atOnce: atOnce}
	if !isTerminal(to.out) { // on a terminal the answers themselves show the progress
		run.watch = newProgress("judge", to.err)
	}
	err = run.stream(ctx, to.in, to.out)
	run.watch.end()
	judged = run.rows - run.unjudged - run.broken
	fmt.Fprintf(to.err, "judge: rows %d, judged %d, unjudged %d, broken %d\n", run.rows,
		judged, run.unjudged, run.broken)
	if err == nil && run.broken > 0 {
		err = fmt.Errorf("%d row(s) could not be read; their lines say why", run.broken)
	}
	return judged, asFailure(err)
}

// stream answers all rows of in.
func (g *judging) stream(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan chan answered, g.atOnce-1) // and one is awaited by the writer
	readErr := make(chan error, 1)
	go func() {
		defer close(queue)
		readErr <- g.read(ctx, in, queue)
	}()
	w := bufio.NewWriter(out)
	for slot := range queue {
		if err := g.write(w, <-slot); err != nil {
			return err
		}
		if len(queue) == 0 { // nothing is pending: flush, so that whoever reads the output sees the answers so far
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
	return errors.Join(<-readErr, w.Flush())
}

// write writes one answer and counts it.
func (g *judging) write(w io.Writer, a answered) error {
	g.rows++
	switch {
	case a.broken:
		g.broken++
	case a.unjudged:
		g.unjudged++
	}
	g.watch.update(g.rows, 0)
	_, err := w.Write(a.line)
	return err
}

// read starts judging each line; the queue's capacity bounds how many run at a time.
func (g *judging) read(ctx context.Context, in io.Reader, queue chan<- chan answered) error {
	lines := bufio.NewReaderSize(in, 64<<10)
	for n := 1; ; n++ {
		line, err := readLine(lines, maxRow)
		if line = bytes.TrimSpace(line); len(line) > 0 {
			slot := make(chan answered, 1)
			select {
			case queue <- slot:
			case <-ctx.Done():
				return ctx.Err()
			}
			go func() { slot <- g.judge(line, n) }()
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readLine reads a line into new memory. If the line is longer than most bytes, it returns the first most+1 and skips
// the rest.
func readLine(r *bufio.Reader, most int) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part[:min(len(part), most+1-len(line))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// judge answers one line; the answer to a line that cannot be read is its place and the fault.
func (g *judging) judge(line []byte, n int) answered {
	if len(line) > maxRow {
		return answered{line: resultLine(judge.BrokenRow("",
			fmt.Sprintf("line %d: This row is longer than %d MiB; cut its evidence.", n, maxRow>>20))), broken: true}
	}
	row, err := importers.ReadRow(line)
	if err != nil {
		return answered{line: resultLine(judge.BrokenRow(row.ID, fmt.Sprintf("line %d: %s", n, explain(err)))),
			broken: true}
	}
	res := g.batch.JudgeRow(row)
	return answered{line: resultLine(res), unjudged: res.Verdict == nil}
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
