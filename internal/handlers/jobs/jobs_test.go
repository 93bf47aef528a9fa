package jobs_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/judge"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
	"sanad/internal/thorough"
)

// Above 1,000 claims or 5 MiB an import is a job; smaller ones are answered at once.
func TestBigImportsAreJobs(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	padding := strings.Repeat(" ", 5<<20)
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"1,000 claims": {webtest.ToJudge("a", 1000), 201},
		"1,001 claims": {webtest.ToJudge("b", 1001), 202},
		"5 MiB":        {webtest.LeavePolicy + padding[len(webtest.LeavePolicy):], 201},
		"5 MiB and a byte": {strings.Replace(webtest.LeavePolicy, "hr-42", "hr-43", 1) + padding[len(webtest.LeavePolicy):] +
			" ", 202},
		"broken, small": {`{"format":`, 400},
		"broken, large": {strings.Repeat(" ", 5<<20) + `{"format":"sanad.session/v9"}`, 202},
	} {
		res := s.Do("POST", "/api/v1/sessions", c.body)
		require.Equal(t, c.want, res.Code, "%s: %.200s", name, res.Body.String())
		if c.want == 202 {
			j := webtest.Get[webtest.Job](t, res, 202)
			require.Equal(t, "/api/v1/jobs/"+j.ID, res.Header().Get("Location"))
			require.Equal(t, "queued", j.Status)
		}
	}
	defer s.Work()()
	for _, j := range webtest.Get[struct{ Jobs []webtest.Job }](t, s.Do("GET", "/api/v1/jobs", ""), 200).Jobs {
		end := s.WaitForJob(j.ID)
		if end.Status == "failed" {
			require.Equal(t, "unsupported", end.Error.Kind)
			require.Nil(t, end.SessionID)
			continue
		}
		require.Equal(t, "done", end.Status)
		require.Equal(t, 100, end.Percent)
		require.True(t, end.Created)
		require.Equal(t, 200, s.Do("GET", *end.LedgerURL, "").Code)
	}
	require.Len(t, webtest.Get[struct{ Sessions []any }](t, s.Do("GET", "/api/v1/sessions", ""), 200).Sessions, 4)
	uploads, err := s.Store.StoredInputs(context.Background())
	require.NoError(t, err)
	require.Empty(t, uploads, "nothing of an ended job stays in the bucket")
}

// sureReader supports whatever it is asked about.
type sureReader struct{}

func (sureReader) Digest() string                   { return "sure" }
func (sureReader) Unknown(string) ([]string, error) { return nil, nil }

func (sureReader) Score(_ context.Context, _ string, passages []string) ([]judge.Logits, error) {
	out := make([]judge.Logits, len(passages))
	for i := range out {
		out[i].Supports = 4
	}
	return out, nil
}

// From 20 claims on that a reader reads, an import is a job; and so is judging that session again.
func TestClaimsToReadAreAJob(t *testing.T) {
	const sum = `{"parts": [{"figure": "reads_support", "weight": 1}], "curve": [[-4, 0.01], [4, 0.95]]}`
	const balance = `{"support": ` + sum + `, "conflict": {"bias": -9, "curve": [[-4, 0.01], [4, 0.95]]}}`
	b, err := judge.ReadBalances([]byte(`{"document": ` + balance + `, "sentence": ` + balance + `}`))
	require.NoError(t, err)
	own := app.EmbeddedWith(sureReader{}, b)
	s := webtest.NewServer(t, func(o *web.Options) { o.Embedded = own }).As("reviewer")
	require.Equal(t, 201, s.Do("POST", "/api/v1/sessions", webtest.ToJudge("few", 19)).Code)
	id := webtest.Get[webtest.Job](t, s.Do("POST", "/api/v1/sessions", webtest.ToJudge("many", 20)), 202).ID
	defer s.Work(func(w *app.Worker) { w.Embedded = own })()
	done := s.WaitForJob(id)
	require.Equal(t, "done", done.Status)
	res := s.Do("POST", "/api/v1/sessions/"+*done.SessionID+"/judge", "", "If-Match", "*")
	require.Equal(t, "done", s.WaitForJob(webtest.Get[webtest.Job](t, res, 202).ID).Status)

	var list []string
	for i := range 11 {
		list = append(list, webtest.ToJudge(fmt.Sprint("batch", i), 19))
	}
	batch := webtest.Get[struct{ Created, Refused int }](t,
		s.Do("POST", "/api/v1/sessions:batch", `{"sessions":[`+strings.Join(list, ",")+`]}`), 200)
	require.Equal(t, []int{10, 1}, []int{batch.Created, batch.Refused}, "200 claims are read for one request")
}

