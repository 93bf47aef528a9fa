package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
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
				resident, anonymous := idle(b, args...)
				b.ReportMetric(resident, "MB")
				b.ReportMetric(anonymous, "MB-anonymous")
			}
		})
	}
}

// idle starts a server and returns its memory in MB after ten idle seconds: resident altogether, and without the pages
// of files.
func idle(b *testing.B, args ...string) (resident, anonymous float64) {
	_, pid, stop := startServer(b, args...)
	time.Sleep(10 * time.Second)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	stop()
	require.NoError(b, err)
	of := func(field string) float64 {
		m := regexp.MustCompile(field + `:\s+(\d+) kB`).FindSubmatch(status)
		require.NotNil(b, m)
		kib, err := strconv.Atoi(string(m[1]))
		require.NoError(b, err)
		return float64(kib) * 1024 / 1e6
	}
	return of("VmRSS"), of("RssAnon")
}
