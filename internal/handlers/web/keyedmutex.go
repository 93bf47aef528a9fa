package web

import (
	"context"
	"sync"
)

// keyedMutex is a mutex for each key, which lasts as long as somebody holds it. The zero value is ready for use.
type keyedMutex struct {
	mu   sync.Mutex
	held map[string]chan struct{} // closed by unlock
}

// Lock waits for the mutex of a key, or for the end of ctx.
func (m *keyedMutex) Lock(ctx context.Context, key string) (unlock func(), err error) {
	for {
		m.mu.Lock()
		busy, held := m.held[key]
		if !held {
			if m.held == nil {
				m.held = map[string]chan struct{}{}
			}
			m.held[key] = make(chan struct{})
			m.mu.Unlock()
			return func() { m.unlock(key) }, nil
		}
		m.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (m *keyedMutex) unlock(key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	close(m.held[key])
	delete(m.held, key)
}
