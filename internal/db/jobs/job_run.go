package jobs

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/job"
	"sanad/internal/words"
)

// ClaimedJob is a job that one worker is running.
type ClaimedJob struct {
	job.Job
	Actor access.Actor // who asked for the job
	jobs  *Store
	owner string
	blob  string
}

// PerTenant is how many jobs of one tenant may run: Alone where there is no other tenant, else Shared. Zero sets no
// bound.
type PerTenant struct{ Alone, Shared int }

// ClaimJob returns the next job for owner to run, or nil: a waiting job, or one whose worker has sent no heartbeat for
// the duration silence, of a tenant with fewer running jobs than most says. Tenants with fewer running jobs come first,
// then people with fewer, then the oldest job. Use a different owner for each call.
func (store *Store) ClaimJob(ctx context.Context, owner string, silence time.Duration,
	most PerTenant) (*ClaimedJob, error) {
	stale := sqldb.Stamp(store.Now().Add(-silence))
	some := 0
	var worn []wornJob
	err := store.Read(ctx, "ClaimJob", func(t *sqldb.Tx) error { // idle workers take no write lock
		err := t.Row("SELECT count(*) FROM jobs AS j WHERE "+claimable+auditlog.GoingOn+belowMost,
			append([]any{stale, store.FrozenList()}, most.args(stale)...), &some)
		if err != nil || some == 0 {
			return err
		}
		worn, err = sqldb.Collect(t, "SELECT id, tenant_id, kind FROM jobs WHERE "+wornOut+auditlog.GoingOn+" ORDER BY created_at, rowid",
			[]any{stale, job.MaxAttempts, store.FrozenList()},
			func(r sqldb.Scanner, w *wornJob) error { return r.Scan(&w.id, &w.tenant, &w.kind) })
		return err
	})
	if err != nil || some == 0 {
		return nil, err
	}
	for _, w := range worn {
		if err := store.failWornOut(ctx, w, stale); err != nil {
			return nil, err
		}
	}
	var c *ClaimedJob
	err = store.Write(ctx, jobQueue, "ClaimJob", func(t *sqldb.Tx) (err error) {
		c, err = store.claim(t, owner, stale, most)
		return err
	})
	return c, err
}

// knownKinds leaves out the jobs of a kind that this program does not know: a newer worker does them (rule DB-13).
var knownKinds = " AND kind IN ('" + strings.Join(job.Kinds, "', '") + "')"

// claimable is the condition for open jobs that nobody runs.
var claimable = "(state = 'queued' OR state = 'running' AND beat_at < ?)" + knownKinds

// belowMost leaves out the jobs of tenants that have as many running as they may; its arguments are PerTenant.args.
const belowMost = ` AND (SELECT count(*) FROM jobs AS r WHERE r.state = 'running' AND r.tenant_id = j.tenant_id
	AND r.beat_at >= ?) < CASE WHEN EXISTS
	(SELECT 1 FROM tenants AS k WHERE k.id NOT IN (j.tenant_id, ?)) THEN CAST(? AS INTEGER) ELSE CAST(? AS INTEGER) END`

func (p PerTenant) args(stale string) []any {
	return []any{stale, reads.SystemTenant, cmp.Or(p.Shared, math.MaxInt32), cmp.Or(p.Alone, math.MaxInt32)}
}

func (store *Store) claim(t *sqldb.Tx, owner, stale string, most PerTenant) (*ClaimedJob, error) {
	at := sqldb.Stamp(store.Now())
	c := &ClaimedJob{jobs: store, owner: owner}
	var more reads.StoredActor
	args := slices.Concat([]any{owner, at, at, stale, store.FrozenList()}, most.args(stale), []any{stale, stale})
	found, err := sqldb.Collect(t, `UPDATE jobs SET state = 'running', owner = ?, beat_at = ?, started_at = ?,
		step = CASE kind WHEN 'judge' THEN 'judging' ELSE 'reading' END, done = 0, total = 0, verdicts = NULL,
		attempt = attempt + 1 WHERE id = (
			SELECT id FROM jobs AS j WHERE `+claimable+auditlog.GoingOn+belowMost+` ORDER BY
				(SELECT count(*) FROM jobs AS r WHERE r.state = 'running' AND r.tenant_id = j.tenant_id
				AND r.beat_at >= ?),
				(SELECT count(*) FROM jobs AS p WHERE p.state = 'running' AND p.tenant_id = j.tenant_id
				AND p.actor = j.actor AND p.beat_at >= ?), created_at, rowid LIMIT 1`+t.Engine.SkipLocked()+`)
		RETURNING `+jobColumns+", tenant_id, actor_more, blob", args,
		func(r sqldb.Scanner, _ *struct{}) error {
			return scanJob(r, &c.Job, &c.Actor.Tenant, sqldb.JSONInto(&more), &c.blob)
		})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	c.Actor = more.Actor(c.Actor.Tenant, c.MadeBy)
	return c, nil
}

