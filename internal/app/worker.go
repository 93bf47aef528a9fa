package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/job"
	"sanad/internal/importers"
	"sanad/internal/isolated"
	"sanad/internal/lake"
	"sanad/internal/quota"
	"sanad/internal/words"
)

// Worker does the jobs of a store (docs/adr/0008). Several workers may run at once, even in several processes: each job
// belongs to one of them, and its result is stored in the transaction that ends it, so exactly once or not at all.
type Worker struct {
	Store    *db.Store
	Log      *slog.Logger
	Now      func() time.Time
	NewID    func() string
	Lake     *lake.Lake        // that bundles are read from, nil if none
	Import   importers.Options // limits of what is read
	Memory   *quota.Pool       // shared with requests; nil for no bound
	Models   Models            // how judges over the network are asked
	Embedded *Embedded         // judge; nil compares words only

	// Parallel is how many jobs run at a time; 0 for 2. Each may hold a whole upload in memory. Where there are several
	// tenants, one of them has one fewer at most (rule WEB-8).
	Parallel int
	Guests   int           // more jobs at a time, each the only one of its tenant; 0 for 2, negative for none
	Poll     time.Duration // interval of looking for work; 0 for half a second, or pollSeldom where the store tells of it
	Beat     time.Duration // interval of a job's heartbeat; 0 for defaultBeat
	Silence  time.Duration // after so long without a heartbeat, a job is taken over; 0 for defaultSilence
}

// Run does jobs until ctx ends. Unfinished jobs are then released, to be started again after the next start.
func (w *Worker) Run(ctx context.Context) {
	if err := w.Store.DropStrayInputs(ctx); err != nil && ctx.Err() == nil {
		w.Log.Warn("uploads that no job needs were not removed", "err", err)
	}
	var all sync.WaitGroup
	slots := orDefault(w.Parallel, 2)
	for range slots {
		all.Go(func() { w.loop(ctx, db.PerTenant{Alone: slots, Shared: max(1, slots-1)}) })
	}
	for range cmp.Or(w.Guests, 2) {
		all.Go(func() { w.loop(ctx, db.PerTenant{Alone: 1, Shared: 1}) })
	}
	all.Go(func() { w.traces(ctx) })
	all.Wait()
}

func orDefault[T int | time.Duration](v, standard T) T {
	if v > 0 {
		return v
	}
	return standard
}

// loop does one job after another, of tenants that have fewer running than most says.
func (w *Worker) loop(ctx context.Context, most db.PerTenant) {
	for ctx.Err() == nil {
		changed, everywhere := w.Store.JobsChanged()
		pause := orDefault(w.Poll, pollOften)
		if everywhere {
			pause = orDefault(w.Poll, pollSeldom)
		}
		did, err := w.next(ctx, most)
		if err != nil && ctx.Err() == nil {
			w.Log.Error("jobs cannot be taken", "err", err)
			pause = 10 * time.Second
		}
		if did {
			continue
		}
		if err != nil {
			changed = nil
		}
		select {
		case <-ctx.Done():
		case <-changed:
		case <-time.After(pause):
		}
	}
}

// How often a worker looks for work that nobody told it of: jobs whose worker has died, and, where the store does not
// tell of those of other processes, new ones.
const (
	pollOften  = 500 * time.Millisecond
	pollSeldom = 5 * time.Second
)

// next does the next job, if there is one.
func (w *Worker) next(ctx context.Context, most db.PerTenant) (did bool, err error) {
	work, err := w.Store.ClaimJob(ctx, w.NewID(), orDefault(w.Silence, defaultSilence), most)
	if err != nil || work == nil {
		return false, err
	}
	w.do(ctx, work)
	return true, nil
}

