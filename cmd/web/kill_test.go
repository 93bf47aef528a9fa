package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
)

// Whatever the server has acknowledged is there after kill -9 (spec page 6 "Promises"). The full 200 kills run in make
// interop, which sets SANAD_KILLS; here a few show that nothing is acknowledged before it is stored.
func TestNothingAcknowledgedIsLost(t *testing.T) {
	kills := 3
	if v := os.Getenv("SANAD_KILLS"); v != "" {
		_, err := fmt.Sscan(v, &kills)
		require.NoError(t, err)
	}
	binary := filepath.Join(t.TempDir(), "web")
	build := exec.Command("go", "build", "-o", binary, ".")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))

	dir := t.TempDir()
	acknowledged := map[string]int{} // session id → number of its import
	n := 0
	for range kills {
		n = writeUntilKilled(t, binary, dir, n, acknowledged)
	}
	require.Greater(t, len(acknowledged), kills, "writes were acknowledged")

	store, err := db.Open(context.Background(), db.Options{Dir: dir, Now: time.Now, NewID: newID})
	require.NoError(t, err)
	defer store.Close() //nolint:errcheck // only read
	tenant, err := store.EnsureTenant(context.Background(), "main", "main")
	require.NoError(t, err)
	for id, i := range acknowledged {
		s, err := store.Session(context.Background(), tenant.ID, id)
		require.NoError(t, err, "session %d was acknowledged and is lost", i)
		require.Equal(t, fmt.Sprint("kill-", i), s.ExternalID)
	}
	t.Logf("%d kills, %d acknowledged writes, 0 lost", kills, len(acknowledged))
}

// writeUntilKilled starts a server, posts sessions as fast as it answers and kills it in the middle.
func writeUntilKilled(t *testing.T, binary, dir string, n int, acknowledged map[string]int) int {
	t.Helper()
	cmd := exec.Command(binary, "serve", "--addr", "127.0.0.1:0", "--data", dir)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line := make([]byte, 200)
	read, err := stdout.Read(line)
	require.NoError(t, err)
	fields := strings.Fields(string(line[:read]))
	url := fields[len(fields)-1] + "/api/v1/sessions"
	time.AfterFunc(time.Duration(150+n%7*40)*time.Millisecond, func() { _ = cmd.Process.Kill() })
	for ; ; n++ {
		body := fmt.Sprintf(`{"format":"sanad.session/v1","session":{"external_id":"kill-%d","answer":"Leave is 15 days."},"documents":[{"id":"d","text":"Leave is 15 days."}]}`, n)
		res, err := http.Post(url, "application/json", strings.NewReader(body)) //nolint:gosec,noctx // our own server
		if err != nil {
			break
		}
		var answer struct {
			ID string `json:"session_id"`
		}
		var whole bytes.Buffer
		_, err = io.Copy(&whole, res.Body)
		_ = res.Body.Close() // the server may be gone
		if err != nil || json.Unmarshal(whole.Bytes(), &answer) != nil {
			break
		}
		require.Equal(t, http.StatusCreated, res.StatusCode, whole.String())
		acknowledged[answer.ID] = n
	}
	_ = cmd.Wait() // it was killed
	return n + 1
}
