package jobs_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
)

func queue(t *testing.T, j *dbtest.Clocked, a access.Actor, upload string) job.Job {
	t.Helper()
	in, err := j.PutJobInput(j.Ctx, strings.NewReader(upload))
	require.NoError(t, err)
	j.At = j.At.Add(time.Millisecond)
	got, created, err := j.AddJob(j.Ctx, a, in, job.File, "a.json", nil)
	require.NoError(t, err)
	require.True(t, created)
	return got
}

func claim(t *testing.T, j *dbtest.Clocked) *db.ClaimedJob {
	t.Helper()
	return claimOf(t, j, db.PerTenant{})
}

func claimOf(t *testing.T, j *dbtest.Clocked, most db.PerTenant) *db.ClaimedJob {
	t.Helper()
	c, err := j.ClaimJob(j.Ctx, uuid.NewString(), dbtest.Silence, most)
	require.NoError(t, err)
	return c
}

func noWarnings(bool) []domain.Warning { return nil }

// TestJobHasOneWorker checks that a job has one worker at a time, and that a silent worker loses the job and can then
// neither store nor end anything.
func TestJobHasOneWorker(t *testing.T) {
	h := dbtest.NewClocked(t)
	made := queue(t, h, h.Actor, "upload")
	first := claim(t, h)
	require.Equal(t, made.ID, first.ID)
	require.Equal(t, h.Tenant.ID, first.Actor.Tenant)
	require.Equal(t, access.Reviewer, first.Actor.Role)
	require.Empty(t, first.Actor.User, "names are not kept")
	data, err := h.JobInput(h.Ctx, first)
	require.NoError(t, err)
	require.Equal(t, "upload", string(data))
	require.Nil(t, claim(t, h))

	h.At = h.At.Add(dbtest.Silence - time.Second)
	require.NoError(t, h.BeatJob(h.Ctx, first, db.JobBeat{Step: job.Judging, Done: 3, Total: 9}))
	h.At = h.At.Add(dbtest.Silence - time.Second)
	require.Nil(t, claim(t, h), "its worker has reported")
	got, err := h.Job(h.Ctx, h.Tenant.ID, made.ID)
	require.NoError(t, err)
	require.Equal(t, []any{job.Running, job.Judging, 3, 9, 1},
		[]any{got.State, got.Step, got.Done, got.Total, got.Attempt})

	h.At = h.At.Add(2 * time.Second)
	second := claim(t, h)
	require.Equal(t, made.ID, second.ID)
	require.Equal(t, 2, second.Attempt)
	before, err := h.Events(h.Ctx, h.Tenant.ID, 0, 100)
	require.NoError(t, err)
	require.ErrorIs(t, h.BeatJob(h.Ctx, first, db.JobBeat{Step: job.Judging, Done: 4, Total: 9}), db.ErrJobLost)
	require.ErrorIs(t, h.FailJob(h.Ctx, first, job.Fault{Kind: "internal"}), db.ErrJobLost)
	require.ErrorIs(t, h.ReleaseJob(h.Ctx, first), db.ErrJobLost)
	s := dbtest.Identify(dbtest.FullSession())
	_, _, err = h.FinishJob(h.Ctx, first, dbtest.Assess(s), []db.Original{{Document: 0, Data: []byte("x")}}, noWarnings)
	require.ErrorIs(t, err, db.ErrJobLost)
	isEmpty(t, h)
	after, err := h.Events(h.Ctx, h.Tenant.ID, 0, 100)
	require.NoError(t, err)
	require.Equal(t, before, after)

	id, created, err := h.FinishJob(h.Ctx, second, dbtest.Assess(s), nil, noWarnings)
	require.NoError(t, err)
	require.True(t, created)
	require.Equal(t, s.ID, id)
	got, err = h.Job(h.Ctx, h.Tenant.ID, made.ID)
	require.NoError(t, err)
	require.Equal(t, []any{job.Done, s.ID, true}, []any{got.State, got.SessionID, got.Created})
	_, _, err = h.FinishJob(h.Ctx, second, dbtest.Assess(s), nil, noWarnings)
	require.ErrorIs(t, err, db.ErrJobLost, "once")
	noUploads(t, h)
}

