package webtest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/app"
)

// ToJudge returns a session in our own format with n claims to judge.
func ToJudge(id string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"format":"sanad.session/v1","session":{"external_id":%q,"title":"Big %s","answer":"Leave is 15 days."},
	 "documents":[{"id":"hr","filename":"HR.pdf","chunks":[{"id":"c1","text":"All permanent employees shall receive 15 days of paid annual leave."}]}],"claims":[`, id, id)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"claim_id":"c%d","claim_text":"Employee %d is entitled to %d days of annual leave"}`, i, i,
			i%30)
	}
	return b.String() + "]}"
}

// Job is a job as the API answers it.
type Job struct {
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

// Work runs a worker on the store until the returned function is called.
func (s *Server) Work(change ...func(*app.Worker)) (stop func()) {
	w := &app.Worker{Store: s.Store, Log: DiscardLog, Now: s.Clock.Now, NewID: uuid.NewString,
		Poll: time.Millisecond, Beat: 5 * time.Millisecond}
	for _, f := range change {
		f(w)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); w.Run(ctx) }()
	return func() { cancel(); <-ended }
}

// WaitForJob waits until a job has ended, and fails the test if its progress ever goes back.
func (s *Server) WaitForJob(id string) Job {
	s.T.Helper()
	var j Job
	percent := 0
	require.Eventually(s.T, func() bool {
		j = Get[Job](s.T, s.Do("GET", "/api/v1/jobs/"+id, ""), 200)
		require.GreaterOrEqual(s.T, j.Percent, percent, "progress goes forward only")
		require.LessOrEqual(s.T, j.Done, j.Total)
		percent = j.Percent
		return j.Status != "queued" && j.Status != "running"
	}, time.Minute, 10*time.Millisecond)
	return j
}
