package jobs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"gocloud.dev/blob"

	"sanad/internal/db/originals"
	"sanad/internal/db/reads"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/job"
)

// How many open jobs a tenant may have, and how long ended jobs are listed.
const (
	MaxOpenJobs = 20
	jobAge      = 30 * 24 * time.Hour
)

// jobsPrefix is the folder of uploads for jobs in the bucket, beside the tenants' originals.
const jobsPrefix = "jobs/"

// JobInput is an upload in the bucket that has no job yet.
type JobInput struct {
	ID     string // of its future job
	SHA256 string
	Bytes  int64
	At     time.Time // when the upload was complete
}

// PutJobInput writes an upload into the bucket while reading it, and syncs it to disk. The caller must pass it to
// AddJob or drop it. An error of r is returned unchanged and leaves nothing behind.
func (store *Store) PutJobInput(ctx context.Context, r io.Reader) (*JobInput, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in := &JobInput{ID: store.NewID()}
	w, err := store.Needs.Files.NewWriter(ctx, jobsPrefix+in.ID, originals.Private("application/octet-stream"))
	if err != nil {
		return nil, sqldb.Fail("PutJobInput", err)
	}
	from := &faultyReader{r: r}
	sum := sha256.New()
	n, err := io.Copy(w, io.TeeReader(from, sum))
	if err != nil {
		cancel() // so that the bucket discards the file
		_ = w.Close()
		store.dropInput(ctx, in.ID)
		if from.err != nil {
			return nil, from.err
		}
		return nil, sqldb.Fail("PutJobInput", err)
	}
	if err := w.Close(); err != nil {
		store.dropInput(ctx, in.ID)
		return nil, sqldb.Fail("PutJobInput", err)
	}
	in.Bytes, in.At, in.SHA256 = n, store.Now().UTC(), hex.EncodeToString(sum.Sum(nil))
	if err := store.Needs.Files.Sync(jobsPrefix + in.ID); err != nil {
		store.dropInput(ctx, in.ID)
		return nil, sqldb.Fail("PutJobInput", err)
	}
	return in, nil
}

// faultyReader records the error of its reader, to distinguish it from an error of the bucket.
type faultyReader struct {
	r   io.Reader
	err error
}

func (f *faultyReader) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		f.err = err
	}
	return n, err
}

// DropJobInput removes an upload that has no job.
func (store *Store) DropJobInput(ctx context.Context, in *JobInput) { store.dropInput(ctx, in.ID) }

func (store *Store) dropInput(ctx context.Context, id string) {
	store.Needs.Files.Drop(ctx, jobsPrefix+id)
}

// AddJob queues a job for an upload. If an open or done job has the same upload, it returns that job with created false
// and stores nothing, not even the receipt. In that case, and if it fails, the upload is dropped. If r's key has been
// answered already, it returns a *ReplayError. A tenant with MaxOpenJobs open jobs gets a Conflict.
func (store *Store) AddJob(ctx context.Context, a access.Actor, in *JobInput, kind, name string,
	r *receipts.Receipt) (j job.Job, created bool, err error) {
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "AddJob", func(t *sqldb.Tx) (err error) {
		created = false
		if err := errors.Join(reads.TenantExists(t, a.Tenant), store.Unanswered(t, a.Tenant, r)); err != nil {
			return err
		}
		if j, err = sameJob(t, a.Tenant, in.SHA256, kind); err != nil || j.ID != "" {
			return err
		}
		if err := store.addJob(t, a, in, kind, name); err != nil {
			return err
		}
		if j, err = jobByID(t, a.Tenant, in.ID); err != nil {
			return err
		}
		created = true
		return errors.Join(store.KeepReceipt(t, a.Tenant, r, store.Now()), jobsChanged(t))
	})
	if err != nil || !created {
		store.Needs.Files.DropUnstored(ctx, err, jobsPrefix+in.ID)
		created = false
	}
	return j, created, err
}