// isEmpty checks that there is no session, and nothing in the bucket but uploads for jobs.
func isEmpty(t *testing.T, j *dbtest.Clocked) {
	t.Helper()
	rows, _, err := j.Sessions(j.Ctx, j.Tenant.ID, ledger.SessionQuery{Limit: 10})
	require.NoError(t, err)
	require.Empty(t, rows)
	files, err := filepath.Glob(filepath.Join(j.Dir, "originals", j.Tenant.ID, "*"))
	require.NoError(t, err)
	require.Empty(t, files)
}

func noUploads(t *testing.T, j *dbtest.Clocked) {
	t.Helper()
	keys, err := j.StoredInputs(j.Ctx)
	require.NoError(t, err)
	require.Empty(t, keys)
}

// TestACancelledJobStoresNothing checks that a cancelled job stores nothing, even if its worker has the result ready.
func TestACancelledJobStoresNothing(t *testing.T) {
	h := dbtest.NewClocked(t)
	made := queue(t, h, h.Actor, "upload")
	c := claim(t, h)
	got, err := h.CancelJob(h.Ctx, h.Actor, made.ID)
	require.NoError(t, err)
	require.Equal(t, job.Cancelled, got.State)
	_, _, err = h.FinishJob(h.Ctx, c, dbtest.Assess(dbtest.Identify(dbtest.FullSession())), nil, noWarnings)
	require.ErrorIs(t, err, db.ErrJobLost)
	isEmpty(t, h)
	noUploads(t, h)
	h.At = h.At.Add(time.Hour)
	require.Nil(t, claim(t, h))
}

// TestJobThatKillsItsWorkersFails checks that a job that ends its worker three times is not retried, and that an
// orderly stop does not count.
func TestJobThatKillsItsWorkersFails(t *testing.T) {
	h := dbtest.NewClocked(t)
	made := queue(t, h, h.Actor, "poison")
	for range 5 {
		require.NoError(t, h.ReleaseJob(h.Ctx, claim(t, h)))
	}
	for n := range 3 {
		require.Equal(t, n+1, claim(t, h).Attempt)
		h.At = h.At.Add(dbtest.Silence + time.Second)
	}
	require.Nil(t, claim(t, h))
	got, err := h.Job(h.Ctx, h.Tenant.ID, made.ID)
	require.NoError(t, err)
	require.Equal(t, job.Failed, got.State)
	require.Contains(t, got.Fault.Msg, "three times")
}

// TestJobsOfTenants checks that tenants with fewer running jobs come first, then older jobs, and that another tenant's
// jobs are neither visible nor changeable.
func TestJobsOfTenants(t *testing.T) {
	h := dbtest.NewClocked(t)
	_, other := h.NewTenant(t, "other")
	a1, a2 := queue(t, h, h.Actor, "1"), queue(t, h, h.Actor, "2")
	b1 := queue(t, h, other, "1") // another job, as it is another tenant
	require.Equal(t, []string{a1.ID, b1.ID, a2.ID}, []string{claim(t, h).ID, claim(t, h).ID, claim(t, h).ID})

	for _, id := range []string{a1.ID, "", "' OR 1=1 --", "8d1b4b5e-0000-4000-8000-000000000000"} {
		_, err := h.Job(h.Ctx, other.Tenant, id)
		require.Equal(t, domain.NotFound, domain.KindOf(err))
		_, err = h.CancelJob(h.Ctx, other, id)
		require.Equal(t, domain.NotFound, domain.KindOf(err))
	}
	rows, _, err := h.Jobs(h.Ctx, other.Tenant, db.JobQuery{Limit: 10})
	require.NoError(t, err)
	require.Len(t, rows, 1)

	var seen []string
	q := db.JobQuery{Limit: 1, Open: true}
	for {
		rows, next, err := h.Jobs(h.Ctx, h.Tenant.ID, q)
		require.NoError(t, err)
		require.Len(t, rows, 1)
		seen = append(seen, rows[0].ID)
		if q.After = next; next == "" {
			break
		}
	}
	require.Equal(t, []string{a2.ID, a1.ID}, seen)
	_, _, err = h.Jobs(h.Ctx, h.Tenant.ID, db.JobQuery{After: "x", Limit: 1})
	require.Equal(t, domain.Invalid, domain.KindOf(err))
}