// The same content is one job while it runs, and one session afterwards. A repeated key gets the first answer.
func TestTheSameBigImportAgain(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	body := webtest.ToJudge("same", 1001)
	first := s.Do("POST", "/api/v1/sessions", body, "Idempotency-Key", "k")
	require.Equal(t, 202, first.Code, first.Body.String())
	id := webtest.Get[webtest.Job](t, first, 202).ID
	require.Equal(t, id, webtest.Get[webtest.Job](t, s.Do("POST", "/api/v1/sessions", body), 202).ID)
	again := s.Do("POST", "/api/v1/sessions", body, "Idempotency-Key", "k")
	require.Equal(t, first.Body.String(), again.Body.String())
	require.Equal(t, first.Header().Get("Location"), again.Header().Get("Location"))
	require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
	require.Equal(t, 422, s.Do("POST", "/api/v1/sessions", body+" ", "Idempotency-Key", "k").Code)

	stop := s.Work()
	done := s.WaitForJob(id)
	res := s.Do("POST", "/api/v1/sessions", body)
	require.Equal(t, *done.SessionID, webtest.Get[webtest.Created](t, res, 200).SessionID)
	other := s.Do("POST", "/api/v1/sessions", body+"\n") // other bytes, the same content
	end := s.WaitForJob(webtest.Get[webtest.Job](t, other, 202).ID)
	require.Equal(t, *done.SessionID, *end.SessionID)
	require.False(t, end.Created)
	stop()
	require.Len(t, webtest.Get[struct{ Sessions []any }](t, s.Do("GET", "/api/v1/sessions", ""), 200).Sessions, 1)
}

// A job that is cancelled before or while it runs stores nothing.
func TestCancelledJobs(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	waits := webtest.Get[webtest.Job](t, s.Do("POST", "/api/v1/sessions", webtest.ToJudge("waits", 1001)), 202).ID
	require.Equal(t, "cancelled", webtest.Get[webtest.Job](t, s.Do("POST", "/api/v1/jobs/"+waits+"/cancel", ""),
		200).Status)
	require.Equal(t, "cancelled", webtest.Get[webtest.Job](t, s.Do("POST", "/api/v1/jobs/"+waits+"/cancel", ""),
		200).Status, "again")

	runs := webtest.Get[webtest.Job](t,
		s.Do("POST", "/api/v1/sessions", webtest.ToJudge("runs", thorough.Times(5000, 20_000))), 202).ID
	stop := s.Work()
	require.Eventually(t, func() bool {
		j := webtest.Get[webtest.Job](t, s.Do("GET", "/api/v1/jobs/"+runs, ""), 200)
		require.Contains(t, []string{"queued", "running"}, j.Status, "it is cancelled while it runs")
		return j.Status == "running"
	}, time.Minute, time.Millisecond)
	require.Equal(t, 303, s.Post("/jobs/"+runs+"/cancel", "").Code)
	last := webtest.Get[webtest.Job](t, s.Do("POST", "/api/v1/sessions", webtest.ToJudge("last", 1001)), 202).ID
	require.Equal(t, "done", s.WaitForJob(last).Status, "the worker goes on with the next")
	stop()
	require.Equal(t, "cancelled", s.WaitForJob(runs).Status)
	require.Equal(t, 409, s.Do("POST", "/api/v1/jobs/"+last+"/cancel", "").Code)
	require.Len(t, webtest.Get[struct{ Sessions []any }](t, s.Do("GET", "/api/v1/sessions", ""), 200).Sessions, 1)
}

