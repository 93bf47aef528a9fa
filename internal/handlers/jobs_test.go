package handlers_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/handlers"
)

// toJudge is a session of our own format with n claims to judge.
func toJudge(id string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"format":"sanad.session/v1","session":{"external_id":%q,"title":"Big %s","answer":"Leave is 15 days."},
	 "documents":[{"id":"hr","filename":"HR.pdf","chunks":[{"id":"c1","text":"All permanent employees shall receive 15 days of paid annual leave."}]}],"claims":[`, id, id)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"claim_id":"c%d","claim_text":"Employee %d is entitled to %d days of annual leave"}`, i, i, i%30)
	}
	return b.String() + "]}"
}

type job struct {
	ID        string `json:"job_id"`
	Status    string
	Done      int     `json:"claims_done"`
	Total     int     `json:"claims_total"`
	SessionID *string `json:"session_id"`
	LedgerURL *string `json:"ledger_url"`
	Created   bool
	Percent   int
	Error     *struct{ Kind, Path, Detail string }
}

// work runs a worker on the store until the returned function is called.
func (s *server) work(change ...func(*app.Worker)) (stop func()) {
	w := &app.Worker{Store: s.store, Log: quiet, Now: s.clock.now, NewID: uuid.NewString,
		Poll: time.Millisecond, Beat: 5 * time.Millisecond}
	for _, f := range change {
		f(w)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); w.Run(ctx) }()
	return func() { cancel(); <-ended }
}

// ended waits until a job has ended, and wants its progress never to go back.
func (s *server) ended(id string) job {
	s.t.Helper()
	var j job
	percent := 0
	require.Eventually(s.t, func() bool {
		j = get[job](s.t, s.do("GET", "/api/v1/jobs/"+id, ""), 200)
		require.GreaterOrEqual(s.t, j.Percent, percent, "progress goes forward only")
		require.LessOrEqual(s.t, j.Done, j.Total)
		percent = j.Percent
		return j.Status != "queued" && j.Status != "running"
	}, time.Minute, 10*time.Millisecond)
	return j
}

// Above 1,000 claims or 5 MiB an import is a job; up to there it is answered as ever.
func TestBigImportsAreJobs(t *testing.T) {
	s := newServer(t).as("reviewer")
	padding := strings.Repeat(" ", 5<<20)
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"1,000 claims":         {toJudge("a", 1000), 201},
		"1,001 claims":         {toJudge("b", 1001), 202},
		"5 MiB":                {leave + padding[len(leave):], 201},
		"5 MiB and a byte":     {strings.Replace(leave, "hr-42", "hr-43", 1) + padding[len(leave):] + " ", 202},
		"broken, small":        {`{"format":`, 400},
		"broken, of some size": {strings.Repeat(" ", 5<<20) + `{"format":"sanad.session/v9"}`, 202},
	} {
		res := s.do("POST", "/api/v1/sessions", c.body)
		require.Equal(t, c.want, res.Code, "%s: %.200s", name, res.Body.String())
		if c.want == 202 {
			j := get[job](t, res, 202)
			require.Equal(t, "/api/v1/jobs/"+j.ID, res.Header().Get("Location"))
			require.Equal(t, "queued", j.Status)
		}
	}
	defer s.work()()
	for _, j := range get[struct{ Jobs []job }](t, s.do("GET", "/api/v1/jobs", ""), 200).Jobs {
		end := s.ended(j.ID)
		if end.Status == "failed" {
			require.Equal(t, "unsupported", end.Error.Kind)
			require.Nil(t, end.SessionID)
			continue
		}
		require.Equal(t, "done", end.Status)
		require.Equal(t, 100, end.Percent)
		require.True(t, end.Created)
		require.Equal(t, 200, s.do("GET", *end.LedgerURL, "").Code)
	}
	require.Len(t, get[struct{ Sessions []any }](t, s.do("GET", "/api/v1/sessions", ""), 200).Sessions, 4)
	uploads, err := s.store.StoredInputs(context.Background())
	require.NoError(t, err)
	require.Empty(t, uploads, "nothing of an ended job stays in the bucket")
}

// The same content is one job while it is under way, and one session for ever; a repeated key is answered as the first time.
func TestTheSameBigImportAgain(t *testing.T) {
	s := newServer(t).as("reviewer")
	body := toJudge("same", 1001)
	first := s.do("POST", "/api/v1/sessions", body, "Idempotency-Key", "k")
	require.Equal(t, 202, first.Code, first.Body.String())
	id := get[job](t, first, 202).ID
	require.Equal(t, id, get[job](t, s.do("POST", "/api/v1/sessions", body), 202).ID)
	again := s.do("POST", "/api/v1/sessions", body, "Idempotency-Key", "k")
	require.Equal(t, first.Body.String(), again.Body.String())
	require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
	require.Equal(t, 422, s.do("POST", "/api/v1/sessions", body+" ", "Idempotency-Key", "k").Code)

	stop := s.work()
	done := s.ended(id)
	res := s.do("POST", "/api/v1/sessions", body)
	require.Equal(t, *done.SessionID, get[created](t, res, 200).SessionID)
	other := s.do("POST", "/api/v1/sessions", body+"\n") // other bytes, the same content
	end := s.ended(get[job](t, other, 202).ID)
	require.Equal(t, *done.SessionID, *end.SessionID)
	require.False(t, end.Created)
	stop()
	require.Len(t, get[struct{ Sessions []any }](t, s.do("GET", "/api/v1/sessions", ""), 200).Sessions, 1)
}

