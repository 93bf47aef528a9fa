package limits

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKeyedMutex(t *testing.T) {
	var m KeyedMutex
	ctx := context.Background()
	unlockA, err := m.Lock(ctx, "a")
	require.NoError(t, err)
	unlockB, err := m.Lock(ctx, "b")
	require.NoError(t, err, "another key is free")
	unlockB()
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = m.Lock(cancelled, "a")
	require.ErrorIs(t, err, context.Canceled)
	unlockA()

	var all sync.WaitGroup
	n := 0 // the race detector would see two holders at a time
	for range 50 {
		all.Go(func() {
			unlock, err := m.Lock(ctx, "a")
			if err == nil {
				n++
				unlock()
			}
		})
	}
	all.Wait()
	require.Equal(t, 50, n)
	require.Empty(t, m.held, "nothing is kept of a free key")
}
