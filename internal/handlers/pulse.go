package handlers

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"sanad/internal/db"
)

// pulse tells the store, beside the work on a job, that its worker lives and how far it is; and ends the work's context when
// the job is no longer its worker's.
type pulse struct {
	ctx    context.Context // of the work
	cancel context.CancelCauseFunc
	store  *db.Store
	job    *db.ClaimedJob
	now    atomic.Pointer[place]
	over   chan struct{}
	ended  sync.WaitGroup
}

// place is how far a job is.
type place struct {
	step        string
	done, total int
}

func newPulse(ctx context.Context, w *Worker, job *db.ClaimedJob) *pulse {
	p := &pulse{store: w.Store, job: job, over: make(chan struct{})}
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	p.now.Store(&place{step: db.JobReading})
	p.ended.Go(func() { p.run(orDefault(w.Beat, time.Second), w) })
	return p
}

// run beats until the work is over. A beat that the store does not take now is tried again: a long silence alone loses a job.
func (p *pulse) run(every time.Duration, w *Worker) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-p.over:
			return
		case <-tick.C:
		}
		at := p.now.Load()
		err := p.store.BeatJob(p.ctx, p.job, at.step, at.done, at.total)
		switch {
		case errors.Is(err, db.ErrJobLost):
			p.cancel(db.ErrJobLost)
			return
		case err != nil && p.ctx.Err() == nil:
			w.Log.Warn("a job's progress was not stored", "job", p.job.ID, "err", err)
		}
	}
}

// watch takes note of how far the work is, and ends it when it is to end.
func (p *pulse) watch(step string, done, total int) error {
	p.now.Store(&place{step, done, total})
	return p.ctx.Err()
}

// stop ends the beating.
func (p *pulse) stop() {
	close(p.over)
	p.ended.Wait()
	p.cancel(nil)
}

// lost tells whether the job was taken away.
func (p *pulse) lost() bool { return errors.Is(context.Cause(p.ctx), db.ErrJobLost) }
