package e2e

import (
	"context"
	"io"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	sanadapp "sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain/job"
)

// queue creates a job for an upload, a second after the previous one, so that lists have them in that order.
func (a *app) queue(t *testing.T, name, upload string) string {
	t.Helper()
	ctx := context.Background()
	in, err := a.store.PutJobInput(ctx, strings.NewReader(upload))
	require.NoError(t, err)
	a.queued++
	in.At = in.At.Add(time.Duration(a.queued) * time.Second)
	work, created, err := a.store.AddJob(ctx, a.actor, in, job.File, name, nil)
	require.NoError(t, err)
	require.True(t, created)
	return work.ID
}

// work runs all jobs until the returned function is called.
func (a *app) work() (stop func()) {
	w := &sanadapp.Worker{Store: a.store, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Now:   func() time.Time { return today },
		NewID: a.newID, Poll: 10 * time.Millisecond, Beat: 10 * time.Millisecond,
		Models: sanadapp.Models{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}} // models that tests play
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); w.Run(ctx) }()
	return func() { cancel(); <-ended }
}

func (a *app) awaitJobs(t *testing.T, ids ...string) {
	t.Helper()
	for _, id := range ids {
		require.Eventually(t, func() bool {
			work, err := a.store.Job(context.Background(), a.actor.Tenant, id)
			return err == nil && !work.Open()
		}, time.Minute, 10*time.Millisecond)
	}
}

const oddUpload = `{"format":"sanad.session/v1","session":{"title":"مراجعة","answer":"Leave is 15 days.","colour":"green"},"documents":[],"claims":[]}`

// jobPages creates a job in each state and returns their pages.
func (a *app) jobPages(t *testing.T) map[string]string {
	t.Helper()
	done, failed := a.queue(t, "تقرير الموارد.json", oddUpload), a.queue(t, "broken.json", `{"a":`)
	stop := a.work()
	a.awaitJobs(t, done, failed)
	stop()
	cancelled, waits := a.queue(t, "c.json", "c"), a.queue(t, strings.Repeat("a-long-name-", 12)+".json", "w")
	_, err := a.store.CancelJob(context.Background(), a.actor, cancelled)
	require.NoError(t, err)
	runs, err := a.store.ClaimJob(context.Background(), uuid.NewString(), time.Minute, db.PerTenant{})
	require.NoError(t, err)
	require.NoError(t, a.store.BeatJob(context.Background(), runs,
		db.JobBeat{Step: job.Judging, Done: 1234, Total: 20_000}))
	return map[string]string{
		"job-done": "/jobs/" + done, "job-failed": "/jobs/" + failed, "job-cancelled": "/jobs/" + cancelled,
		"job-runs": "/jobs/" + waits,
		"jobs":     "/jobs", "sessions-jobs": "/sessions",
	}
}

// TestJobPagesAreAccessible checks jobs in each state in both languages and themes, wide and narrow.
func TestJobPagesAreAccessible(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	jobs := a.jobPages(t)
	b := open(t, a)
	for name, path := range jobs {
		for _, l := range looks(t) {
			b.look(path, l)
			b.picture(l.name(name))
			b.accessible(l.name(name))
		}
	}
}

// TestAJobPageFollowsItsJob checks that a job's page updates its progress by itself, and links to the ledger when the
// job is done.
func TestAJobPageFollowsItsJob(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	id := a.queue(t, "a.json", oddUpload)
	ctx := context.Background()
	b.visit("/jobs/" + id + "?lang=en")
	c, err := a.store.ClaimJob(ctx, uuid.NewString(), time.Minute, db.PerTenant{})
	require.NoError(t, err)
	require.NoError(t, a.store.BeatJob(ctx, c, db.JobBeat{Step: job.Judging, Done: 500, Total: 2000}))
	b.until(`document.querySelector("[data-job-percent]")?.textContent === "25%" && document.querySelector("progress").value === 25`)
	require.Contains(t, eval[string](b, `document.querySelector("[data-job-counted]").textContent`), "500")
	require.NoError(t, a.store.ReleaseJob(ctx, c))
	stop := a.work()
	defer stop()
	b.until(`document.querySelector("main a.btn-primary[href^='/sessions/']") !== null`)
}

// TestAJobPageWithoutScripts checks that the page reloads itself without JavaScript, and that its cancel button works.
func TestAJobPageWithoutScripts(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.withoutScripts()
	id, other := a.queue(t, "a.json", oddUpload), a.queue(t, "b.json", "b")
	b.visit("/jobs/" + other + "?lang=ar")
	b.click(`form[action$="/cancel"] button`)
	b.until(`document.querySelector("main .state")?.textContent === "أُلغي"`)
	b.visit("/jobs/" + id + "?lang=ar")
	require.NotEmpty(t, b.text("progress"))
	stop := a.work()
	defer stop()
	b.until(`document.querySelector("main a.btn-primary[href^='/sessions/']") !== null`)
}
