package main

import (
	"bytes"
	"errors"
	"math"
	"runtime/debug"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/stretchr/testify/require"
)

// The limit is the flag's, else that of the environment, else 80 % of the smaller of container and machine (rule
// SEC-18).
func TestMemoryLimit(t *testing.T) {
	const gib = 1 << 30
	none := func() (uint64, error) { return 0, memlimit.ErrNoLimit }
	broken := func() (uint64, error) { return 0, errors.New("no cgroup here") }
	for name, c := range map[string]struct {
		flag               int
		environment        string
		container, machine memlimit.Provider
		want               int64
		from               string
	}{
		"flag first": {
			flag: 512, environment: "1GiB", container: memlimit.Limit(gib), machine: memlimit.Limit(2 * gib), want: 512 << 20,
			from: "--memory-limit",
		},
		"environment": {
			environment: "1GiB", container: memlimit.Limit(gib), machine: memlimit.Limit(2 * gib), from: "GOMEMLIMIT",
		},
		"container": {
			container: memlimit.Limit(gib), machine: memlimit.Limit(2 * gib), want: gib / 100 * 80, from: "container",
		},
		"machine is smaller": {
			container: memlimit.Limit(4 * gib), machine: memlimit.Limit(2 * gib), want: 2 * gib / 100 * 80, from: "machine",
		},
		"no container": {
			container: none, machine: memlimit.Limit(2 * gib), want: 2 * gib / 100 * 80, from: "machine",
		},
		"unreadable cgroup": {
			container: broken, machine: memlimit.Limit(2 * gib), want: 2 * gib / 100 * 80, from: "machine",
		},
		"unlimited by number": {
			container: memlimit.Limit(math.MaxUint64), machine: memlimit.Limit(gib), want: gib / 100 * 80, from: "machine",
		},
		"nothing is told": {
			container: none, machine: none, from: "none: neither the container nor the machine tells its memory",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := memoryFlag{mib: c.flag}
			got, from := f.limit(c.environment, c.container, c.machine)
			require.Equal(t, c.want, got)
			require.Equal(t, c.from, from)
		})
	}
}

func TestMemoryLimitIsApplied(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	t.Setenv("GOMEMLIMIT", "")
	var out bytes.Buffer
	(&memoryFlag{mib: 4096}).apply(newLog(&out))
	require.Equal(t, int64(4<<30), debug.SetMemoryLimit(-1))
	require.Contains(t, out.String(), `"from":"--memory-limit","bytes":4294967296`)

	out.Reset()
	(&memoryFlag{}).apply(newLog(&out))
	require.Less(t, debug.SetMemoryLimit(-1), int64(math.MaxInt64), "the machine's: %s", out.String())
}

func TestMemoryFlag(t *testing.T) {
	for mib, ok := range map[int]bool{0: true, 128: true, 1 << 20: true, -1: false, 1: false, 127: false} {
		if f := (memoryFlag{mib: mib}); ok {
			require.NoError(t, f.check())
		} else {
			require.ErrorContains(t, f.check(), "--memory-limit must be at least 128 (MiB)")
		}
	}
}
