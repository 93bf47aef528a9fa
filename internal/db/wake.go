package db

import (
	"context"
	"sync"
	"time"
)

// wakes tells those who wait for jobs that some were queued, released or have ended: those of this process always, and
// those of other processes while the engine listens to them.
type wakes struct {
	mu        sync.Mutex
	changed   chan struct{} // closed at the next change
	listening bool          // changes of all processes are heard

	start sync.Once
	stop  context.CancelFunc
	ended sync.WaitGroup
}

// JobsChanged returns a channel that is closed when a job is queued, released or has ended. everywhere says that those
// of other processes count too; else look for them now and then. Take the channel before you look, so that no change is
// missed between.
func (s *Store) JobsChanged() (changed <-chan struct{}, everywhere bool) {
	w := &s.wakes
	w.start.Do(func() {
		ctx, stop := context.WithCancel(context.Background())
		w.mu.Lock()
		w.stop = stop
		w.mu.Unlock()
		w.ended.Go(func() { s.listen(ctx) })
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changed == nil {
		w.changed = make(chan struct{})
	}
	return w.changed, w.listening
}

// wake says that jobs have changed.
func (w *wakes) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changed != nil {
		close(w.changed)
		w.changed = nil
	}
}

// hears notes whether this process is notified of others' changes, and wakes all who wait: some may have been missed
// before.
func (w *wakes) hears(now bool) {
	w.mu.Lock()
	w.listening = now
	w.mu.Unlock()
	w.wake()
}

// close ends listening.
func (w *wakes) close() {
	w.start.Do(func() {})
	w.mu.Lock()
	stop := w.stop
	w.mu.Unlock()
	if stop != nil {
		stop()
		w.ended.Wait()
	}
}

// How long to wait before listening again, doubling from listenAgain to listenSeldom.
const (
	listenAgain  = time.Second
	listenSeldom = time.Minute
)

// listen hears the changes of other processes until ctx ends, or the engine says that it cannot.
func (s *Store) listen(ctx context.Context) {
	for pause := listenAgain; ; {
		began := time.Now()
		can, err := s.engine.listen(ctx, func() { s.wakes.hears(true) }, s.wakes.wake)
		s.wakes.hears(false)
		if !can || ctx.Err() != nil {
			return
		}
		if time.Since(began) > listenSeldom { // it worked
			pause = listenAgain
		}
		s.log.Info("not notified of other processes' jobs for the moment; polling for them", "err", err, "retry_in", pause)
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		pause = min(2*pause, listenSeldom)
	}
}

// jobsChanged has every process that waits for jobs woken once the transaction is committed.
func (t *tx) jobsChanged() error {
	t.woke = true
	return t.to.notify(t)
}

// Listening reports whether changes of jobs are heard from other processes.
func (s *Store) Listening() bool {
	s.wakes.mu.Lock()
	defer s.wakes.mu.Unlock()
	return s.wakes.listening
}
