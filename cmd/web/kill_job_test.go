package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
)

// bigSession is a session with n claims to judge.
func bigSession(n int) string {
	claims := make([]string, n)
	for i := range claims {
		claims[i] = fmt.Sprintf(`{"claim_id":"c%d","claim_text":"Employee %d is entitled to %d days of annual leave"}`,
			i, i, i%30)
	}
	return `{"format":"sanad.session/v1","session":{"external_id":"big","title":"Big","answer":"Leave is 15 days."},
	 "documents":[{"id":"hr","filename":"HR.pdf","chunks":[{"id":"c1","text":"All permanent employees shall receive 15 days of paid annual leave."}]}],
	 "claims":[` + strings.Join(claims, ",") + "]}"
}

type jobState struct {
	ID        string `json:"job_id"`
	Status    string
	Done      int `json:"claims_done"`
	Attempt   int
	SessionID string `json:"session_id"`
}

// await polls a job until is accepts it. The test fails if the server dies meanwhile.
func (w *writer) await(t *testing.T, id string, is func(jobState) bool) (j jobState) {
	t.Helper()
	require.Eventually(t, func() bool {
		status, answer, _, err := w.send("GET", "/api/v1/jobs/"+id, "")
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, status)
		j = jobState{}
		require.NoError(t, json.Unmarshal(answer, &j))
		return is(j)
	}, time.Minute, 40*time.Millisecond) // a token may ask 100 times a second
	return j
}

// A job whose server is killed while judging is completed after the next start, exactly once; until then nothing of it
// is stored. A server that is stopped during a job ends in time and returns the job to the queue.
func TestJobSurvivesKillAndStop(t *testing.T) {
	const claims = 30_000
	dir := t.TempDir()
	token := writerToken(t, dir)
	start := func() (*exec.Cmd, *writer) {
		cmd := exec.Command(webBinary(t), onEngine("serve", "--addr", "127.0.0.1:0", "--data", dir)...)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1") // so that the job takes seconds
		return cmd, &writer{startWeb(t, cmd), token, &http.Client{Transport: &http.Transport{}}}
	}
	judging := func(j jobState) bool {
		require.NotEqual(t, job.Done, j.Status, "it is ended in the middle")
		return j.Status == job.Running && j.Done > 0
	}

	server, w := start()
	status, answer, header, err := w.send("POST", "/api/v1/sessions", bigSession(claims))
	require.NoError(t, err)
	require.Equal(t, http.StatusAccepted, status, string(answer))
	id := strings.TrimPrefix(header.Get("Location"), "/api/v1/jobs/")
	w.await(t, id, judging)
	require.NoError(t, server.Process.Kill())
	_ = server.Wait() // it was killed
	sessions := func() (rows []ledger.SessionRow) {
		desk{t, dir}.look(func(ctx context.Context, store *db.Store) {
			tenant, err := store.TenantBySlug(ctx, mainTenant)
			require.NoError(t, err)
			rows, _, err = store.Sessions(ctx, tenant.ID, ledger.SessionQuery{Limit: 10})
			require.NoError(t, err)
		})
		return rows
	}
	require.Empty(t, sessions())

	server, w = start()
	w.await(t, id, func(j jobState) bool { // the job without a heartbeat is taken again, and may be judged within a second
		require.NotEqual(t, job.Done, j.Status, "it is ended in the middle")
		return j.Status == job.Running && j.Attempt == 2
	})
	require.NoError(t, server.Process.Signal(syscall.SIGTERM))
	require.NoError(t, server.Wait())
	require.Empty(t, sessions())

	server, w = start()
	end := w.await(t, id,
		func(j jobState) bool { return j.Status != job.Queued && j.Status != job.Running })
	require.Equal(t, jobState{
		ID: id, Status: job.Done, Done: claims, Attempt: 2, SessionID: end.SessionID,
	}, end, "an orderly stop does not count")
	require.NoError(t, server.Process.Signal(syscall.SIGTERM))
	require.NoError(t, server.Wait())
	rows := sessions()
	require.Len(t, rows, 1)
	require.Equal(t, []any{end.SessionID, claims}, []any{rows[0].ID, rows[0].Claims})
	// the built program: under the race detector this one would read 30,000 claims for half of the time that a read may
	// take
	verified, err := exec.Command(webBinary(t), onEngine("audit", "verify", "--data", dir)...).CombinedOutput()
	require.NoError(t, err, string(verified))
	requireSound(t, dir)
}
