package main

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Pages of the program that are unmapped come back as they were: the program goes on, with less of its file in memory.
func TestProgramPagesComeBack(t *testing.T) {
	resident := func() (kib int) {
		status, err := os.ReadFile("/proc/self/status")
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`Rss(?:File|Shmem):\s+(\d+) kB`).FindAllSubmatch(status, 2) { // on disk, in a tmpfs
			n, err := strconv.Atoi(string(m[1]))
			require.NoError(t, err)
			kib += n
		}
		require.Positive(t, kib)
		return kib
	}
	before := resident()
	require.NoError(t, freeProgramPages())
	after := resident()
	freed := after < before || after < 16<<10 // a server of another test may just have done it
	require.True(t, freed, "%d KiB before, %d KiB after", before, after)
	_, out, _ := call(t, "", "--version")
	require.Contains(t, out, "version")
}

// What the dynamic linker or a debugger has written to is not in the file: such a stretch is never unmapped, nor one of
// another file or one that can be written.
func TestWrittenPagesAreKept(t *testing.T) {
	const smaps = `00400000-02c39000 r-xp 00000000 fe:00 9977864                            /usr/bin/my sanad
Size:              41188 kB
Rss:               22948 kB
Anonymous:             0 kB
Swap:                  0 kB
VmFlags: rd ex mr mw me
02c39000-05b98000 r--p 02839000 fe:00 9977864                            /usr/bin/my sanad
Rss:               21756 kB
Anonymous:           356 kB
Swap:                  0 kB
05b98000-05d2b000 rw-p 05798000 fe:00 9977864                            /usr/bin/my sanad
Anonymous:             0 kB
Swap:                  0 kB
05d2b000-07da0000 rw-p 00000000 00:00 0 
Anonymous:             0 kB
Swap:                  0 kB
7f0000000000-7f0000001000 r--p 00000000 fe:00 1                          /usr/lib/libc.so.6
Anonymous:             0 kB
Swap:                  0 kB
7f0000001000-7f0000002000 r--p 00000000 fe:00 9977864                    /usr/bin/my sanad
Anonymous:             0 kB
Swap:                356 kB
7f0000002000-7f0000003000 r--p 00000000 fe:00 9977864                    /usr/bin/my sanad
Anonymous:             0 kB
Swap:                  0 kB
`
	got, err := cleanMappings(strings.NewReader(smaps), "/usr/bin/my sanad")
	require.NoError(t, err)
	require.Equal(t, []mapping{{0x400000, 0x2c39000, true}, {0x7f0000002000, 0x7f0000003000, true}}, got)
}