// TestJobsOfOneTenantLeaveRoom checks that a tenant has no more jobs running than it may while there is another tenant,
// and that those of a silent worker don't count.
func TestJobsOfOneTenantLeaveRoom(t *testing.T) {
	h := dbtest.NewClocked(t)
	most := db.PerTenant{Alone: 2, Shared: 1}
	a1, a2, a3 := queue(t, h, h.Actor, "1"), queue(t, h, h.Actor, "2"), queue(t, h, h.Actor, "3")
	require.Equal(t, a1.ID, claimOf(t, h, most).ID)
	second := claimOf(t, h, most)
	require.Equal(t, a2.ID, second.ID, "it is the only tenant")
	require.Nil(t, claimOf(t, h, most))

	_, other := h.NewTenant(t, "other")
	require.NoError(t, h.ReleaseJob(h.Ctx, second))
	require.Nil(t, claimOf(t, h, most), "the slot is kept for the other one")
	b1 := queue(t, h, other, "1")
	b2 := queue(t, h, other, "2")
	require.Equal(t, b1.ID, claimOf(t, h, most).ID)
	require.Nil(t, claimOf(t, h, most))

	h.At = h.At.Add(dbtest.Silence + time.Second)
	require.Equal(t, []string{a1.ID, b1.ID}, []string{claimOf(t, h, most).ID, claimOf(t, h, most).ID}, "taken over")
	require.Equal(t, []string{a2.ID, b2.ID, a3.ID}, []string{claim(t, h).ID, claim(t, h).ID, claim(t, h).ID},
		"without a bound")
}

// TestJobsOfPeople checks that in one tenant the people with fewer running jobs come first.
func TestJobsOfPeople(t *testing.T) {
	h := dbtest.NewClocked(t)
	colleague := h.Actor
	colleague.ID = "a-colleague"
	a1, a2, a3 := queue(t, h, h.Actor, "1"), queue(t, h, h.Actor, "2"), queue(t, h, h.Actor, "3")
	b1 := queue(t, h, colleague, "4")
	require.Equal(t, []string{a1.ID, b1.ID, a2.ID, a3.ID},
		[]string{claim(t, h).ID, claim(t, h).ID, claim(t, h).ID, claim(t, h).ID})
}

// TestUploadsWithoutAJob checks that an interrupted upload leaves nothing, and that an upload without a job after a
// kill is dropped at the next start.
func TestUploadsWithoutAJob(t *testing.T) {
	h := dbtest.NewClocked(t)
	broken := errors.New("the line broke")
	_, err := h.PutJobInput(h.Ctx,
		io.MultiReader(strings.NewReader(strings.Repeat("x", 1<<20)), iotest.ErrReader(broken)))
	require.ErrorIs(t, err, broken)
	noUploads(t, h)

	h.At = time.Now() // files have the system's time
	made := queue(t, h, h.Actor, "wanted")
	_, err = h.PutJobInput(h.Ctx, strings.NewReader("stray"))
	require.NoError(t, err)
	require.NoError(t, h.DropStrayInputs(h.Ctx))
	keys, err := h.StoredInputs(h.Ctx)
	require.NoError(t, err)
	require.Len(t, keys, 2, "a recent upload may still get its job")
	h.At = h.At.Add(2 * time.Hour)
	require.NoError(t, h.DropStrayInputs(h.Ctx))
	keys, err = h.StoredInputs(h.Ctx)
	require.NoError(t, err)
	require.Equal(t, []string{"jobs/" + made.ID}, keys)

	require.NoError(t, os.Remove(filepath.Join(h.Dir, "originals", "jobs", made.ID)))
	_, err = h.JobInput(h.Ctx, claim(t, h))
	require.Equal(t, domain.NotFound, domain.KindOf(err), "as after a restore")
}

