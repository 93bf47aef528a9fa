package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// row is one ratio of the table.
type row struct {
	line      int // of the page, from 0
	what      string
	measured  benchmark
	against   benchmark // zero: the figure itself counts, such as allocations
	goal      goal
	committed float64 // 0: not measured yet
}

// benchmark names a figure of a benchmark.
type benchmark struct {
	folder string // of the package
	name   string // without "Benchmark"
	unit   string // as go test prints it
}

// goal is what a ratio should reach.
type goal struct {
	limit float64 // 0: none
	least bool    // whether more is better
}

// slack is by which factor a ratio may be worse than the committed one.
const slack = 1.5

// heading begins the part of the page that has the table.
const heading = "## Ratios"

// columns are the cells of a row.
const columns = 5

// parse reads the table "| what | measured | against | to reach | committed |" below the heading.
func parse(page string) ([]row, error) {
	var rows []row
	lines := strings.Split(page, "\n")
	at := slices.Index(lines, heading)
	if at < 0 {
		return nil, fmt.Errorf("it has no heading %q", heading)
	}
	for i := at + 1; i < len(lines) && !strings.HasPrefix(lines[i], "## "); i++ {
		if !strings.HasPrefix(lines[i], "| ") || strings.HasPrefix(lines[i], "| what |") {
			continue
		}
		r, err := parseRow(lines[i])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		r.line = i
		rows = append(rows, r)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("there is no table below %q", heading)
	}
	return rows, nil
}

func cells(line string) []string {
	out := strings.Split(strings.Trim(line, "| "), "|")
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out
}

func parseRow(line string) (row, error) {
	c := cells(line)
	if len(c) != columns {
		return row{}, fmt.Errorf("a row has %d cells, not %d", columns, len(c))
	}
	r := row{what: c[0]}
	var err, wrong error
	if r.measured, err = parseBenchmark(c[1]); err != nil {
		wrong = errors.Join(wrong, err)
	}
	if c[2] != none {
		if r.against, err = parseBenchmark(c[2]); err != nil {
			wrong = errors.Join(wrong, err)
		}
	}
	if r.goal, err = parseGoal(c[3]); err != nil {
		wrong = errors.Join(wrong, err)
	}
	if c[4] != none {
		if r.committed, err = number(c[4]); err != nil {
			wrong = errors.Join(wrong, err)
		}
	}
	return r, wrong
}

// none fills a cell that has nothing.
const none = "–"

// parseBenchmark reads "`internal/db/sessions Confirm/50`", with the unit behind the name if it isn't ns/op.
func parseBenchmark(cell string) (benchmark, error) {
	f := strings.Fields(strings.Trim(cell, "`"))
	switch len(f) {
	case 2:
		return benchmark{folder: f[0], name: f[1], unit: "ns/op"}, nil
	case 3:
		return benchmark{folder: f[0], name: f[1], unit: f[2]}, nil
	}
	return benchmark{}, fmt.Errorf("%q is no `folder Benchmark` or `folder Benchmark unit`", cell)
}

// parseGoal reads "≤ 8", "≥ 0.6" or "–".
func parseGoal(cell string) (goal, error) {
	if cell == none {
		return goal{}, nil
	}
	sign, limit, _ := strings.Cut(cell, " ")
	if sign != "≤" && sign != "≥" {
		return goal{}, fmt.Errorf("%q is no goal: ≤ 8, ≥ 0.6 or –", cell)
	}
	n, err := number(limit)
	return goal{limit: n, least: sign == "≥"}, err
}

// number reads a number that may have commas between thousands.
func number(s string) (float64, error) {
	n, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("%q is no number above 0", s)
	}
	return n, nil
}

// show writes a number with three digits that count, or whole.
func show(n float64) string {
	if n >= 100 {
		return thousands(strconv.FormatFloat(n, 'f', 0, 64))
	}
	return strconv.FormatFloat(n, 'g', 3, 64)
}

func thousands(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// ratio returns the row's figure among those that were measured, false if it could not be.
func (r *row) ratio(found map[benchmark]figures) (float64, bool) {
	a := found[r.measured]
	if r.against == (benchmark{}) {
		return median(a)
	}
	b := found[r.against]
	if len(a) != len(b) {
		return 0, false
	}
	each := make(figures, len(a))
	for i := range a {
		each[i] = a[i] / b[i]
	}
	return median(each)
}

// behind reports whether a figure is worse than the committed one by more than slack.
func (r *row) behind(got float64) bool {
	if r.committed == 0 {
		return false
	}
	if r.goal.least {
		return got*slack < r.committed
	}
	return got > r.committed*slack
}

// judge says in words how a figure stands.
func (r *row) judge(got float64) string {
	var say []string
	sign, reached := "≤", got <= r.goal.limit
	if r.goal.least {
		sign, reached = "≥", got >= r.goal.limit
	}
	switch {
	case r.goal.limit == 0:
		say = append(say, "no goal")
	case reached:
		say = append(say, "reaches "+sign+" "+show(r.goal.limit))
	default:
		say = append(say, "misses "+sign+" "+show(r.goal.limit))
	}
	switch {
	case r.committed == 0:
		say = append(say, "none committed")
	case r.behind(got):
		say = append(say, "BEHIND the committed "+show(r.committed))
	default:
		say = append(say, "committed "+show(r.committed))
	}
	return strings.Join(say, ", ")
}

// update returns the page with the rows' committed figures.
func update(page string, rows []row) string {
	lines := strings.Split(page, "\n")
	for _, r := range rows {
		if r.committed == 0 {
			continue
		}
		c := cells(lines[r.line])
		c[columns-1] = show(r.committed)
		lines[r.line] = "| " + strings.Join(c, " | ") + " |"
	}
	return strings.Join(lines, "\n")
}
