package judge

import (
	"runtime"
	"sync"
)

// beside does work with a worker for each CPU while its caller goes on to the next. What is done must not depend on its
// order.
type beside struct {
	work    chan func()
	workers sync.WaitGroup
	mu      sync.Mutex
	panics  []any
}

func newBeside() *beside {
	b := &beside{work: make(chan func(), 64)}
	for range runtime.GOMAXPROCS(0) {
		b.workers.Go(func() {
			for do := range b.work {
				b.one(do)
			}
		})
	}
	return b
}

// one does one piece of work and keeps a panic for wait.
func (b *beside) one(do func()) {
	defer func() {
		if p := recover(); p != nil {
			b.mu.Lock()
			b.panics = append(b.panics, p)
			b.mu.Unlock()
		}
	}()
	do()
}

// do starts work.
func (b *beside) do(work func()) { b.work <- work }

// wait returns when all work is done. If some of it panicked, wait panics with that value.
func (b *beside) wait() {
	close(b.work)
	b.workers.Wait()
	if len(b.panics) > 0 {
		panic(b.panics[0])
	}
}