// TestEndedJobsExpire checks that ended jobs are listed for thirty days.
func TestEndedJobsExpire(t *testing.T) {
	h := dbtest.NewClocked(t)
	made := queue(t, h, h.Actor, "old")
	_, err := h.CancelJob(h.Ctx, h.Actor, made.ID)
	require.NoError(t, err)
	h.At = h.At.Add(29 * 24 * time.Hour)
	queue(t, h, h.Actor, "b")
	_, err = h.Job(h.Ctx, h.Tenant.ID, made.ID)
	require.NoError(t, err)
	h.At = h.At.Add(2 * 24 * time.Hour)
	queue(t, h, h.Actor, "c")
	_, err = h.Job(h.Ctx, h.Tenant.ID, made.ID)
	require.Equal(t, domain.NotFound, domain.KindOf(err))
}

// TestJobsOfALaterVersionAreLeft has a worker leave a job of a kind that it does not know, also one whose worker has
// died.
func TestJobsOfALaterVersionAreLeft(t *testing.T) {
	j := dbtest.NewClocked(t)
	later := queue(t, j, j.Actor, "of a later version")
	d := dbtest.Raw(t, j.Dir)
	change := []string{"PRAGMA ignore_check_constraints = ON"}
	if dbtest.OnPostgres() {
		change = []string{"ALTER TABLE jobs DROP CONSTRAINT jobs_kind_check"}
	}
	one, err := d.Conn(j.Ctx)
	require.NoError(t, err)
	for _, statement := range append(change, "UPDATE jobs SET kind = 'later'") {
		_, err := one.ExecContext(j.Ctx, statement)
		require.NoError(t, err, statement)
	}
	require.NoError(t, one.Close())
	known := queue(t, j, j.Actor, "of this one")

	take := func() *db.ClaimedJob {
		c, err := j.ClaimJob(j.Ctx, uuid.NewString(), dbtest.Silence, db.PerTenant{})
		require.NoError(t, err)
		return c
	}
	require.Equal(t, known.ID, take().ID)
	require.Nil(t, take())
	dbtest.Exec(t, d, "UPDATE jobs SET state = 'running', owner = 'gone', attempt = 3, beat_at = '2020-01-01T00:00:00.000000000Z'"+
		" WHERE id = '"+later.ID+"'")
	require.Nil(t, take())
	got, err := j.Job(j.Ctx, j.Tenant.ID, later.ID)
	require.NoError(t, err)
	require.Equal(t, job.Running, got.State, "it is neither taken nor given up")
	require.Equal(t, "later", got.Kind)
}

// TestWarningsOfAJobEndWithIt: what is said of an endpoint while a job runs, and the verdicts so far, are not said of
// one that was cancelled, failed or given back.
func TestWarningsOfAJobEndWithIt(t *testing.T) {
	for name, end := range map[string]func(h *dbtest.Clocked, c *db.ClaimedJob) error{
		"given back": func(h *dbtest.Clocked, c *db.ClaimedJob) error { return h.ReleaseJob(h.Ctx, c) },
		"failed": func(h *dbtest.Clocked, c *db.ClaimedJob) error {
			return h.FailJob(h.Ctx, c, job.Fault{Kind: "internal"})
		},
		"cancelled": func(h *dbtest.Clocked, c *db.ClaimedJob) error {
			_, err := h.CancelJob(h.Ctx, h.Actor, c.ID)
			return err
		},
	} {
		h := dbtest.NewClocked(t)
		queue(t, h, h.Actor, "upload")
		c := claim(t, h)
		require.NoError(t, h.BeatJob(h.Ctx, c, db.JobBeat{Step: job.Judging, Done: 1, Total: 2,
			Warnings: []domain.Warning{{Path: "endpoint", Msg: "away"}},
			Verdicts: (*job.Verdicts)(nil).With(job.Verdict{Number: 7, Text: "It rains.", Verdict: "weak"})}), name)
		work, err := h.Job(h.Ctx, h.Tenant.ID, c.ID)
		require.NoError(t, err)
		require.Len(t, work.Warnings, 1)
		require.Equal(t, &job.Verdicts{By: map[string]int{"weak": 1},
			Newest: []job.Verdict{{Number: 7, Text: "It rains.", Verdict: "weak"}}}, work.Verdicts)
		require.NoError(t, end(h, c), name)
		work, err = h.Job(h.Ctx, h.Tenant.ID, c.ID)
		require.NoError(t, err)
		require.Empty(t, work.Warnings, name)
		require.Nil(t, work.Verdicts, name)
	}
}