// The worker's limit bounds the jobs that run at a time, and each tenant has a limit of waiting jobs.
func TestJobsAreBounded(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	for i := range db.MaxOpenJobs {
		s.Queue(webtest.ToJudge(fmt.Sprint(i), thorough.Times(101, 1001)))
	}
	require.Equal(t, 409, s.Do("POST", "/api/v1/sessions", webtest.ToJudge("more", 1001)).Code)
	require.Equal(t, 202, s.As("foreign").Do("POST", "/api/v1/sessions", webtest.ToJudge("more", 1001)).Code,
		"another tenant has its own share")
	stop, most := s.Work(func(w *app.Worker) { w.Parallel = 3 }), 0
	require.Eventually(t, func() bool {
		open := webtest.Get[struct{ Jobs []webtest.Job }](t, s.Do("GET", "/api/v1/jobs?state=running", ""), 200).Jobs
		most = max(most, len(open))
		return len(webtest.Get[struct{ Jobs []webtest.Job }](t, s.Do("GET", "/api/v1/jobs?state=done", ""),
			200).Jobs) == db.MaxOpenJobs
	}, time.Minute, time.Millisecond)
	stop()
	require.LessOrEqual(t, most, 3)
	require.Positive(t, most)
}

// While one tenant has a queue of long jobs, it has one of the two slots, and the first jobs of others start at once:
// of a second tenant in the other slot, of a third in one for guests. They waited until a job of the first ended.
func TestAnotherTenantsJobStartsAtOnce(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	for i := range 5 {
		s.Queue(webtest.ToJudge(fmt.Sprint(i), thorough.Times(5000, 20_000)))
	}
	third, err := s.Store.EnsureTenant(context.Background(), "third", "Third")
	require.NoError(t, err)
	s.AddPerson("third", third.ID, access.Admin)
	s.Person("foreign")
	running := func() int {
		return len(webtest.Get[struct{ Jobs []webtest.Job }](t, s.Do("GET", "/api/v1/jobs?state=running", ""), 200).Jobs)
	}
	defer s.Work()()
	require.Eventually(t, func() bool { return running() > 0 }, time.Minute, time.Millisecond)
	for _, who := range []string{"foreign", "third"} {
		asked := time.Now()
		id := webtest.Get[webtest.Job](t, s.As(who).Do("POST", "/api/v1/sessions", webtest.ToJudge("x", 1001)), 202).ID
		require.Eventually(t, func() bool {
			require.LessOrEqual(t, running(), 1)
			return webtest.Get[webtest.Job](t, s.As(who).Do("GET", "/api/v1/jobs/"+id, ""), 200).Status != "queued"
		}, time.Minute, 5*time.Millisecond)
		t.Logf("the first job of %s started after %v", who, time.Since(asked))
		done := webtest.Get[struct{ Jobs []webtest.Job }](t, s.Do("GET", "/api/v1/jobs?state=done", ""), 200).Jobs
		require.Empty(t, done, "none of the long ones has ended")
	}
}

// A truncated upload leaves neither a job nor a partial file.
func TestTruncatedUploadLeavesNothing(t *testing.T) {
	s := webtest.NewServer(t, func(o *web.Options) { o.Import.Bytes = 6 << 20 }).As("reviewer")
	require.Equal(t, http.StatusRequestEntityTooLarge,
		s.Do("POST", "/api/v1/sessions", strings.Repeat(" ", 6<<20+1)).Code)
	require.Empty(t, webtest.Get[struct{ Jobs []webtest.Job }](t, s.Do("GET", "/api/v1/jobs", ""), 200).Jobs)
	uploads, err := s.Store.StoredInputs(context.Background())
	require.NoError(t, err)
	require.Empty(t, uploads)
}