// Nothing is stored of a job that is cancelled, before or while it runs.
func TestCancelledJobs(t *testing.T) {
	s := newServer(t).as("reviewer")
	waits := get[job](t, s.do("POST", "/api/v1/sessions", toJudge("waits", 1001)), 202).ID
	require.Equal(t, "cancelled", get[job](t, s.do("POST", "/api/v1/jobs/"+waits+"/cancel", ""), 200).Status)
	require.Equal(t, "cancelled", get[job](t, s.do("POST", "/api/v1/jobs/"+waits+"/cancel", ""), 200).Status, "again")

	runs := get[job](t, s.do("POST", "/api/v1/sessions", toJudge("runs", sized(20_000, 5000))), 202).ID
	stop := s.work()
	require.Eventually(t, func() bool {
		j := get[job](t, s.do("GET", "/api/v1/jobs/"+runs, ""), 200)
		require.Contains(t, []string{"queued", "running"}, j.Status, "it is cancelled while it runs")
		return j.Status == "running"
	}, time.Minute, time.Millisecond)
	require.Equal(t, 303, s.post("/jobs/"+runs+"/cancel", "").Code)
	last := get[job](t, s.do("POST", "/api/v1/sessions", toJudge("last", 1001)), 202).ID
	require.Equal(t, "done", s.ended(last).Status, "the worker goes on with the next")
	stop()
	require.Equal(t, "cancelled", s.ended(runs).Status)
	require.Equal(t, 409, s.do("POST", "/api/v1/jobs/"+last+"/cancel", "").Code)
	require.Len(t, get[struct{ Sessions []any }](t, s.do("GET", "/api/v1/sessions", ""), 200).Sessions, 1)
}

// A server that stops gives its job back; the next one does it, once.
func TestJobsSurviveAStop(t *testing.T) {
	s := newServer(t).as("reviewer")
	claims := sized(20_000, 5000)
	id := get[job](t, s.do("POST", "/api/v1/sessions", toJudge("stop", claims)), 202).ID
	stop := s.work()
	require.Eventually(t, func() bool {
		return get[job](t, s.do("GET", "/api/v1/jobs/"+id, ""), 200).Status == "running"
	}, time.Minute, time.Millisecond)
	stop()
	require.Equal(t, "queued", get[job](t, s.do("GET", "/api/v1/jobs/"+id, ""), 200).Status)
	require.Empty(t, get[struct{ Sessions []any }](t, s.do("GET", "/api/v1/sessions", ""), 200).Sessions)
	defer s.work()()
	end := s.ended(id)
	require.Equal(t, "done", end.Status)
	require.Equal(t, claims, end.Done)
}

// No more jobs run at a time than the worker is told, and a tenant has no more waiting than its share.
func TestJobsAreBounded(t *testing.T) {
	s := newServer(t).as("reviewer")
	for i := range db.MaxOpenJobs {
		s.queue(toJudge(fmt.Sprint(i), sized(1001, 101)))
	}
	require.Equal(t, 409, s.do("POST", "/api/v1/sessions", toJudge("more", 1001)).Code)
	require.Equal(t, 202, s.as("foreign").do("POST", "/api/v1/sessions", toJudge("more", 1001)).Code, "another tenant has its own share")
	stop, most := s.work(func(w *app.Worker) { w.Parallel = 3 }), 0
	require.Eventually(t, func() bool {
		open := get[struct{ Jobs []job }](t, s.do("GET", "/api/v1/jobs?state=running", ""), 200).Jobs
		most = max(most, len(open))
		return len(get[struct{ Jobs []job }](t, s.do("GET", "/api/v1/jobs?state=done", ""), 200).Jobs) == db.MaxOpenJobs
	}, time.Minute, time.Millisecond)
	stop()
	require.LessOrEqual(t, most, 3)
	require.Positive(t, most)
}

// An upload that is cut off leaves neither a job nor a part of it.
func TestACutOffUploadLeavesNothing(t *testing.T) {
	s := newServer(t, func(o *handlers.Options) { o.Import.Bytes = 6 << 20 }).as("reviewer")
	require.Equal(t, http.StatusRequestEntityTooLarge, s.do("POST", "/api/v1/sessions", strings.Repeat(" ", 6<<20+1)).Code)
	require.Empty(t, get[struct{ Jobs []job }](t, s.do("GET", "/api/v1/jobs", ""), 200).Jobs)
	uploads, err := s.store.StoredInputs(context.Background())
	require.NoError(t, err)
	require.Empty(t, uploads)
}
