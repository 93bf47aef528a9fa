package main

import (
	"fmt"
	"log/slog"
	"math"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/spf13/cobra"
)

// memoryShare of what the machine or its container has is left to Go, in percent. The rest is for what Go does not
// count: SQLite's pages, the processes that read documents, the kernel's buffers.
const memoryShare = 80

// leastMemory is the lowest --memory-limit, in MiB: below it the collector would run all the time.
const leastMemory = 128

// memoryFlag sets how much memory the collector aims to stay below (rule SEC-18).
type memoryFlag struct{ mib int }

func (f *memoryFlag) add(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.mib, "memory-limit", 0, fmt.Sprintf(
		"MiB that the server aims to stay below (GOMEMLIMIT); 0 for %d %% of the container's or machine's memory",
		memoryShare))
}

func (f *memoryFlag) check() error {
	if f.mib < 0 || f.mib > 0 && f.mib < leastMemory || f.mib > math.MaxInt64>>20 {
		return fmt.Errorf("--memory-limit must be at least %d (MiB), or 0 for %d %% of the container's or machine's memory",
			leastMemory, memoryShare)
	}
	return nil
}

// apply sets the limit, and logs it and where it is from. A machine that does not tell its memory has no limit.
func (f *memoryFlag) apply(log *slog.Logger) {
	limit, from := f.limit(os.Getenv("GOMEMLIMIT"), memlimit.FromCgroup, memlimit.FromSystem)
	if limit > 0 {
		debug.SetMemoryLimit(limit)
	}
	log.Info("memory limit", "from", from, "bytes", debug.SetMemoryLimit(-1))
}

// limit returns the limit in bytes and where it is from: the flag, the environment, or the smaller of what the
// container and the machine have. 0 leaves the runtime's limit as it is.
func (f *memoryFlag) limit(environment string, container, machine memlimit.Provider) (bytes int64, from string) {
	switch {
	case f.mib > 0:
		return int64(f.mib) << 20, "--memory-limit"
	case environment != "": // the runtime has read it
		return 0, "GOMEMLIMIT"
	}
	least := uint64(math.MaxInt64)
	var known bool
	for _, p := range []struct {
		name string
		has  memlimit.Provider
	}{{"container", container}, {"machine", machine}} {
		if n, err := p.has(); err == nil && n > 0 && n < least {
			least, from, known = n, p.name, true
		}
	}
	if !known {
		return 0, "none: neither the container nor the machine tells its memory"
	}
	return int64(least / 100 * memoryShare), from
}
