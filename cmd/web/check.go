package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/gate"
	"sanad/internal/importers"
)

// reportWriter writes a report in a format.
type reportWriter func(io.Writer, *gate.Report) error

// checkFormats are the formats of a report.
var checkFormats = map[string]reportWriter{
	"text": writeCheckText, "junit": gate.WriteJUnit, "sarif": gate.WriteSARIF,
}

// checking is a check of one file.
type checking struct {
	gate   ledger.Gate
	write  reportWriter
	output string
	at     time.Time // that ages of sources are measured at
	to     streams
	warned int // warnings that were printed or left out
}

func newCheck(to streams) *cobra.Command {
	c := checking{to: to, at: time.Now().UTC()}
	var failOn []string
	var chosen readerFlags
	var data string
	var format string
	cmd := &cobra.Command{
		Use: "check FILE", Short: "Check answers in a pipeline (- for standard input); no database", Args: cobra.ExactArgs(1),
		Long: "check reads the sessions of a file in any format that import reads, judges every claim with the embedded\n" +
			"judge, and fails if an answer must not pass: see docs/check.md. Nothing is stored or sent.\n" +
			"Exit codes: 0 every answer passes, 1 one does not, 2 wrong usage, or a session could not be read.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.configure(failOn, format); err != nil {
				return err
			}
			own, err := chosen.open(to.embedded, data)
			if err != nil {
				return err
			}
			c.to.embedded = own
			return c.run(cmd.Context(), args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&failOn, "fail-on", faultNames(ledger.DefaultFaults),
		"verdicts, risk flags and citation statuses that no claim may have, with commas between; none for none")
	flags.Float64Var(&c.gate.MinCoverage, "min-coverage", 0, "least share of an answer's claims that have evidence, 0 to 1")
	flags.BoolVar(&c.gate.AllowUnjudged, "allow-unjudged", false, "let claims pass that no judge could judge")
	flags.BoolVar(&c.gate.AllowEmpty, "allow-empty", false, "let answers pass that have no claim")
	flags.StringVar(&format, "format", "text", "text, junit or sarif")
	flags.StringVarP(&c.output, "output", "o", "-", "file to write, - for standard output")
	chosen.addAlone(cmd, &data)
	return cmd
}

func faultNames(faults []ledger.Fault) []string {
	out := make([]string, len(faults))
	for i, f := range faults {
		out[i] = string(f)
	}
	return out
}

// configure takes over the flags.
func (c *checking) configure(failOn []string, format string) error {
	if len(failOn) == 0 {
		return fmt.Errorf("--fail-on: there is no fault; give none to fail on none")
	}
	for _, name := range failOn {
		name = strings.TrimSpace(name)
		if name != "none" || len(failOn) > 1 {
			c.gate.FailOn = append(c.gate.FailOn, ledger.Fault(name))
		}
	}
	if err := c.gate.Check(); err != nil {
		return fmt.Errorf("--%s", explain(err))
	}
	if c.write = checkFormats[format]; c.write == nil {
		return fmt.Errorf("--format: %q is not text, junit or sarif", format)
	}
	return nil
}

// run checks a file and writes what it found. What could not be read is said first, on standard error.
func (c *checking) run(ctx context.Context, name string) error {
	file, size, done, err := openSessions(name, c.to.in)
	if err != nil {
		return unreadable{fmt.Errorf("%s: %w", name, err)}
	}
	defer done()
	if c.overwrites(file) {
		return fmt.Errorf("--output: %s is the file to check, which would be lost; name another", c.output)
	}
	report, err := c.report(ctx, name, file, size)
	if err != nil {
		return unreadable{fmt.Errorf("%s: %w", name, err)}
	}
	for _, x := range report.Refused {
		fmt.Fprintf(c.to.err, "%s: %s: %s\n", calledBy(), name, x.Why)
	}
	if len(report.Refused) > 0 && len(report.Sessions) == 0 && !beginsJSON(file) {
		fmt.Fprintf(c.to.err, "%s: %s: %s\n", calledBy(), name, checkReads)
	}
	if err := c.put(report); err != nil {
		return unreadable{err}
	}
	switch {
	case len(report.Refused) > 0:
		return errUnread
	case !report.Passes():
		return errFailed
	}
	return nil
}

// checkReads says to whoever gave a plain text what a file must hold.
const checkReads = `this is not JSON. check reads an answer with its sources as JSON, such as ` +
	`{"user_input":"QUESTION","retrieved_contexts":["SOURCE"],"response":"ANSWER"}; see docs/check.md. ` +
	`The page "New session" of sanad serve and sanad demo takes a plain answer`

