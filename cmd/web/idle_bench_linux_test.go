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
