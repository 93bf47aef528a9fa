package jobs

import (
	"context"
	"sync"
	"time"

	"sanad/internal/db/sqldb"
)

// jobSignal wakes those who wait for jobs when some were queued, released or have ended: by this process always, and by
// other processes while the engine listens.
type jobSignal struct {
	mu        sync.Mutex
	changed   chan struct{} // closed at the next change
	listening bool          // whether this process is notified of changes by others

	start sync.Once
	stop  context.CancelFunc
	Ended sync.WaitGroup
}

// JobsChanged returns a channel that is closed when a job is queued, released or has ended. everywhere reports whether
// changes by other processes close it too; if not, poll. Take the channel before looking for jobs, so that no change
// between is missed.
func (store *Store) JobsChanged() (changed <-chan struct{}, everywhere bool) {
	w := &store.JobSignal
	w.start.Do(func() {
		ctx, stop := context.WithCancel(context.Background())
		w.mu.Lock()
		w.stop = stop
		w.mu.Unlock()
		w.Ended.Go(func() { store.listen(ctx) })
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changed == nil {
		w.changed = make(chan struct{})
	}
	return w.changed, w.listening
}

// broadcast wakes all who wait.
func (w *jobSignal) broadcast() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changed != nil {
		close(w.changed)
		w.changed = nil
	}
}

// setListening notes whether this process is notified of others' changes, and wakes all who wait, because changes may
// have been missed before.
func (w *jobSignal) setListening(now bool) {
	w.mu.Lock()
	w.listening = now
	w.mu.Unlock()
	w.broadcast()
}

// Close ends listening.
func (w *jobSignal) Close() {
	w.start.Do(func() {})
	w.mu.Lock()
	stop := w.stop
	w.mu.Unlock()
	if stop != nil {
		stop()
		w.Ended.Wait()
	}
}

// How long to wait before listening again, doubling from listenAgain to listenSeldom.
const (
	listenAgain  = time.Second
	listenSeldom = time.Minute
)

// listen waits for changes by other processes until ctx ends, or the engine does not support it.
func (store *Store) listen(ctx context.Context) {
	for pause := listenAgain; ; {
		began := time.Now()
		supported, err := store.Engine.Listen(ctx, jobsChannel, func() { store.JobSignal.setListening(true) },
			store.JobSignal.broadcast)
		store.JobSignal.setListening(false)
		if !supported || ctx.Err() != nil {
			return
		}
		if time.Since(began) > listenSeldom { // it worked
			pause = listenAgain
		}
		store.Logger.Info("not notified of other processes' jobs for the moment; polling for them", "err", err,
			"retry_in", pause)
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		pause = min(2*pause, listenSeldom)
	}
}

// jobsChannel is the channel of notifications that jobs have changed.
const jobsChannel = "sanad_jobs"

// jobsWoken is set in a transaction that changed jobs which others wait for.
var jobsWoken sqldb.Local[bool]

// WakeJobs wakes those who wait in this process, after a commit.
func (store *Store) WakeJobs(t *sqldb.Tx) error {
	if *jobsWoken.Of(t) {
		store.JobSignal.broadcast()
	}
	return nil
}

// jobsChanged has every process that waits for jobs woken after the commit.
func jobsChanged(t *sqldb.Tx) error {
	*jobsWoken.Of(t) = true
	return t.Engine.Notify(t, jobsChannel)
}

// Listening reports whether this process is notified of changes of jobs by others.
func (store *Store) Listening() bool {
	store.JobSignal.mu.Lock()
	defer store.JobSignal.mu.Unlock()
	return store.JobSignal.listening
}
