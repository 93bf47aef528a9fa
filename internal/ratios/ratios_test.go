package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const page = `# A page

## Ratios

| what | measured | against | to reach | committed |
|---|---|---|---|---|
| twice / once | ` + "`internal/ratios Twice` | `internal/ratios Once`" + ` | ≤ 3 | 2 |
| share | ` + "`internal/ratios Once` | `internal/ratios Twice`" + ` | ≥ 0.6 | – |
| bytes | ` + "`internal/ratios Twice bytes`" + ` | – | – | 1,200 |

## Others

| what | measured |
`

func TestParse(t *testing.T) {
	rows, err := parse(page)
	require.NoError(t, err)
	twice, once := benchmark{"internal/ratios", "Twice", "ns/op"}, benchmark{"internal/ratios", "Once", "ns/op"}
	bytes := benchmark{"internal/ratios", "Twice", "bytes"}
	require.Equal(t, []row{
		{line: 6, what: "twice / once", measured: twice, against: once, goal: goal{limit: 3}, committed: 2},
		{line: 7, what: "share", measured: once, against: twice, goal: goal{limit: 0.6, least: true}},
		{line: 8, what: "bytes", measured: bytes, committed: 1200},
	}, rows)
	require.Equal(t, page, update(page, rows), "a page is not changed by the figures that it has")
}

func TestParseRefuses(t *testing.T) {
	for cell, says := range map[string]string{
		"| a | `x Y` | – | ≤ 3 |":          "5 cells",
		"| a | `x` | – | ≤ 3 | – |":        "folder Benchmark",
		"| a | `x Y` | `z` | ≤ 3 | – |":    "folder Benchmark",
		"| a | `x Y` | – | about 3 | – |":  "goal",
		"| a | `x Y` | – | ≤ three | – |":  "number",
		"| a | `x Y` | – | ≤ 3 | 0 |":      "number",
		"| a | `x Y` | – | ≤ 3 | slower |": "number",
	} {
		_, err := parse(heading + "\n" + cell + "\n")
		require.ErrorContains(t, err, says, cell)
		require.ErrorContains(t, err, "line 2", cell)
	}
	for _, text := range []string{"# Other\n", heading + "\n\nNothing.\n"} {
		_, err := parse(text)
		require.ErrorContains(t, err, heading)
	}
}

// TestBehind holds when a figure counts as fallen behind: beyond a factor of 1.5, in the direction that is worse.
func TestBehind(t *testing.T) {
	low, high := row{committed: 2}, row{committed: 0.6, goal: goal{limit: 0.5, least: true}}
	require.False(t, low.behind(3))
	require.True(t, low.behind(3.01))
	require.False(t, low.behind(0.1), "faster")
	require.False(t, high.behind(0.4))
	require.True(t, high.behind(0.39))
	require.False(t, high.behind(9), "more is better")
	require.False(t, (&row{}).behind(9), "nothing is committed")
	require.Equal(t, "no goal, BEHIND the committed 2", low.judge(4))
	require.Equal(t, "reaches ≥ 0.5, committed 0.6", high.judge(0.55))
	require.Equal(t, "misses ≤ 1.2, none committed", (&row{goal: goal{limit: 1.2}}).judge(1.3))
}

// TestRatio takes the median of the rounds' ratios, and no figure from a benchmark that failed in a round.
func TestRatio(t *testing.T) {
	a, b := benchmark{name: "A"}, benchmark{name: "B"}
	r := row{measured: a, against: b}
	got, ok := r.ratio(map[benchmark]figures{a: {2, 9, 30}, b: {1, 3, 3}})
	require.True(t, ok)
	require.InDelta(t, 3, got, 0)
	_, ok = r.ratio(map[benchmark]figures{a: {2, 9, 30}})
	require.False(t, ok)
	_, ok = r.ratio(nil)
	require.False(t, ok)
	got, ok = (&row{measured: a}).ratio(map[benchmark]figures{a: {7}})
	require.True(t, ok)
	require.InDelta(t, 7, got, 0)
}

func BenchmarkOnce(b *testing.B)  { work(b, 1) }
func BenchmarkTwice(b *testing.B) { work(b, 2) }
func BenchmarkTwiceOver(b *testing.B) {
	b.Fatal("its name only begins like the one that is asked for")
}

var hashed = bytes.Repeat([]byte("sanad"), 10_000)

func work(b *testing.B, times int) {
	b.Helper()
	for b.Loop() {
		for range times {
			_ = bytes.Count(hashed, []byte("nada"))
		}
	}
	b.ReportMetric(float64(len(hashed)*times), "bytes")
}

// TestRun measures real benchmarks, those of this package, and refuses what fell behind.
func TestRun(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	file := filepath.Join(t.TempDir(), "page.md")
	r := runner{rounds: 1, benchtime: "20x", log: io.Discard}
	measure := func(text string, commit bool) (string, error) {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		var out bytes.Buffer
		err := run(context.Background(), &out, file, "bytes", r, commit)
		return out.String(), err
	}
	out, err := measure(page, false)
	require.ErrorContains(t, err, "1 of 1")
	require.Contains(t, out, "100,000  bytes: no goal, BEHIND the committed 1,200")

	_, err = measure(page, true)
	require.NoError(t, err)
	written, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, strings.Replace(page, "| 1,200 |", "| 100,000 |", 1), string(written))
	out, err = measure(string(written), false)
	require.NoError(t, err)
	require.Contains(t, out, "committed 100,000")

	out, err = measure(strings.Replace(page, "Twice bytes", "Thrice bytes", 1), false)
	require.ErrorContains(t, err, "1 of 1")
	require.Contains(t, out, "MISSING")
}

// TestBenchmarksOfTheDocs holds that each benchmark which the page names is in the code.
func TestBenchmarksOfTheDocs(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", "measured.md"))
	require.NoError(t, err)
	rows, err := parse(string(text))
	require.NoError(t, err)
	for _, r := range rows {
		for _, b := range []benchmark{r.measured, r.against} {
			if b.folder == "" {
				continue
			}
			top, _, _ := strings.Cut(b.name, "/")
			is := regexp.MustCompile(`(?m)^func Benchmark` + regexp.QuoteMeta(top) + `\(b \*testing\.B\)`)
			tests, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(b.folder), "*_test.go"))
			require.NoError(t, err)
			require.Condition(t, func() bool {
				for _, file := range tests {
					code, err := os.ReadFile(file)
					if err == nil && is.Match(code) {
						return true
					}
				}
				return false
			}, "%s has no Benchmark%s, which docs/measured.md line %d names", b.folder, top, r.line+1)
		}
	}
}