// beginsJSON reports whether a file begins as an object or a list does.
func beginsJSON(file io.ReaderAt) bool {
	head := make([]byte, 512)
	n, _ := file.ReadAt(head, 0) // a short file ends early
	text := bytes.TrimSpace(bytes.TrimPrefix(head[:n], []byte("\xef\xbb\xbf")))
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

// overwrites reports whether the report would take the place of the file that is checked.
func (c *checking) overwrites(file io.ReaderAt) bool {
	info, err := os.Stat(c.output)
	if c.output == "-" || err != nil || !info.Mode().IsRegular() {
		return false
	}
	for _, x := range []any{file, c.to.in} {
		if f, ok := x.(*os.File); ok && isFile(info, f) {
			return true
		}
	}
	return false
}

// put writes the report whole or not at all. Where that is not for people, they get the last line of the text.
func (c *checking) put(report *gate.Report) error {
	var out bytes.Buffer
	if err := c.write(&out, report); err != nil {
		return err
	}
	if c.output != "-" {
		if err := writeReport(c.output, out.Bytes()); err != nil {
			return err
		}
	} else if _, err := c.to.out.Write(out.Bytes()); err != nil {
		return err
	}
	if c.output == "-" && bytes.HasSuffix(out.Bytes(), []byte(checkSummary(report))) {
		return nil
	}
	_, err := io.WriteString(c.to.err, checkSummary(report))
	return err
}

// openSessions opens a file of sessions, or reads standard input for "-" up to the limit of an import and one byte
// more, so that its reader can say that it is too large.
func openSessions(name string, in io.Reader) (file io.ReaderAt, size int64, done func(), err error) {
	if name == "-" {
		data, err := io.ReadAll(io.LimitReader(in, importers.MaxBytes+1))
		return bytes.NewReader(data), int64(len(data)), func() {}, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("not a file; give a file, or - for standard input")
	}
	if err != nil {
		f.Close() //nolint:errcheck // opened for reading only
		return nil, 0, nil, err
	}
	return f, info.Size(), func() { f.Close() }, nil //nolint:errcheck // likewise
}

// report checks each session of a file. A row that cannot be read does not stop the others.
func (c *checking) report(
	ctx context.Context, name string, file io.ReaderAt, size int64,
) (*gate.Report, error) {
	report := &gate.Report{File: c.called(name), Version: version()}
	watch := newProgress(name, c.to.err)
	defer watch.end()
	opt := importers.Options{Claimless: true, Lines: true}
	err := importers.ReadEach(file, size, opt, func(r *importers.Result, refused *domain.Error) error {
		if refused != nil {
			report.Refuse(rowOf(refused.Path), explain(refused))
			return nil
		}
		c.warn(report.File, r)
		l, err := c.to.embedded.Alone(&r.Session, c.at, func(begun, all int) error {
			watch.update(begun, all)
			return ctx.Err()
		})
		if err == nil {
			report.Add(&l, r.Row, r.Format, &c.gate).None = r.Unclaimed()
		}
		return err
	})
	if err != nil && (ctx.Err() != nil || domain.KindOf(err) == domain.Internal) {
		return nil, err
	}
	if err != nil {
		report.Refuse("", explain(err))
	}
	return report, c.placeRows(report, file, size)
}

// called returns the name of the file in reports: relative to the working folder where it lies in there, so that who
// reads a report elsewhere finds it.
func (c *checking) called(name string) string {
	if name == "-" {
		return "stdin"
	}
	if folder, err := os.Getwd(); err == nil && filepath.IsAbs(name) {
		if inside, err := filepath.Rel(folder, name); err == nil && filepath.IsLocal(inside) {
			return inside
		}
	}
	return name
}

// mostWarned is how many warnings of a file are printed.
const mostWarned = 50

// warn prints what an import of a session would warn about: a field that is not read, or sources that are missing.
func (c *checking) warn(file string, r *importers.Result) {
	for _, w := range r.Warnings {
		if c.warned++; c.warned == mostWarned+1 {
			fmt.Fprintf(c.to.err, "%s: warning: there are more; sanad import prints all\n", file)
		}
		if c.warned > mostWarned {
			return
		}
		fmt.Fprintf(c.to.err, "%s: warning: %s: %s\n", gate.RowOfFile(file, r.Row), oneLine(w.Path), oneLine(w.Msg))
	}
}

// rowOf returns the row that a place in a file of rows begins with.
func rowOf(path string) string { return regexp.MustCompile(`^\[\d+\]`).FindString(path) }

// placeRows finds the lines of the rows that the report names.
func (c *checking) placeRows(report *gate.Report, file io.ReaderAt, size int64) error {
	lines := map[string]int{}
	for i := range report.Sessions {
		lines[rowOf(report.Sessions[i].Row)] = 1
	}
	for _, x := range report.Refused {
		lines[x.Row] = 1
	}
	if err := importers.RowLines(file, size, lines); err != nil {
		return err
	}
	for i := range report.Sessions {
		report.Sessions[i].Line = lines[rowOf(report.Sessions[i].Row)]
	}
	for i := range report.Refused {
		report.Refused[i].Line = lines[report.Refused[i].Row]
	}
	return nil
}
