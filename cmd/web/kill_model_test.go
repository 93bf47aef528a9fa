package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/job"
	"sanad/internal/domain/model"
	"sanad/internal/llm/llmtest"
)

// A server that is killed in the middle of a run of 2,000 claims by a model goes on with it after the next start: no
// claim is lost, and none is asked about twice but those that were out, or whose answers were not yet stored, at that
// moment.
func TestModelRunSurvivesKill(t *testing.T) {
	const claims, parallel = 2000, 8
	dir := t.TempDir()
	token := writerToken(t, dir)
	endpoint := llmtest.Serve(t)
	endpoint.Latency = 15 * time.Millisecond
	desk{t, dir}.look(func(ctx context.Context, store *db.Store) {
		tenant, err := store.TenantBySlug(ctx, mainTenant)
		require.NoError(t, err)
		_, err = store.AddModelEndpoint(ctx, access.AtCommandLine(tenant.ID), model.Endpoint{Name: "Small", Kind: model.OpenAI,
			URL: endpoint.URL + "/v1", Model: "small-1", Parallel: parallel, Timeout: 10 * time.Second}, "")
		require.NoError(t, err)
	})
	start := func() (*exec.Cmd, *writer) {
		cmd := exec.Command(webBinary(t), onEngine("serve", "--addr", "127.0.0.1:0", "--data", dir, "--model-allow", "127.0.0.1/32")...)
		return cmd, &writer{startWeb(t, cmd), token, &http.Client{Transport: &http.Transport{}}}
	}
	ended := func(j jobState) bool { return j.Status != job.Queued && j.Status != job.Running }

	server, w := start()
	list := make([]string, claims)
	for i := range list {
		list[i] = fmt.Sprintf(`{"claim_id":"c%d","claim_text":"Employees of grade %d get leave","matches":[]}`, i, i)
	}
	status, answer, header, err := w.send("POST", "/api/v1/sessions", `{"format":"sanad.session/v1","session":{"external_id":"hr",
		"answer":"Leave is 15 days."},"documents":[{"id":"hr","text":"يحصل الموظفون على خمسة عشر يوماً من الإجازة السنوية."}],
		"claims":[`+strings.Join(list, ",")+`]}`)
	require.NoError(t, err)
	require.Equal(t, http.StatusAccepted, status, string(answer))
	work := func(header http.Header) string { return strings.TrimPrefix(header.Get("Location"), "/api/v1/jobs/") }
	session := w.await(t, work(header), ended).SessionID
	require.NotEmpty(t, session)
	status, answer, header, err = w.send("POST", "/api/v1/sessions/"+session+"/judge", `{"judge":"Small","scope":"rest"}`, "If-Match", "*")
	require.NoError(t, err)
	require.Equal(t, http.StatusAccepted, status, string(answer))
	run := work(header)
	require.Eventually(t, func() bool { return endpoint.Requests() > claims/2 }, time.Minute, time.Millisecond)
	require.NoError(t, server.Process.Kill())
	_ = server.Wait() // it was killed
	before := endpoint.Requests()
	require.Less(t, before, claims, "it is killed in the middle")

	server, w = start()
	require.Equal(t, job.Done, w.await(t, run, ended).Status)
	twice := 0
	asked := endpoint.Answered()
	require.Len(t, asked, claims, "none is lost")
	for _, n := range asked {
		require.LessOrEqual(t, n, 2)
		twice += n - 1
	}
	require.LessOrEqual(t, twice, 2*parallel)
	status, answer, _, err = w.send("GET", "/api/v1/sessions/"+session+"/runs?limit=1", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status, string(answer))
	var runs struct {
		Runs []struct{ Parameters map[string]string }
	}
	require.NoError(t, json.Unmarshal(answer, &runs))
	p := runs.Runs[0].Parameters
	require.Empty(t, p["failed"]+p["left"]+p["used_up"], p)
	t.Logf("killed after %d of %d claims; %d asked again, whose answers were on the way; parameters of the run: %v", before, claims,
		twice, p)
	require.NoError(t, server.Process.Signal(syscall.SIGTERM))
	require.NoError(t, server.Wait())
	requireLogsVerify(t, dir)
}
