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
		m := regexp.MustCompile(`RssFile:\s+(\d+) kB`).FindSubmatch(status)
		require.NotNil(t, m)
		kib, err := strconv.Atoi(string(m[1]))
		require.NoError(t, err)
		return kib
	}
	before := resident()
	require.NoError(t, dropProgram())
	after := resident()
	require.Less(t, after, before)
	_, out, _ := call(t, "", "--version")
	require.Contains(t, out, "version")
}