// wornJob is a job that is worn out.
type wornJob struct{ id, tenant, kind string }

// wornOut is the condition for jobs whose worker has died in every attempt; its arguments are since when there was no
// heartbeat, and job.MaxAttempts.
var wornOut = "state = 'running' AND beat_at < ? AND attempt >= ?" + knownKinds

// failWornOut ends a job that is worn out, unless somebody else has.
func (store *Store) failWornOut(ctx context.Context, w wornJob, stale string) error {
	return store.Write(ctx, sqldb.OfTenant(w.tenant), "ClaimJob", func(t *sqldb.Tx) error {
		n, err := t.Exec("UPDATE jobs SET owner = '' WHERE tenant_id = ? AND id = ? AND "+wornOut,
			w.tenant, w.id, stale, job.MaxAttempts)
		if err != nil || n == 0 {
			return err
		}
		fault := job.FaultOf("internal", "", words.Msg("refused_own_ended"))
		return store.failJob(t, access.Actor{Tenant: w.tenant, ID: access.System}, &job.Job{ID: w.id, Kind: w.kind},
			fault)
	})
}

// OpenJobInput opens the job's upload, which has c.Bytes bytes; the caller closes it. NotFound if the upload is gone.
func (store *Store) OpenJobInput(ctx context.Context, c *ClaimedJob) (io.ReadCloser, error) {
	there, err := store.Needs.Files.Exists(ctx, c.blob)
	if err != nil {
		return nil, sqldb.Fail("OpenJobInput", err)
	}
	if !there {
		return nil, domain.Refuse(domain.NotFound, "", "refused_own_gone")
	}
	r, err := store.Needs.Files.NewReader(ctx, c.blob, nil)
	if err != nil {
		return nil, sqldb.Fail("OpenJobInput", err)
	}
	return r, nil
}

// JobInput returns the job's whole upload, like OpenJobInput.
func (store *Store) JobInput(ctx context.Context, c *ClaimedJob) ([]byte, error) {
	r, err := store.OpenJobInput(ctx, c)
	if err != nil {
		return nil, err
	}
	data := make([]byte, c.Bytes)
	_, err = io.ReadFull(r, data)
	return data, sqldb.Fail("JobInput", errors.Join(err, r.Close()))
}

// JobBeat is what a worker says of its job. It replaces what it said before.
type JobBeat struct {
	Step        string
	Done, Total int // claims
	Verdicts    *job.Verdicts
	Warnings    []domain.Warning
}

// BeatJob records that the job's worker is alive, and how far it is. It returns job.ErrLost if the worker has lost the
// job.
func (store *Store) BeatJob(ctx context.Context, c *ClaimedJob, at JobBeat) error {
	warnings, err := sqldb.JSONText(domain.StoredWarnings(at.Warnings))
	if err != nil {
		return err
	}
	var verdicts any
	if at.Verdicts != nil {
		if verdicts, err = sqldb.JSONText(at.Verdicts); err != nil {
			return err
		}
	}
	return job.Lost(store.Write(ctx, sqldb.AsyncRow, "BeatJob", func(t *sqldb.Tx) error {
		return c.held(t.Exec(`UPDATE jobs SET beat_at = ?, step = ?, done = ?, total = ?, warnings = ?, verdicts = ?
			WHERE id = ? AND owner = ? AND state = 'running'`,
			sqldb.Stamp(store.Now()), at.Step, at.Done, at.Total, warnings, verdicts, c.ID, c.owner))
	}))
}

// Asker returns who asked for the job.
func (claimedJob *ClaimedJob) Asker() access.Actor { return claimedJob.Actor }

