package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// runner runs benchmarks.
type runner struct {
	rounds    int
	benchtime string
	log       io.Writer // what go test prints of benchmarks, and their failures
}

// figures are a benchmark's, one of each round.
type figures []float64

// median returns the middle figure, the lower one of two; false if none.
func median(f figures) (float64, bool) {
	if len(f) == 0 {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(f))
	return sorted[(len(sorted)-1)/2], true
}

// measure runs the rows' benchmarks, all those of a folder in each round one after another. A benchmark that failed in
// a round has no figures.
func (r runner) measure(ctx context.Context, rows []*row) (map[benchmark]figures, error) {
	work, err := os.MkdirTemp("", "sanad-ratios-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	names := map[string][]string{}
	for _, w := range rows {
		for _, b := range []benchmark{w.measured, w.against} {
			if b.folder != "" && !slices.Contains(names[b.folder], b.name) {
				names[b.folder] = append(names[b.folder], b.name)
			}
		}
	}
	found := map[benchmark]figures{}
	for i, folder := range slices.Sorted(maps.Keys(names)) {
		binary := filepath.Join(work, fmt.Sprint(i, ".test"))
		build := exec.CommandContext(ctx, "go", "test", "-c", "-ldflags=-w", "-o", binary, "./"+folder)
		build.Stderr = r.log
		if err := build.Run(); err != nil {
			return nil, fmt.Errorf("building the tests of %s: %w", folder, err)
		}
		for range r.rounds {
			if err := r.round(ctx, binary, folder, names[folder], found); err != nil {
				return nil, err
			}
		}
	}
	for b, f := range found {
		if len(f) != r.rounds {
			delete(found, b)
		}
	}
	return found, nil
}

// round runs benchmarks of one folder once, and adds their figures to found.
func (r runner) round(ctx context.Context, binary, folder string, names []string, found map[benchmark]figures) error {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, binary, "-test.run", "^$", "-test.bench", pattern(names), "-test.benchmem",
		"-test.benchtime", r.benchtime, "-test.timeout", "1h")
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, io.MultiWriter(&out, r.log), r.log
	err := cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // the rows of what failed say that it is missing
		_, _ = fmt.Fprintln(r.log, folder+":", err)
	}
	for b, v := range read(folder, &out) {
		found[b] = append(found[b], v)
	}
	return nil
}

// pattern matches these benchmarks and no others that begin like them.
func pattern(names []string) string {
	each := make([]string, len(names))
	for i, n := range names {
		parts := strings.Split("Benchmark"+n, "/")
		for j, p := range parts {
			parts[j] = "^" + regexp.QuoteMeta(p) + "$"
		}
		each[i] = strings.Join(parts, "/")
	}
	return strings.Join(each, "|")
}

// procs is what go test appends to a benchmark's name where it ran on several processors.
var procs = regexp.MustCompile(`-\d+$`)

// read returns the figures that a test binary prints: "BenchmarkX-2   100   12 ns/op   3 B/op".
func read(folder string, out io.Reader) map[benchmark]float64 {
	found := map[benchmark]float64{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		name, is := strings.CutPrefix(lines.Text(), "Benchmark")
		f := strings.Fields(name)
		if !is || len(f) < 4 {
			continue
		}
		for i := 2; i+1 < len(f); i += 2 {
			if v, err := strconv.ParseFloat(f[i], 64); err == nil {
				found[benchmark{folder: folder, name: procs.ReplaceAllString(f[0], ""), unit: f[i+1]}] = v
			}
		}
	}
	return found
}
