package main

import (
	"os"
	"regexp"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Pages of the program that are dropped come back as they were: the program goes on, with less of its file in memory.
func TestDropsTheProgramsPages(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("Linux only")
	}
	resident := func() int {
		status, err := os.ReadFile("/proc/self/status")
		require.NoError(t, err)
		sum := 0
		for _, m := range regexp.MustCompile(`Rss(?:File|Shmem):\s+(\d+) kB`).FindAllSubmatch(status, 2) { // on disk, in a tmpfs
			kib, err := strconv.Atoi(string(m[1]))
			require.NoError(t, err)
			sum += kib
		}
		require.Positive(t, sum)
		return sum
	}
	before := resident()
	require.NoError(t, dropProgram())
	after := resident()
	dropped := after < before || after < 16<<10 // a server of another test may just have done it
	require.True(t, dropped, "%d KiB before, %d KiB after", before, after)
	_, out, _ := call(t, "", "--version")
	require.Contains(t, out, "version")
}
