package jobs_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
	"sanad/internal/thorough"
)

// A large form redirects to its job's page, and that page leads to the ledger when the job is done; in both languages,
// with and without JavaScript.
func TestBigForms(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	answer := strings.Repeat("Leave is 15 days in year one. Carryover is 5 days at most. ", 600)
	document := strings.Repeat("Leave is 15 days.\n\n", thorough.Times(1000, 330_000))
	document += strings.Repeat(" ", max(0, 6<<20-len(document))) // large by its bytes
	for name, send := range map[string]func() *httptest.ResponseRecorder{
		"many claims": func() *httptest.ResponseRecorder { return s.Form("file", "كبير.json", webtest.ToJudge("a", 1001)) },
		"large file": func() *httptest.ResponseRecorder {
			return s.Form("file", "b.json", webtest.LeavePolicy+strings.Repeat(" ", 5<<20))
		},
		"long answer": func() *httptest.ResponseRecorder {
			return s.Form("documents", "hr.md", "# Leave\n\nLeave is 15 days.", "answer", answer)
		},
		"large document": func() *httptest.ResponseRecorder {
			return s.Form("documents", "hr.txt", document, "answer", "Leave is 15 days.")
		},
		"broken large file": func() *httptest.ResponseRecorder {
			return s.Form("file", "bad.json", strings.Repeat(" ", 5<<20)+`{"a":1}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			res := send()
			require.Equal(t, 303, res.Code, res.Body.String())
			page := res.Header().Get("Location")
			require.True(t, strings.HasPrefix(page, "/jobs/"), page)
			for lang, word := range map[string]string{"en": "Waiting", "ar": "في الانتظار"} {
				html := s.Do("GET", page+"?lang="+lang, "").Body.String()
				require.Contains(t, html, word)
				require.Contains(t, html, `<noscript><meta http-equiv="refresh"`)
				require.Contains(t, html, page+"/cancel")
			}
			require.Contains(t, s.Do("GET", "/sessions", "").Body.String(), page, "it is on the list of sessions")
			stop := s.Work()
			end := s.WaitForJob(strings.TrimPrefix(page, "/jobs/"))
			stop()
			for lang, words := range map[string][]string{"en": {"Open the session", "nothing was stored"},
				"ar": {"الجلسة جاهزة", "ولم يُحفظ شيء"}} {
				html := s.Do("GET", page+"?lang="+lang, "").Body.String()
				require.NotContains(t, html, `http-equiv="refresh"`)
				if end.Status == "failed" {
					require.Equal(t, "broken large file", name)
					require.Contains(t, html, words[1])
					continue
				}
				require.Equal(t, "done", end.Status, "%+v", end.Error)
				require.Contains(t, html, "/sessions/"+*end.SessionID)
			}
			require.NotContains(t, s.Do("GET", "/sessions", "").Body.String(), page)
			require.Contains(t, s.Do("GET", "/jobs", "").Body.String(), page)
		})
	}
	events, err := s.Store.Events(context.Background(), s.Tenant.ID, 0, 1000)
	require.NoError(t, err)
	counts := map[string]int{}
	for _, e := range events {
		counts[e.Action]++
	}
	require.Equal(t, []int{5, 4, 1}, []int{counts["job.asked"], counts["job.done"], counts["job.failed"]})
}

// A watcher receives each change once, and the end. The stream also ends when the server is told to stop.
func TestWatchingAJob(t *testing.T) {
	stopping := make(chan struct{})
	s := webtest.NewServer(t, func(o *web.Options) { o.Stopping = stopping }).As("reviewer")
	id := s.Queue(webtest.ToJudge("watched", thorough.Times(1001, 5000))).ID
	worked := make(chan struct{})
	go func() {
		defer close(worked)
		stop := s.Work()
		s.WaitForJob(id)
		stop()
	}()
	res := s.Do("GET", "/jobs/"+id+"/events", "")
	<-worked
	require.Equal(t, "text/event-stream", res.Header().Get("Content-Type"))
	require.Empty(t, res.Header().Get("Content-Encoding"))
	var last struct {
		Open    bool
		Percent int
	}
	for line := range strings.SplitSeq(strings.TrimSpace(res.Body.String()), "\n\n") {
		before := last.Percent
		require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &last))
		require.GreaterOrEqual(t, last.Percent, before)
	}
	require.False(t, last.Open)
	require.Equal(t, 100, last.Percent)

	waits := s.Queue(webtest.LeavePolicy).ID
	close(stopping)
	res = s.Do("GET", "/jobs/"+waits+"/events", "")
	require.Equal(t, 1, strings.Count(res.Body.String(), "data: "),
		"an answer that would wait ends when the server stops")
}

// One viewer with many open streams gets 429 and takes nothing from the others, and can read the job's page as before
// (rule WEB-8).
func TestStreamsOfOnePerson(t *testing.T) {
	s := webtest.NewServer(t).As("viewer")
	at := "/jobs/" + s.As("reviewer").Queue(webtest.ToJudge("watched", 3)).ID
	app := httptest.NewServer(s.Handler)
	t.Cleanup(app.Close)
	watch := func(who string) *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), "GET", app.URL+at+"/events", nil)
		require.NoError(t, err)
		r.Header.Set("Cookie", "sanad="+s.Person(who).Cookie)
		res, err := app.Client().Do(r)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, res.Body.Close()) })
		return res
	}
	for range 8 {
		require.Equal(t, 200, watch("viewer").StatusCode)
	}
	res := watch("viewer")
	require.Equal(t, 429, res.StatusCode)
	require.Equal(t, "5", res.Header.Get("Retry-After"))
	require.Equal(t, 200, watch("reviewer").StatusCode, "others watch on")
	page := s.Do("GET", at, "")
	require.Equal(t, 200, page.Code)
	require.Contains(t, page.Body.String(), `http-equiv="refresh"`, "without the stream the page renews itself")
}
