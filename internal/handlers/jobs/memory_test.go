package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/app"
	"sanad/internal/handlers/webtest"
	"sanad/internal/quota"
)

// A job waits until there is memory for it, and is refused nothing; it takes none of its person's requests'.
func TestJobsWaitForMemory(t *testing.T) {
	s := webtest.NewServer(t)
	pool := quota.NewPool(quota.Limits{All: 800 << 20, Tenant: 400 << 20, Person: 200 << 20, Wait: time.Millisecond})
	tenant := quota.Ask{Tenant: s.Tenant.ID, Person: s.Person("admin").ID, Kind: "test", Weight: 200 << 20}
	release, err := pool.Acquire(context.Background(), tenant)
	require.NoError(t, err)
	tenant.Person = "somebody"
	others, err := pool.Acquire(context.Background(), tenant)
	require.NoError(t, err)
	stop := s.Work(func(w *app.Worker) { w.Memory = pool })
	defer stop()
	job := s.Queue(webtest.LeavePolicy)
	require.Eventually(t, func() bool { return pool.Use().Waiting == 1 }, time.Minute, time.Millisecond)
	require.Equal(t, "running", webtest.Get[webtest.Job](t, s.Do("GET", "/api/v1/jobs/"+job.ID, ""), 200).Status)
	others()
	require.Equal(t, "done", s.WaitForJob(job.ID).Status, "the person's own requests are not in its way")
	release()
	require.Eventually(t, func() bool { return pool.Use().Held["job"] == 0 }, time.Minute, time.Millisecond)
}
