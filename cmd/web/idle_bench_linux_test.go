package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkIdle reports what a server has in memory that has been idle for ten seconds: resident altogether, and
// without the pages of the program's own file, which the system may drop and shares with the processes that read files.
func BenchmarkIdle(b *testing.B) {
	for name, args := range map[string][]string{
		"new":  {"serve", "--data", filepath.Join(b.TempDir(), "data")},
		"demo": {"demo"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				uncache(b)
				_, pid, stop := startServer(b, args...)
				time.Sleep(10 * time.Second)
				status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
				stop()
				require.NoError(b, err)
				for field, unit := range map[string]string{"VmRSS": "MB", "RssAnon": "MB-anonymous"} {
					m := regexp.MustCompile(field + `:\s+(\d+) kB`).FindSubmatch(status)
					require.NotNil(b, m)
					kib, err := strconv.Atoi(string(m[1]))
					require.NoError(b, err)
					b.ReportMetric(float64(kib)*1024/1e6, unit)
				}
			}
		})
	}
}

// uncache has the built program read from the disk again, as after a boot: of a file that was written a moment ago the
// system maps megabytes at a time.
func uncache(b testing.TB) {
	b.Helper()
	binary, err := builtWeb()
	require.NoError(b, err)
	f, err := os.Open(binary)
	require.NoError(b, err)
	defer func() { _ = f.Close() }()
	require.NoError(b, f.Sync())
	const dontNeed = 4 // POSIX_FADV_DONTNEED
	_, _, e := syscall.Syscall6(syscall.SYS_FADVISE64, f.Fd(), 0, 0, dontNeed, 0, 0)
	require.Zero(b, e)
}
