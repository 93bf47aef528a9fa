package main

import (
	"io"
	"math"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWorkMemory(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	for name, c := range map[string]struct {
		flag  int   // MiB
		limit int64 // of the collector
		want  int64 // MiB
	}{
		"half of a small machine": {0, 1 << 30, 512},
		"a very small one":        {0, 200 << 20, 256},
		"a large one":             {0, 64 << 30, 2048},
		"no limit":                {0, math.MaxInt64, 2048},
		"the flag":                {5000, 1 << 30, 5000},
	} {
		t.Run(name, func(t *testing.T) {
			debug.SetMemoryLimit(c.limit)
			f := workFlags{mib: c.flag}
			require.NoError(t, f.check())
			require.Equal(t, c.want<<20, f.pool(newLog(io.Discard)).Use().Limit)
		})
	}
}
