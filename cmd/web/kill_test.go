package main

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/thorough"
)

// killsOfOneFolder bounds the kills that one data folder goes through: the verification after each kill reads
// everything that the folder holds, so that the time grows with the square of their number.
const killsOfOneFolder = 10

// Whatever the server has acknowledged is still there after kill -9, and every log verifies after each kill (rule
// DB-6). make thorough kills 200 times; a few times here show that nothing is acknowledged before it
// is stored.
func TestNothingAcknowledgedIsLost(t *testing.T) {
	kills := thorough.Times(3, 200)
	acknowledged := 0
	for done := 0; done < kills; done += killsOfOneFolder {
		acknowledged += killRepeatedly(t, min(killsOfOneFolder, kills-done))
	}
	t.Logf("%d kills, %d acknowledged writes, 0 lost", kills, acknowledged)
}

// killRepeatedly kills the servers of a new data folder and returns how many writes they acknowledged, all of which it
// has found again.
func killRepeatedly(t *testing.T, kills int) int {
	t.Helper()
	dir := t.TempDir()
	token := writerToken(t, dir)
	acknowledged := map[string]int{} // session id → number of its import
	n := 0
	for range kills {
		n = writeUntilKilled(t, dir, token, n, acknowledged)
		requireLogsVerify(t, dir)
	}
	require.GreaterOrEqual(t, len(acknowledged), kills, "writes were acknowledged")

	desk{t, dir}.look(func(ctx context.Context, store *db.Store) {
		tenant, err := store.TenantBySlug(ctx, mainTenant)
		require.NoError(t, err)
		for id, i := range acknowledged {
			s, err := store.Session(ctx, tenant.ID, id)
			require.NoError(t, err, "session %d was acknowledged and is lost", i)
			require.Equal(t, fmt.Sprint("kill-", i), s.ExternalID)
		}
	})
	requireSound(t, dir)
	return len(acknowledged)
}

// startWeb starts the binary on a free port and gives its address once it answers; it says it before the store is open.
func startWeb(t *testing.T, cmd *exec.Cmd) (url string) {
	t.Helper()
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line := make([]byte, 200)
	read, err := stdout.Read(line)
	require.NoError(t, err)
	fields := strings.Fields(string(line[:read]))
	url = fields[len(fields)-1]
	res, err := http.Get(url + "/healthz")
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return url
}

// writeUntilKilled starts a server, posts sessions as fast as it answers, and kills it during a request.
func writeUntilKilled(t *testing.T, dir, token string, n int, acknowledged map[string]int) int {
	t.Helper()
	cmd := exec.Command(webBinary(t), onEngine("serve", "--addr", "127.0.0.1:0", "--data", dir)...)
	w := &writer{startWeb(t, cmd), token, &http.Client{Transport: &http.Transport{}}}
	for first := n; ; n++ {
		if n == first+1+first%7 { // at least one write is acknowledged
			go func() { _ = cmd.Process.Kill() }()
		}
		id, status, err := w.post(fmt.Sprint("kill-", n), 0)
		if err != nil {
			break
		}
		require.Equal(t, http.StatusCreated, status)
		acknowledged[id] = n
	}
	_ = cmd.Wait() // it was killed
	return n + 1
}
