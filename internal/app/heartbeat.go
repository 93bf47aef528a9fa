package app

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
)

// The intervals of a worker that sets none. A job may run as long as it needs to; it is taken from its worker only
// after a silence.
const (
	defaultBeat    = time.Second      // between two heartbeats
	defaultSilence = 15 * time.Second // without a heartbeat, until another worker takes the job over
)

// heartbeat regularly tells the store that a job's worker is alive and how far it is. It cancels the work's context
// when the job no longer belongs to the worker.
type heartbeat struct {
	ctx      context.Context // of the work
	cancel   context.CancelCauseFunc
	store    *db.Store
	job      *db.ClaimedJob
	progress atomic.Pointer[progress]
	judged   sync.Mutex // of whoever changes verdicts
	verdicts atomic.Pointer[job.Verdicts]
	fault    atomic.Pointer[domain.Message] // the newest of an endpoint that is asked, nil or zero if it answers
	over     chan struct{}
	ended    sync.WaitGroup
}

// progress is how far a job is.
type progress struct {
	step        string
	done, total int
}

func startHeartbeat(ctx context.Context, w *Worker, work *db.ClaimedJob) *heartbeat {
	b := &heartbeat{store: w.Store, job: work, over: make(chan struct{})}
	b.ctx, b.cancel = context.WithCancelCause(ctx)
	first := job.Reading
	if work.Kind == job.Judge { // what it judges is stored already
		first = job.Judging
	}
	b.progress.Store(&progress{step: first})
	b.ended.Go(func() { b.run(orDefault(w.Beat, defaultBeat), w) })
	return b
}

// run beats until the work is over. If the store refuses a beat, the next tick tries again: a job is lost only after a
// long silence.
func (b *heartbeat) run(every time.Duration, w *Worker) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-b.over:
			return
		case <-tick.C:
		}
		at := b.progress.Load()
		beat := db.JobBeat{Step: at.step, Done: at.done, Total: at.total, Verdicts: b.verdicts.Load()}
		if fault := b.fault.Load(); fault != nil && !fault.IsZero() {
			beat.Warnings = []domain.Warning{domain.Warn("endpoint", *fault)}
		}
		err := b.store.BeatJob(b.ctx, b.job, beat)
		switch {
		case errors.Is(err, db.ErrJobLost):
			b.cancel(db.ErrJobLost)
			return
		case err != nil && b.ctx.Err() == nil:
			w.Log.Warn("a job's progress was not stored", "job", b.job.ID, "err", err)
		}
	}
}

// watch records how far the work is. It returns an error when the work must end.
func (b *heartbeat) watch(step string, done, total int) error {
	b.progress.Store(&progress{step, done, total})
	return b.ctx.Err()
}

// told records the verdict of a claim. The text of a stored session's claim is not repeated: an erasure would miss it.
func (b *heartbeat) told(c *ledger.Claim, v ledger.Verdict) {
	x := job.Verdict{Number: c.Number(), Verdict: string(v)}
	if b.job.Kind != job.Judge {
		x.Text = c.Text
		if runes := []rune(c.Text); len(runes) > mostClaimText {
			x.Text = string(runes[:mostClaimText-1]) + "…"
		}
	}
	b.judged.Lock()
	defer b.judged.Unlock()
	b.verdicts.Store(b.verdicts.Load().With(x))
}

// mostClaimText is how many characters of a claim are shown while its import runs.
const mostClaimText = 200

// tell records the newest fault of an endpoint that is asked, zero once it answers.
func (b *heartbeat) tell(fault domain.Message) { b.fault.Store(&fault) }

// stop ends the heartbeat.
func (b *heartbeat) stop() {
	close(b.over)
	b.ended.Wait()
	b.cancel(nil)
}

// lost reports whether the job was taken away.
func (b *heartbeat) lost() bool { return errors.Is(context.Cause(b.ctx), db.ErrJobLost) }
