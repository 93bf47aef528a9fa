package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
)

// queue adds n jobs to a store, each an upload of its own.
func queue(t *testing.T, store *db.Store, a access.Actor, name string, n int) (ids []string) {
	t.Helper()
	ctx := context.Background()
	for i := range n {
		in, err := store.PutJobInput(ctx, strings.NewReader(fmt.Sprintf(`{"format":"sanad.session/v1","session":`+
			`{"external_id":"%s-%d","answer":"Leave is 15 days."},"documents":[{"id":"d","text":"%s %d"}]}`, name, i, name, i)))
		require.NoError(t, err)
		j, created, err := store.AddJob(ctx, a, in, job.File, "a.json", nil)
		require.NoError(t, err)
		require.True(t, created)
		ids = append(ids, j.ID)
	}
	return ids
}

// TestWebProcessTakesNoJobs checks that nothing that takes jobs is started: if it were, it would run until ctx ends.
func TestWebProcessTakesNoJobs(t *testing.T) {
	<-(&server{role: roleWeb}).work(t.Context(), nil, nil)
}

// Two workers take each job once, and have no pages; a web process has them. The process that does everything beside
// them takes its share.
func TestRoles(t *testing.T) {
	ctx, dir := context.Background(), dbtest.Dir(t)
	store, noura := withFiles(t, dir, "")
	token := writerToken(t, dir)
	web := serveWith(t, nil, "--data", dir, "--role", "web")
	queue(t, store, noura, "first", 1)
	workers := []served{serveWith(t, nil, "--data", dir, "--role", "worker"),
		serveWith(t, nil, "--data", dir, "--role", "worker"), serveWith(t, nil, "--data", dir)}
	const n = 18 // a tenant has at most 20 open
	queue(t, store, noura, "more", n)
	require.Eventually(t, func() bool {
		q, err := store.Queue(ctx)
		require.NoError(t, err)
		return q.Waiting == 0 && q.Running == 0
	}, time.Minute, 20*time.Millisecond)
	jobs, _, err := store.Jobs(ctx, noura.Tenant, db.JobQuery{Limit: 100})
	require.NoError(t, err)
	require.Len(t, jobs, n+1)
	for _, j := range jobs {
		require.Equal(t, []any{job.Done, 1}, []any{j.State, j.Attempt}, "%+v", j.Fault)
	}
	rows, _, err := store.Sessions(ctx, noura.Tenant, ledger.SessionQuery{Limit: 100})
	require.NoError(t, err)
	require.Len(t, rows, n+1)
	events, _, err := store.Log(ctx, noura.Tenant, audit.Query{Action: "job.done", Limit: 100})
	require.NoError(t, err)
	require.Len(t, events, n+1)

	w := &writer{web.url, token, web.http}
	status, _, _, err := w.send("GET", "/api/v1/sessions", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/metrics": 404, "/": 404, "/login": 404,
		"/api/v1/sessions": 404, "/readyz/": 404} {
		res, _ := workers[0].ask("GET", path)
		require.Equal(t, want, res.StatusCode, path)
	}
	require.NoError(t, store.Close())
	code, _, errs := call(t, "", "serve", "--role", "half", "--data", dir)
	require.Equal(t, exitUsage, code)
	require.Contains(t, errs, "--role is web, worker or all")
}

// What workers do in the background each by itself is done once, however many do it at the same moment: erasures by
// retention periods, their end, and what becomes of requests that nobody answers. (Mails, webhooks and due dates:
// TestTwoServersSendOnce in their packages, TestDueIsToldOnce in db.)
func TestTwoWorkersEraseOnce(t *testing.T) {
	ctx, dir := context.Background(), dbtest.Dir(t)
	store, noura := withFiles(t, dir, "")
	queue(t, store, noura, "old", 12)
	importAll(t, store)
	require.NoError(t, store.SetPeriods(ctx, noura, []erasure.Period{{Kind: erasure.Session, Days: 1}}))
	require.NoError(t, store.Close())

	box, err := (&config{}).box()
	require.NoError(t, err)
	var nodes []*db.Store
	for range 3 {
		s, err := db.Open(ctx, db.Options{Dir: dir, Database: dbtest.Database(dir), NewID: newID, Keys: box,
			Now: func() time.Time { return time.Now().Add(72 * time.Hour) }})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		nodes = append(nodes, s)
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	erased := 0
	for _, s := range nodes {
		for range 3 {
			all.Go(func() {
				n, err := app.Retain(ctx, s, nil)
				mu.Lock()
				defer mu.Unlock()
				if erased += n; err != nil {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	require.Equal(t, 12, erased)
	for _, action := range []string{"session.erased", "erasure.finished"} {
		events, _, err := nodes[0].Log(ctx, noura.Tenant, audit.Query{Action: action, Limit: 100})
		require.NoError(t, err)
		var ids []string
		for _, e := range events {
			ids = append(ids, e.ObjectID)
		}
		slices.Sort(ids)
		require.Len(t, slices.Compact(slices.Clone(ids)), len(ids), "%s twice", action)
		if action == "erasure.finished" {
			require.Len(t, ids, 12)
		}
	}
}

// importAll does all jobs of a store.
func importAll(t *testing.T, store *db.Store) {
	t.Helper()
	defer work(t, store, time.Millisecond)()
	awaitJobs(t, store)
}

// work runs a worker on a store until the returned function is called.
func work(t *testing.T, store *db.Store, poll time.Duration) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	w := &app.Worker{Store: store, Log: newLog(t.Output()), Now: time.Now, NewID: uuid.NewString, Poll: poll}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.Run(ctx)
	}()
	return func() { cancel(); <-ended }
}

// awaitJobs waits until a store has no job to do.
func awaitJobs(t *testing.T, store *db.Store) {
	t.Helper()
	require.Eventually(t, func() bool {
		q, err := store.Queue(context.Background())
		require.NoError(t, err)
		return q.Waiting+q.Running == 0
	}, time.Minute, 10*time.Millisecond)
}

// TestQueuedJobStartsElsewhere checks that a job that one process queued is done by another one that never looks by
// itself, and that one whose listening is cut off looks by itself.
func TestQueuedJobStartsElsewhere(t *testing.T) {
	if !dbtest.OnPostgres() {
		t.Skip("needs a PostgreSQL server: make postgres")
	}
	ctx, dir := context.Background(), dbtest.Dir(t)
	store, noura := withFiles(t, dir, "")
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	box, err := (&config{}).box()
	require.NoError(t, err)
	elsewhere, err := db.Open(ctx, db.Options{Dir: dir, Database: dbtest.Database(dir), NewID: newID, Keys: box, Now: time.Now})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, elsewhere.Close()) })
	stop := work(t, elsewhere, time.Hour)
	require.Eventually(t, elsewhere.Listening, time.Minute, 5*time.Millisecond)
	for n := range 3 {
		queue(t, store, noura, fmt.Sprint("heard ", n), 2)
		awaitJobs(t, store)
	}
	stop()
	d := dbtest.Raw(t, dir)
	stop = work(t, elsewhere, 20*time.Millisecond)
	defer stop()
	for n := range 3 {
		require.Eventually(t, elsewhere.Listening, time.Minute, 5*time.Millisecond)
		_, err := d.ExecContext(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND query LIKE 'LISTEN %'`)
		require.NoError(t, err)
		queue(t, store, noura, fmt.Sprint("looked for ", n), 2)
		awaitJobs(t, store)
	}
}