// sameJob returns the open or successful job that has this upload, the zero Job if none.
func sameJob(t *sqldb.Tx, tenant, digest, kind string) (job.Job, error) {
	found, err := sqldb.Collect(t, "SELECT "+jobColumns+` FROM jobs WHERE tenant_id = ? AND digest = ? AND kind = ?
		AND state IN ('queued', 'running', 'done') ORDER BY created_at DESC, rowid DESC
		LIMIT 1`, []any{tenant, digest, kind},
		func(r sqldb.Scanner, j *job.Job) error { return scanJob(r, j) })
	if err != nil || len(found) == 0 {
		return job.Job{}, err
	}
	return found[0], nil
}

func (store *Store) addJob(t *sqldb.Tx, a access.Actor, in *JobInput, kind, name string) error {
	waiting := 0
	if err := t.Row("SELECT count(*) FROM jobs WHERE tenant_id = ? AND state IN ('queued', 'running')",
		[]any{a.Tenant}, &waiting); err != nil {
		return err
	}
	if waiting >= MaxOpenJobs {
		return domain.Refuse(domain.Conflict, "", "refused_jobs_waiting_wait", "N", waiting)
	}
	_, err := t.Exec(`DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE tenant_id = ? AND ended_at <> '' AND ended_at < ?
		ORDER BY ended_at LIMIT ?)`, a.Tenant, sqldb.Stamp(in.At.Add(-jobAge)), receipts.PruneBatch)
	if err != nil {
		return err
	}
	more, err := sqldb.JSONText(reads.StoredActorOf(a))
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO jobs (id, tenant_id, kind, state, name, digest, bytes, blob, actor, actor_more, step,
		done, total, attempt,
		owner, beat_at, session_id, created, warnings, fault, verdicts, created_at, started_at, ended_at)
		VALUES (?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, '', 0, 0, 0, '', '', '', 0, NULL, NULL, NULL, ?, '', '')`,
		in.ID, a.Tenant, kind, cmp.Or(filetype.ShortName(name), "–"), in.SHA256, in.Bytes, jobsPrefix+in.ID, a.ID, more,
		sqldb.Stamp(in.At))
	if err != nil {
		return err
	}
	return store.AppendEvent(t, a, jobEvent("job.asked", &job.Job{ID: in.ID, Kind: kind}, map[string]any{
		"kind": kind, "bytes": in.Bytes, "sha256": in.SHA256,
	}))
}

// DropStrayInputs drops the uploads in the bucket that belong to no open job, which a killed process left behind. A
// worker calls it at its start; uploads younger than an hour are kept, as they may still get a job.
func (store *Store) DropStrayInputs(ctx context.Context) error {
	list := store.Needs.Files.List(&blob.ListOptions{Prefix: jobsPrefix})
	for {
		o, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return sqldb.Fail("DropStrayInputs", fmt.Errorf("list the uploads of jobs: %w", err))
		}
		if store.Now().Sub(o.ModTime) < time.Hour {
			continue
		}
		wanted := 0
		err = store.Read(ctx, "DropStrayInputs", func(t *sqldb.Tx) error {
			return t.Row("SELECT count(*) FROM jobs WHERE blob = ? AND state IN ('queued', 'running')", []any{o.Key},
				&wanted)
		})
		if err != nil {
			return err
		}
		if wanted == 0 {
			store.Needs.Files.Drop(ctx, o.Key)
		}
	}
}

// StoredInputs returns the keys of the uploads for jobs in the bucket.
func (store *Store) StoredInputs(ctx context.Context) (keys []string, err error) {
	list := store.Needs.Files.List(&blob.ListOptions{Prefix: jobsPrefix})
	for {
		o, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return keys, nil
		}
		if err != nil {
			return nil, sqldb.Fail("StoredInputs", fmt.Errorf("list the uploads of jobs: %w", err))
		}
		keys = append(keys, o.Key)
	}
}
