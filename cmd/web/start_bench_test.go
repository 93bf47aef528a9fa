package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/importers"
)

// storeOf makes a data folder with n claims in sessions of a thousand.
func storeOf(b *testing.B, n int) string {
	dir := filepath.Join(b.TempDir(), "data")
	c := atData(dir)
	require.NoError(b, c.with(context.Background(), func(s *db.Store, tenant db.Tenant) error {
		for done := 0; done < n; {
			size := min(n-done, 1000)
			session := strings.Replace(string(largeSession(size)), `"title":"`, fmt.Sprintf(`"title":"From %d: `, done), 1)
			if _, err := importFile(context.Background(), importer(s, tenant, nil), []byte(session), importers.Options{}); err != nil {
				return err
			}
			done += size
		}
		return nil
	}))
	return dir
}

// startServer starts the built program on a free port and returns its address once it listens, and what ends it.
func startServer(b *testing.B, args ...string) (url string, pid int, stop func()) {
	cmd := exec.Command(wholeBinary(b), append(args, "--addr", "127.0.0.1:0")...)
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	stop = func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_, _ = out.Read(make([]byte, 1<<16)) // so that nothing it prints holds it up
		_ = cmd.Wait()
	}
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if url = address.FindString(lines.Text()); url != "" {
			return url, cmd.Process.Pid, stop
		}
	}
	stop()
	require.Fail(b, "the server ended before it listened")
	return "", 0, nil
}

// BenchmarkStart measures the built program from its start to its first answer, that of /readyz, which asks the store;
// the store holds n claims. SANAD_START_CLAIMS=1000000 adds a store of a million, which takes minutes and 3 GB to make.
func BenchmarkStart(b *testing.B) {
	wholeBinary(b) // not within the time of a start
	sizes := []int{200, 100_000}
	if n, err := strconv.Atoi(os.Getenv("SANAD_START_CLAIMS")); err == nil {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		dir := storeOf(b, n)
		b.Run(fmt.Sprintf("claims=%d", n), func(b *testing.B) {
			for b.Loop() {
				url, _, stop := startServer(b, "serve", "--data", dir)
				answer, err := http.Get(url + "/readyz")
				b.StopTimer()
				require.NoError(b, err)
				require.NoError(b, answer.Body.Close())
				require.Equal(b, http.StatusOK, answer.StatusCode)
				stop()
				b.StartTimer()
			}
		})
	}
}

// BenchmarkReadFile measures a process that reads a PDF from its start to its end, with nothing to read.
func BenchmarkReadFile(b *testing.B) {
	binary := wholeBinary(b)
	for b.Loop() {
		_ = exec.Command(binary, readFileName, "pdf").Run() // no bytes are no PDF
	}
}