// do runs one job and stores its outcome.
func (w *Worker) do(ctx context.Context, work *db.ClaimedJob) {
	b := startHeartbeat(ctx, w, work)
	err := w.withRoom(b, work)
	b.stop()
	log := w.Log.With("job", work.ID, "tenant", work.Actor.Tenant, "attempt", work.Attempt)
	settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	switch {
	case err == nil:
		log.Info("job done")
	case errors.Is(err, db.ErrJobLost) || b.lost():
		log.Info("job left: it was cancelled, or another worker has it")
	case ctx.Err() != nil:
		log.Info("job given back: the server stops", "err", w.Store.ReleaseJob(settle, work))
	default:
		fault := jobFault(err)
		log.Warn("job failed", "kind", fault.Kind, "err", err)
		if err := w.Store.FailJob(settle, work, fault); err != nil && !errors.Is(err, db.ErrJobLost) {
			log.Error("the end of a job could not be stored; it will be begun again", "err", err)
		}
	}
}

// jobMemory estimates the memory that a job takes, in bytes: its input is held once, and what is read of it is larger.
func jobMemory(work *db.ClaimedJob) int64 { return 32<<20 + 8*work.Bytes }

// jobShare of all memory is what one job counts as at most, so that a long one does not keep its tenant's requests
// waiting; how many run at once is bounded by Parallel and Guests.
const jobShare = 8

// withRoom does a job when there is memory for it, however long that takes. A person's jobs are counted apart from
// their requests.
func (w *Worker) withRoom(b *heartbeat, work *db.ClaimedJob) error {
	if w.Memory == nil {
		return w.work(b, work)
	}
	done, err := w.Memory.Acquire(b.ctx, quota.Ask{Tenant: work.Actor.Tenant, Person: "jobs of " + work.Actor.ID,
		Kind: "job", Weight: min(jobMemory(work), w.Memory.Use().Limit/jobShare), Patient: true})
	if err != nil {
		return err
	}
	defer done()
	return w.work(b, work)
}

// work reads, judges and stores the job's session. A panic fails the job, not the server.
func (w *Worker) work(b *heartbeat, work *db.ClaimedJob) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	if work.Kind == job.Judge {
		data, err := w.Store.JobInput(b.ctx, work)
		if err != nil {
			return err
		}
		return w.rejudge(b, work, data)
	}
	read, err := w.readInput(b.ctx, work)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, read.Close()) }()
	defer importers.Recovered(&err)
	if err := b.ctx.Err(); err != nil {
		return err
	}
	in := Importer{
		Store: w.Store, Actor: work.Actor, Now: w.Now().UTC(), NewID: w.NewID, File: work.Name, Job: work, Watch: b.watch,
		Told: b.told, Embedded: w.Embedded,
	}
	_, err = in.Import(b.ctx, read, nil)
	return err
}

// readInput reads a job's input: an upload, a file or an encoded form. It is held in memory once, a large session of
// our own format part by part.
func (w *Worker) readInput(ctx context.Context, work *db.ClaimedJob) (*importers.Result, error) {
	open := func() (io.ReadCloser, error) { return w.Store.OpenJobInput(ctx, work) }
	if work.Kind == job.File {
		opt := w.Import
		opt.TextDir = w.Store.Folder()
		return importers.ReadAgain(open, work.Bytes, opt)
	}
	from, err := open()
	if err != nil {
		return nil, err
	}
	defer from.Close() //nolint:errcheck // opened for reading only
	form, err := decodeForm(from)
	if err != nil {
		return nil, err
	}
	return importers.FromForm(isolated.For(ctx, work.Actor.Tenant), form, w.Import)
}

// jobFault says why a job failed, without internals.
func jobFault(err error) job.Fault {
	kinds := map[domain.Kind]string{
		domain.Invalid: "invalid", domain.TooLarge: "too_large", domain.Unsupported: "unsupported",
		domain.NotFound: "gone", domain.Unavailable: "unavailable", domain.Conflict: "invalid",
	}
	var e *domain.Error
	if errors.As(err, &e) && kinds[e.Kind] != "" {
		return job.FaultOf(kinds[e.Kind], e.Path, e.Message)
	}
	return job.FaultOf("internal", "", words.Msg("refused_own_wrong"))
}
