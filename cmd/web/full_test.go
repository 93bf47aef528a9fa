package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/audit"
	"sanad/internal/thorough"
)

// fullDisk runs the server on a file system of 8 MiB with a file of 3 MiB that can be removed to make room, and then
// verifies the logs.
const fullDisk = `set -e
mount -t tmpfs -o size=8m sanad "$1"
head -c 3145728 /dev/zero > "$1/ballast"
"$0" token add --data "$1/data" --name writer --role reviewer 2>&1
"$0" serve --addr 127.0.0.1:0 --data "$1/data" 2>"$2" &
echo "pid $!"
wait $!
"$0" audit verify --data "$1/data"`

// TestFullDisk: the server answers 503 and says why, stays up, loses nothing, and goes on when there is room
// (rule DB-8).
func TestFullDisk(t *testing.T) {
	if out, err := exec.Command("unshare", "-rm", "sh", "-c", `mount -t tmpfs sanad "$0"`,
		t.TempDir()).CombinedOutput(); err != nil {
		unavailable(t, "no file system can be mounted here: %v %s", err, out)
	}
	dir, errs := t.TempDir(), filepath.Join(t.TempDir(), "stderr")
	cmd := exec.Command("unshare", "-rm", "sh", "-c", fullDisk, webBinary(t), dir, errs)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	w := &writer{http: http.DefaultClient}
	pid, lines := 0, bufio.NewReader(stdout)
	for w.url == "" {
		line, err := lines.ReadString('\n')
		require.NoError(t, err, "%s", line)
		for _, f := range strings.Fields(line) {
			switch {
			case strings.HasPrefix(f, "sanad_"):
				w.token = f
			case strings.HasPrefix(f, "http://"):
				w.url = f
			case strings.HasPrefix(line, "pid "):
				pid, _ = strconv.Atoi(f)
			}
		}
	}
	require.Positive(t, pid)
	server, err := os.FindProcess(pid)
	require.NoError(t, err)
	ended := false
	defer func() {
		if !ended {
			_ = server.Kill() // the test has failed; the shell ends with it
			_ = cmd.Wait()
		}
	}()

	acknowledged, refused := map[string]bool{}, 0
	for n := 0; refused < 20; n++ {
		require.Less(t, n, 5000, "the disk fills up")
		id, status, err := w.post(fmt.Sprint("full-", n), 2000)
		require.NoError(t, err)
		if status == http.StatusCreated {
			acknowledged[id] = true
			continue
		}
		refused++
		require.Equal(t, http.StatusServiceUnavailable, status)
	}
	require.NotEmpty(t, acknowledged)
	_, data, _, err := w.send("POST", "/api/v1/sessions",
		`{"format":"sanad.session/v1","session":{"answer":"Leave is 15 days."},"documents":[{"id":"d","text":"`+
			strings.Repeat("x ", 90_000)+`"}]}`)
	require.NoError(t, err)
	require.Contains(t, string(data), "no space left")
	require.Equal(t, len(acknowledged), w.count(t), "reading works, and nothing half-written is there")
	status, data, _, err := w.send("GET", "/readyz", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status, "it still answers who reads")
	require.Contains(t, string(data), "read-only: no room was left")

	require.NoError(t, os.Remove(fmt.Sprintf("/proc/%d/root%s/ballast", pid, dir)))
	for range 5 {
		id, status, err := w.post(fmt.Sprint("after-", len(acknowledged)), 2000)
		require.NoError(t, err)
		require.Equal(t, http.StatusCreated, status, "it works again")
		acknowledged[id] = true
	}
	require.Equal(t, len(acknowledged), w.count(t))
	status, data, _, err = w.send("GET", "/readyz", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status, string(data))
	require.NotContains(t, string(data), "no room")
	require.NoError(t, server.Signal(syscall.SIGTERM))
	out, err := io.ReadAll(lines)
	require.NoError(t, err)
	ended = true
	require.NoError(t, cmd.Wait(), "%s", out)
	require.Contains(t, string(out), "\tok\t")
	log, err := os.ReadFile(errs)
	require.NoError(t, err)
	require.NotContains(t, string(log), "panic")
	t.Logf("%d sessions until the disk was full, %d writes refused, 0 lost", len(acknowledged)-5, refused)
}

// count returns the number of sessions, page by page.
func (w *writer) count(t *testing.T) (n int) {
	t.Helper()
	for path := "/api/v1/sessions?limit=100"; path != ""; {
		status, data, _, err := w.send("GET", path, "")
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, status, string(data))
		var page struct {
			Sessions []any
			Next     string
		}
		require.NoError(t, json.Unmarshal(data, &page))
		n += len(page.Sessions)
		if path = ""; page.Next != "" {
			path = "/api/v1/sessions?limit=100&after=" + url.QueryEscape(page.Next)
		}
	}
	return n
}

// TestStopDuringAnImport: after SIGTERM an import has either finished or left no trace, and the write-ahead log is
// empty.
func TestStopDuringAnImport(t *testing.T) {
	dir := dbtest.Dir(t)
	token := writerToken(t, dir)
	acknowledged := map[string]bool{}
	rounds := thorough.Times(3, 20)
	for i := range rounds {
		cmd := exec.Command(webBinary(t), onEngine("serve", "--addr", "127.0.0.1:0", "--data", dir)...)
		w := &writer{startWeb(t, cmd), token, &http.Client{Transport: &http.Transport{}}}
		ended := make(chan error, 1)
		for n := 0; ; n++ {
			if n == i%7 {
				go func() {
					_ = cmd.Process.Signal(syscall.SIGTERM)
					ended <- cmd.Wait()
				}()
			}
			id, status, err := w.post(fmt.Sprintf("stop-%d-%d", i, n), 20_000)
			if err != nil {
				break
			}
			require.Equal(t, http.StatusCreated, status)
			acknowledged[id] = true
		}
		require.NoError(t, <-ended, "it ends well")
		if info, err := os.Stat(filepath.Join(dir, "sanad.db-wal")); err == nil {
			require.Zero(t, info.Size(), "the write-ahead log is truncated")
		}
		requireLogsVerify(t, dir)
	}
	stored := 0
	desk{t, dir}.look(func(ctx context.Context, store *db.Store) {
		tenant, err := store.TenantBySlug(ctx, mainTenant)
		require.NoError(t, err)
		for id := range acknowledged {
			s, err := store.Session(ctx, tenant.ID, id)
			require.NoError(t, err)
			require.Len(t, s.Claims, 1)
		}
		events, _, err := store.Log(ctx, tenant.ID, audit.Query{Action: "session.imported", Limit: 100_000})
		require.NoError(t, err)
		stored = len(events)
	})
	require.LessOrEqual(t, stored-len(acknowledged), rounds, "at most the answer of the last one was not heard")
	t.Logf("%d stops, %d imports acknowledged, %d stored", rounds, len(acknowledged), stored)
}
