package limits

import (
	"context"
	"sync"
)

// KeyedMutex is a set of mutexes, one per key, each of which exists while it is held. The zero value is ready for use.
type KeyedMutex struct {
	mu   sync.Mutex
	held map[string]chan struct{} // closed by unlock
}

// Lock acquires the mutex of a key; it gives up when ctx ends.
func (m *KeyedMutex) Lock(ctx context.Context, key string) (unlock func(), err error) {
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

func (m *KeyedMutex) unlock(key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	close(m.held[key])
	delete(m.held, key)
}
