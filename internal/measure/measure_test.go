package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func sourceOf(t *testing.T, name, text string) source {
	t.Helper()
	s, err := parse(name, text)
	require.NoError(t, err)
	return s
}

const sample = `package a

import "fmt"

// Documented says so.
type Documented struct{}

type Bare struct{}

// Method is documented.
func (Documented) Method() {
	fmt.Println("one line")
}

func (hidden) Exported() {}

type hidden struct{}

const (
	A = 1 // by its own comment
	B = 2
)
`

func TestMeasure(t *testing.T) {
	t.Parallel()
	long := "// " + strings.Repeat("x", maxColumns) + "\n"
	got := measure([]source{sourceOf(t, "a/a.go", sample), sourceOf(t, "b/b.go", long+"package b\n")})
	require.Equal(t, 5, got.exported, "Documented, Bare, Method, A and B")
	require.Equal(t, 3, got.documented)
	require.Equal(t, []int{3, 1}, got.functions)
	require.Equal(t, 1, got.long)
	require.Equal(t, map[string]int{"a": 22, "b": 2}, got.rooms)
	require.Zero(t, got.repeated)
	require.Contains(t, got.String(), "largest room                a, 22 lines\n")
}

func TestRepeats(t *testing.T) {
	t.Parallel()
	six := "a()\nb()\nc()\n\n// a comment does not hide a copy\nd()\ne()\nf()\n"
	f := func(name, body string) source {
		return sourceOf(t, name, "package p\nfunc "+name+"() {\n"+body+"}\n")
	}
	for name, c := range map[string]struct {
		sources          []source
		lines, stretches int
	}{
		"none":          {sources: []source{f("x", six)}},
		"two files":     {sources: []source{f("x", six), f("y", "z()\n"+six)}, lines: 12, stretches: 2},
		"in one file":   {sources: []source{f("x", six+"z()\n"+six)}, lines: 12, stretches: 2},
		"too short":     {sources: []source{f("x", "a()\nb()\nc()\n"), f("y", "a()\nb()\nc()\n")}},
		"another order": {sources: []source{f("x", six), f("y", "f()\ne()\nd()\nc()\nb()\na()\n")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines, stretches := repeats(c.sources)
			require.Equal(t, c.lines, lines)
			require.Equal(t, c.stretches, stretches)
		})
	}
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		values  []int
		p, want int
	}{
		"none":        {p: 50},
		"one":         {values: []int{7}, p: 90, want: 7},
		"median":      {values: []int{5, 1, 3}, p: 50, want: 3},
		"even number": {values: []int{4, 1, 2, 3}, p: 50, want: 2},
		"p90":         {values: []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, p: 90, want: 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, quantile(c.values, c.p))
		})
	}
}

func TestColumns(t *testing.T) {
	t.Parallel()
	require.Equal(t, 9, columns("\tabcde"))
	require.Equal(t, 4, columns("سند."))
}

// The whole tree is read: figures would be too good if a file did not parse or a folder was skipped by mistake.
func TestReadSources(t *testing.T) {
	t.Parallel()
	sources, err := readSources("../..")
	require.NoError(t, err)
	rooms := measure(sources).rooms
	for _, room := range []string{"cmd/web", "internal/db", "internal/measure", "internal/domain/ledger"} {
		require.Positive(t, rooms[room], room)
	}
}
