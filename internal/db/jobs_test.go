package db_test

import (
	"context"
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

// jobFixture is a fixture whose clock can be moved.
type jobFixture struct {
	*fixture
	at  time.Time
	ctx context.Context
}

func newJobFixture(t *testing.T) *jobFixture {
	t.Helper()
	j := &jobFixture{at: now, ctx: context.Background()}
	dir := dbtest.Dir(t)
	s, err := db.Open(j.ctx, db.Options{Dir: dir, Database: dbtest.Database(dir), Now: func() time.Time { return j.at }, NewID: uuid.NewString,
		Keys: masterKey(t, 1)})
	require.NoError(t, err)
	j.fixture = &fixture{Store: s, dir: dir}
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	j.tenant, j.actor = j.newTenant(t, "main")
	return j
}

func (j *jobFixture) queue(t *testing.T, a access.Actor, upload string) job.Job {
	t.Helper()
	in, err := j.PutJobInput(j.ctx, strings.NewReader(upload))
	require.NoError(t, err)
	j.at = j.at.Add(time.Millisecond)
	got, created, err := j.AddJob(j.ctx, a, in, job.File, "a.json", nil)
	require.NoError(t, err)
	require.True(t, created)
	return got
}

const silence = 15 * time.Second

func (j *jobFixture) claim(t *testing.T) *db.ClaimedJob {
	t.Helper()
	return j.claimOf(t, db.PerTenant{})
}

func (j *jobFixture) claimOf(t *testing.T, most db.PerTenant) *db.ClaimedJob {
	t.Helper()
	c, err := j.ClaimJob(j.ctx, uuid.NewString(), silence, most)
	require.NoError(t, err)
	return c
}

func noWarnings(bool) []domain.Warning { return nil }

// TestJobHasOneWorker checks that a job has one worker at a time, and that a silent worker loses the job and can then
// neither store nor end anything.
func TestJobHasOneWorker(t *testing.T) {
	h := newJobFixture(t)
	made := h.queue(t, h.actor, "upload")
	first := h.claim(t)
	require.Equal(t, made.ID, first.ID)
	require.Equal(t, h.tenant.ID, first.Actor.Tenant)
	require.Equal(t, access.Reviewer, first.Actor.Role)
	require.Empty(t, first.Actor.User, "names are not kept")
	data, err := h.JobInput(h.ctx, first)
	require.NoError(t, err)
	require.Equal(t, "upload", string(data))
	require.Nil(t, h.claim(t))

	h.at = h.at.Add(silence - time.Second)
	require.NoError(t, h.BeatJob(h.ctx, first, db.JobBeat{Step: job.Judging, Done: 3, Total: 9}))
	h.at = h.at.Add(silence - time.Second)
	require.Nil(t, h.claim(t), "its worker has reported")
	got, err := h.Job(h.ctx, h.tenant.ID, made.ID)
	require.NoError(t, err)
	require.Equal(t, []any{job.Running, job.Judging, 3, 9, 1},
		[]any{got.State, got.Step, got.Done, got.Total, got.Attempt})

	h.at = h.at.Add(2 * time.Second)
	second := h.claim(t)
	require.Equal(t, made.ID, second.ID)
	require.Equal(t, 2, second.Attempt)
	before, err := h.Events(h.ctx, h.tenant.ID, 0, 100)
	require.NoError(t, err)
	require.ErrorIs(t, h.BeatJob(h.ctx, first, db.JobBeat{Step: job.Judging, Done: 4, Total: 9}), db.ErrJobLost)
	require.ErrorIs(t, h.FailJob(h.ctx, first, job.Fault{Kind: "internal"}), db.ErrJobLost)
	require.ErrorIs(t, h.ReleaseJob(h.ctx, first), db.ErrJobLost)
	s := identify(fullSession())
	_, _, err = h.FinishJob(h.ctx, first, assess(s), []db.Original{{Document: 0, Data: []byte("x")}}, noWarnings)
	require.ErrorIs(t, err, db.ErrJobLost)
	h.isEmpty(t)
	after, err := h.Events(h.ctx, h.tenant.ID, 0, 100)
	require.NoError(t, err)
	require.Equal(t, before, after)

	id, created, err := h.FinishJob(h.ctx, second, assess(s), nil, noWarnings)
	require.NoError(t, err)
	require.True(t, created)
	require.Equal(t, s.ID, id)
	got, err = h.Job(h.ctx, h.tenant.ID, made.ID)
	require.NoError(t, err)
	require.Equal(t, []any{job.Done, s.ID, true}, []any{got.State, got.SessionID, got.Created})
	_, _, err = h.FinishJob(h.ctx, second, assess(s), nil, noWarnings)
	require.ErrorIs(t, err, db.ErrJobLost, "once")
	h.noUploads(t)
}

// isEmpty checks that there is no session, and nothing in the bucket but uploads for jobs.
func (j *jobFixture) isEmpty(t *testing.T) {
	t.Helper()
	rows, _, err := j.Sessions(j.ctx, j.tenant.ID, ledger.SessionQuery{Limit: 10})
	require.NoError(t, err)
	require.Empty(t, rows)
	files, err := filepath.Glob(filepath.Join(j.dir, "originals", j.tenant.ID, "*"))
	require.NoError(t, err)
	require.Empty(t, files)
}

func (j *jobFixture) noUploads(t *testing.T) {
	t.Helper()
	keys, err := j.StoredInputs(j.ctx)
	require.NoError(t, err)
	require.Empty(t, keys)
}

// TestACancelledJobStoresNothing checks that a cancelled job stores nothing, even if its worker has the result ready.
func TestACancelledJobStoresNothing(t *testing.T) {
	h := newJobFixture(t)
	made := h.queue(t, h.actor, "upload")
	c := h.claim(t)
	got, err := h.CancelJob(h.ctx, h.actor, made.ID)
	require.NoError(t, err)
	require.Equal(t, job.Cancelled, got.State)
	_, _, err = h.FinishJob(h.ctx, c, assess(identify(fullSession())), nil, noWarnings)
	require.ErrorIs(t, err, db.ErrJobLost)
	h.isEmpty(t)
	h.noUploads(t)
	h.at = h.at.Add(time.Hour)
	require.Nil(t, h.claim(t))
}

// TestJobThatKillsItsWorkersFails checks that a job that ends its worker three times is not retried, and that an
// orderly stop does not count.
func TestJobThatKillsItsWorkersFails(t *testing.T) {
	h := newJobFixture(t)
	made := h.queue(t, h.actor, "poison")
	for range 5 {
		require.NoError(t, h.ReleaseJob(h.ctx, h.claim(t)))
	}
	for n := range 3 {
		require.Equal(t, n+1, h.claim(t).Attempt)
		h.at = h.at.Add(silence + time.Second)
	}
	require.Nil(t, h.claim(t))
	got, err := h.Job(h.ctx, h.tenant.ID, made.ID)
	require.NoError(t, err)
	require.Equal(t, job.Failed, got.State)
	require.Contains(t, got.Fault.Msg, "three times")
}

// TestJobsOfTenants checks that tenants with fewer running jobs come first, then older jobs, and that another tenant's
// jobs are neither visible nor changeable.
func TestJobsOfTenants(t *testing.T) {
	h := newJobFixture(t)
	_, other := h.newTenant(t, "other")
	a1, a2 := h.queue(t, h.actor, "1"), h.queue(t, h.actor, "2")
	b1 := h.queue(t, other, "1") // another job, as it is another tenant
	require.Equal(t, []string{a1.ID, b1.ID, a2.ID}, []string{h.claim(t).ID, h.claim(t).ID, h.claim(t).ID})

	for _, id := range []string{a1.ID, "", "' OR 1=1 --", "8d1b4b5e-0000-4000-8000-000000000000"} {
		_, err := h.Job(h.ctx, other.Tenant, id)
		require.Equal(t, domain.NotFound, domain.KindOf(err))
		_, err = h.CancelJob(h.ctx, other, id)
		require.Equal(t, domain.NotFound, domain.KindOf(err))
	}
	rows, _, err := h.Jobs(h.ctx, other.Tenant, db.JobQuery{Limit: 10})
	require.NoError(t, err)
	require.Len(t, rows, 1)

	var seen []string
	q := db.JobQuery{Limit: 1, Open: true}
	for {
		rows, next, err := h.Jobs(h.ctx, h.tenant.ID, q)
		require.NoError(t, err)
		require.Len(t, rows, 1)
		seen = append(seen, rows[0].ID)
		if q.After = next; next == "" {
			break
		}
	}
	require.Equal(t, []string{a2.ID, a1.ID}, seen)
	_, _, err = h.Jobs(h.ctx, h.tenant.ID, db.JobQuery{After: "x", Limit: 1})
	require.Equal(t, domain.Invalid, domain.KindOf(err))
}

// TestJobsOfOneTenantLeaveRoom checks that a tenant has no more jobs running than it may while there is another tenant,
// and that those of a silent worker don't count.
func TestJobsOfOneTenantLeaveRoom(t *testing.T) {
	h := newJobFixture(t)
	most := db.PerTenant{Alone: 2, Shared: 1}
	a1, a2, a3 := h.queue(t, h.actor, "1"), h.queue(t, h.actor, "2"), h.queue(t, h.actor, "3")
	require.Equal(t, a1.ID, h.claimOf(t, most).ID)
	second := h.claimOf(t, most)
	require.Equal(t, a2.ID, second.ID, "it is the only tenant")
	require.Nil(t, h.claimOf(t, most))

	_, other := h.newTenant(t, "other")
	require.NoError(t, h.ReleaseJob(h.ctx, second))
	require.Nil(t, h.claimOf(t, most), "the slot is kept for the other one")
	b1 := h.queue(t, other, "1")
	b2 := h.queue(t, other, "2")
	require.Equal(t, b1.ID, h.claimOf(t, most).ID)
	require.Nil(t, h.claimOf(t, most))

	h.at = h.at.Add(silence + time.Second)
	require.Equal(t, []string{a1.ID, b1.ID}, []string{h.claimOf(t, most).ID, h.claimOf(t, most).ID}, "taken over")
	require.Equal(t, []string{a2.ID, b2.ID, a3.ID}, []string{h.claim(t).ID, h.claim(t).ID, h.claim(t).ID},
		"without a bound")
}

// TestJobsOfPeople checks that in one tenant the people with fewer running jobs come first.
func TestJobsOfPeople(t *testing.T) {
	h := newJobFixture(t)
	colleague := h.actor
	colleague.ID = "a-colleague"
	a1, a2, a3 := h.queue(t, h.actor, "1"), h.queue(t, h.actor, "2"), h.queue(t, h.actor, "3")
	b1 := h.queue(t, colleague, "4")
	require.Equal(t, []string{a1.ID, b1.ID, a2.ID, a3.ID},
		[]string{h.claim(t).ID, h.claim(t).ID, h.claim(t).ID, h.claim(t).ID})
}

// TestUploadsWithoutAJob checks that an interrupted upload leaves nothing, and that an upload without a job after a
// kill is dropped at the next start.
func TestUploadsWithoutAJob(t *testing.T) {
	h := newJobFixture(t)
	broken := errors.New("the line broke")
	_, err := h.PutJobInput(h.ctx,
		io.MultiReader(strings.NewReader(strings.Repeat("x", 1<<20)), iotest.ErrReader(broken)))
	require.ErrorIs(t, err, broken)
	h.noUploads(t)

	h.at = time.Now() // files have the system's time
	made := h.queue(t, h.actor, "wanted")
	_, err = h.PutJobInput(h.ctx, strings.NewReader("stray"))
	require.NoError(t, err)
	require.NoError(t, h.DropStrayInputs(h.ctx))
	keys, err := h.StoredInputs(h.ctx)
	require.NoError(t, err)
	require.Len(t, keys, 2, "a recent upload may still get its job")
	h.at = h.at.Add(2 * time.Hour)
	require.NoError(t, h.DropStrayInputs(h.ctx))
	keys, err = h.StoredInputs(h.ctx)
	require.NoError(t, err)
	require.Equal(t, []string{"jobs/" + made.ID}, keys)

	require.NoError(t, os.Remove(filepath.Join(h.dir, "originals", "jobs", made.ID)))
	_, err = h.JobInput(h.ctx, h.claim(t))
	require.Equal(t, domain.NotFound, domain.KindOf(err), "as after a restore")
}

// TestEndedJobsExpire checks that ended jobs are listed for thirty days.
func TestEndedJobsExpire(t *testing.T) {
	h := newJobFixture(t)
	made := h.queue(t, h.actor, "old")
	_, err := h.CancelJob(h.ctx, h.actor, made.ID)
	require.NoError(t, err)
	h.at = h.at.Add(29 * 24 * time.Hour)
	h.queue(t, h.actor, "b")
	_, err = h.Job(h.ctx, h.tenant.ID, made.ID)
	require.NoError(t, err)
	h.at = h.at.Add(2 * 24 * time.Hour)
	h.queue(t, h.actor, "c")
	_, err = h.Job(h.ctx, h.tenant.ID, made.ID)
	require.Equal(t, domain.NotFound, domain.KindOf(err))
}

// TestJobsOfALaterVersionAreLeft has a worker leave a job of a kind that it does not know, also one whose worker has
// died.
func TestJobsOfALaterVersionAreLeft(t *testing.T) {
	j := newJobFixture(t)
	later := j.queue(t, j.actor, "of a later version")
	d := dbtest.Raw(t, j.dir)
	change := []string{"PRAGMA ignore_check_constraints = ON"}
	if dbtest.OnPostgres() {
		change = []string{"ALTER TABLE jobs DROP CONSTRAINT jobs_kind_check"}
	}
	one, err := d.Conn(j.ctx)
	require.NoError(t, err)
	for _, statement := range append(change, "UPDATE jobs SET kind = 'later'") {
		_, err := one.ExecContext(j.ctx, statement)
		require.NoError(t, err, statement)
	}
	require.NoError(t, one.Close())
	known := j.queue(t, j.actor, "of this one")

	take := func() *db.ClaimedJob {
		c, err := j.ClaimJob(j.ctx, uuid.NewString(), silence, db.PerTenant{})
		require.NoError(t, err)
		return c
	}
	require.Equal(t, known.ID, take().ID)
	require.Nil(t, take())
	must(t, d, "UPDATE jobs SET state = 'running', owner = 'gone', attempt = 3, beat_at = '2020-01-01T00:00:00.000000000Z'"+
		" WHERE id = '"+later.ID+"'")
	require.Nil(t, take())
	got, err := j.Job(j.ctx, j.tenant.ID, later.ID)
	require.NoError(t, err)
	require.Equal(t, job.Running, got.State, "it is neither taken nor given up")
	require.Equal(t, "later", got.Kind)
}

// TestWarningsOfAJobEndWithIt: what is said of an endpoint while a job runs, and the verdicts so far, are not said of
// one that was cancelled, failed or given back.
func TestWarningsOfAJobEndWithIt(t *testing.T) {
	for name, end := range map[string]func(h *jobFixture, c *db.ClaimedJob) error{
		"given back": func(h *jobFixture, c *db.ClaimedJob) error { return h.ReleaseJob(h.ctx, c) },
		"failed": func(h *jobFixture, c *db.ClaimedJob) error {
			return h.FailJob(h.ctx, c, job.Fault{Kind: "internal"})
		},
		"cancelled": func(h *jobFixture, c *db.ClaimedJob) error {
			_, err := h.CancelJob(h.ctx, h.actor, c.ID)
			return err
		},
	} {
		h := newJobFixture(t)
		h.queue(t, h.actor, "upload")
		c := h.claim(t)
		require.NoError(t, h.BeatJob(h.ctx, c, db.JobBeat{Step: job.Judging, Done: 1, Total: 2,
			Warnings: []domain.Warning{{Path: "endpoint", Msg: "away"}},
			Verdicts: (*job.Verdicts)(nil).With(job.Verdict{Number: 7, Text: "It rains.", Verdict: "weak"})}), name)
		work, err := h.Job(h.ctx, h.tenant.ID, c.ID)
		require.NoError(t, err)
		require.Len(t, work.Warnings, 1)
		require.Equal(t, &job.Verdicts{By: map[string]int{"weak": 1},
			Newest: []job.Verdict{{Number: 7, Text: "It rains.", Verdict: "weak"}}}, work.Verdicts)
		require.NoError(t, end(h, c), name)
		work, err = h.Job(h.ctx, h.tenant.ID, c.ID)
		require.NoError(t, err)
		require.Empty(t, work.Warnings, name)
		require.Nil(t, work.Verdicts, name)
	}
}