// Imported ends the job with a session, within its transaction; see Job of sessions.
func (claimedJob *ClaimedJob) Imported(t *sqldb.Tx, id string, created bool, claims int,
	warnings []domain.Warning) error {
	text, err := sqldb.JSONText(domain.StoredWarnings(warnings))
	if err != nil {
		return err
	}
	err = claimedJob.held(t.Exec(`UPDATE jobs SET state = 'done', owner = '', done = ?, total = ?, session_id = ?,
		created = ?, warnings = ?, verdicts = NULL, ended_at = ?
		WHERE id = ? AND owner = ? AND state = 'running'`,
		claims, claims, id, created, text, sqldb.Stamp(claimedJob.jobs.Now()), claimedJob.ID, claimedJob.owner))
	if err != nil {
		return lost(err)
	}
	return errors.Join(jobsChanged(t),
		claimedJob.jobs.AppendEvent(t, claimedJob.Actor,
			jobEvent("job.done", &claimedJob.Job, map[string]any{"session": id, "created": created})))
}

// Judged ends the job with the n-th run of a session, within its transaction; see Job of sessions.
func (claimedJob *ClaimedJob) Judged(t *sqldb.Tx, sessionID string, n, claims int) error {
	err := claimedJob.held(t.Exec(`UPDATE jobs SET state = 'done', owner = '', done = ?, total = ?, session_id = ?, created = 1,
		warnings = NULL, verdicts = NULL, ended_at = ?
		WHERE id = ? AND owner = ? AND state = 'running'`, claims, claims, sessionID, sqldb.Stamp(claimedJob.jobs.Now()), claimedJob.ID,
		claimedJob.owner))
	if err != nil {
		return lost(err)
	}
	return claimedJob.jobs.AppendEvent(t, claimedJob.Actor,
		jobEvent("job.done", &claimedJob.Job, map[string]any{"session": sessionID, "run": n}))
}

// Drop removes the upload of a job that has ended.
func (claimedJob *ClaimedJob) Drop(ctx context.Context) {
	claimedJob.jobs.dropInput(ctx, claimedJob.ID)
}

// lost has job.ErrLost leave the store as it is; another error is answered like any other of the store.
func lost(err error) error {
	if errors.Is(err, job.ErrLost) {
		return sqldb.AsIs(job.ErrLost)
	}
	return err
}

// held returns the error of a change of the job's row: if no row changed, the worker has lost the job.
func (claimedJob *ClaimedJob) held(changed int64, err error) error {
	if err == nil && changed == 0 {
		return job.ErrLost
	}
	return err
}

// ReleaseJob returns a job unfinished because its server stops. The attempt does not count.
func (store *Store) ReleaseJob(ctx context.Context, c *ClaimedJob) error {
	return job.Lost(store.Write(ctx, sqldb.OfTenant(c.Actor.Tenant), "ReleaseJob", func(t *sqldb.Tx) error {
		err := c.held(t.Exec(`UPDATE jobs SET state = 'queued', owner = '', step = '', done = 0, total = 0, warnings = NULL, verdicts = NULL,
			attempt = attempt - 1
			WHERE id = ? AND owner = ? AND state = 'running'`, c.ID, c.owner))
		if err != nil {
			return err
		}
		return jobsChanged(t)
	}))
}

// FailJob ends a job that could not be done with the reason, and drops its upload.
func (store *Store) FailJob(ctx context.Context, c *ClaimedJob, fault job.Fault) error {
	err := job.Lost(store.Write(ctx, sqldb.OfTenant(c.Actor.Tenant), "FailJob", func(t *sqldb.Tx) error {
		if err := c.held(t.Exec("UPDATE jobs SET beat_at = beat_at WHERE id = ? AND owner = ? AND state = 'running'",
			c.ID, c.owner)); err != nil {
			return err
		}
		return store.failJob(t, c.Actor, &c.Job, fault)
	}))
	if err == nil {
		store.dropInput(ctx, c.ID)
	}
	return err
}

func (store *Store) failJob(t *sqldb.Tx, a access.Actor, j *job.Job, fault job.Fault) error {
	text, err := sqldb.JSONText(fault)
	if err != nil {
		return err
	}
	if _, err := t.Exec(`UPDATE jobs SET state = 'failed', owner = '', warnings = NULL, verdicts = NULL, fault = ?, ended_at = ?
		WHERE id = ?`,
		text, sqldb.Stamp(store.Now()), j.ID); err != nil {
		return err
	}
	return errors.Join(store.AppendEvent(t, a, jobEvent("job.failed", j, map[string]any{"fault": fault.Kind})),
		jobsChanged(t))
}

// jobQueue is the lock under which one job of any tenant is taken.
const jobQueue sqldb.Lock = "jobs"
