package dbtest

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// movedLines are the lines of /proc/PID/io that count the bytes a process has read and written.
var movedLines = regexp.MustCompile(`(?m)^[rw]char: (\d+)$`)

// RunUntil runs a program and kills it once it has read and written killAt bytes, a moment of its work that depends on
// no clock; 0 lets it end. It returns how many bytes those were when it was last looked at, and how the program ended.
// Only Linux counts them.
func RunUntil(t testing.TB, cmd *exec.Cmd, killAt int64) (moved int64, err error) {
	t.Helper()
	require.NoError(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	look := time.NewTicker(200 * time.Microsecond)
	defer look.Stop()
	for {
		select {
		case err := <-ended:
			require.Positive(t, moved, "this is counted on Linux")
			return moved, err
		case <-look.C:
		}
		sum := int64(0)
		counted, _ := os.ReadFile(fmt.Sprintf("/proc/%d/io", cmd.Process.Pid)) // gone at the end
		for _, m := range movedLines.FindAllSubmatch(counted, -1) {
			n, _ := strconv.ParseInt(string(m[1]), 10, 64)
			sum += n
		}
		moved = max(moved, sum)
		if killAt > 0 && moved >= killAt {
			_ = cmd.Process.Kill()
		}
	}
}
