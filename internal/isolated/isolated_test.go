package isolated

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// take acquires a slot that must be free.
func take(t *testing.T, s *slots, tenant string) {
	t.Helper()
	never := make(chan time.Time)
	require.NoError(t, s.acquire(t.Context(), tenant, never))
}

// queue waits for a slot in the background and says on the channel when it has it.
func queue(t *testing.T, s *slots, tenant string, order chan<- string) {
	t.Helper()
	s.mu.Lock()
	before := len(s.waiting)
	s.mu.Unlock()
	go func() {
		if s.acquire(context.Background(), tenant, nil) == nil {
			order <- tenant
		}
	}()
	require.Eventually(t, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.waiting) == before+1
	}, time.Minute, time.Millisecond)
}

// TestOneTenantCannotHoldAllSlots: however many files one tenant has to read, another one is served at once.
func TestOneTenantCannotHoldAllSlots(t *testing.T) {
	s := newSlots(3)
	take(t, s, "greedy")
	take(t, s, "greedy")
	order := make(chan string, 9)
	queue(t, s, "greedy", order)
	take(t, s, "modest")
	require.Empty(t, order)
	s.release("modest")
	require.Empty(t, order, "the last slot stays free for others")
	s.release("greedy")
	require.Equal(t, "greedy", <-order)
}

// TestSlotsAreSharedFairly: the tenant with the fewest running is next, whoever came first; a tenant's own files keep
// their order.
func TestSlotsAreSharedFairly(t *testing.T) {
	s := newSlots(2)
	order := make(chan string, 9)
	take(t, s, "a")
	take(t, s, "b")
	for _, tenant := range []string{"a", "a", "a", "c"} {
		queue(t, s, tenant, order)
	}
	s.release("b")
	require.Equal(t, "c", <-order, "a holds one already")
	s.release("a")
	require.Equal(t, "a", <-order)
	s.release("a")
	s.release("c")
	require.Equal(t, "a", <-order)
}

// TestWaitingForASlot: while all slots are taken, a waiting request is told so, and a caller who leaves stops waiting;
// neither takes or frees a slot.
func TestWaitingForASlot(t *testing.T) {
	p := New(nil)
	p.slots = newSlots(1)
	soon := p.Soon()
	soon.Wait = time.Nanosecond
	release, err := p.Acquire(For(t.Context(), "a"))
	require.NoError(t, err)
	_, err = soon.Acquire(For(t.Context(), "b"))
	require.ErrorIs(t, err, ErrBusy)
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err = p.Acquire(gone)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, p.slots.held)
	release()
	require.Zero(t, p.slots.held)
	require.Empty(t, p.slots.running)
	require.Empty(t, p.slots.waiting)
}

// TestProcessFaultsAreNotTheFiles: if the process does not start, or fails by itself, the file is not blamed.
func TestProcessFaultsAreNotTheFiles(t *testing.T) {
	for name, command := range map[string][]string{"gone": {"/no/such/program"}, "failing": {"false"}} {
		_, err := New(command).Run(t.Context(), nil)
		require.Error(t, err, name)
		var f *Fault
		require.NotErrorAs(t, err, &f, "%s: %v", name, err)
	}
}

// TestCallerLeavesDuringRead: if the caller's context ends, the process is ended, and the file is not blamed.
func TestCallerLeavesDuringRead(t *testing.T) {
	p := New([]string{"sleep", "60"})
	gone, leave := context.WithCancel(t.Context())
	p.offline = func() bool { leave(); return false } // asked just before the process starts
	_, err := p.Run(gone, nil)
	require.ErrorIs(t, err, context.Canceled)
}

// TestTimeOfARequest: all files of one request share its time; another request has its own, and a job has more.
func TestTimeOfARequest(t *testing.T) {
	p := New([]string{"cat"})
	p.offline = func() bool { return false }
	soon := p.Soon()
	request := For(t.Context(), "a")
	_, err := soon.Run(request, []byte("words"))
	require.NoError(t, err)
	require.Positive(t, shareOf(request).spent.Load())
	shareOf(request).spent.Store(int64(soonWhole))
	_, err = soon.Run(request, []byte("words"))
	require.ErrorIs(t, err, ErrGaveUp)
	for name, run := range map[string]func() ([]byte, error){
		"another request": func() ([]byte, error) { return soon.Run(For(t.Context(), "a"), []byte("words")) },
		"a job":           func() ([]byte, error) { return p.Run(request, []byte("words")) },
	} {
		got, err := run()
		require.NoError(t, err, name)
		require.Equal(t, "words", string(got), name)
	}
}

func TestOutputIsBounded(t *testing.T) {
	_, err := New([]string{"yes"}).Run(t.Context(), nil)
	require.ErrorIs(t, err, ErrTooLarge)
}

// TestNothingOfTheEnvironment: the process gets none of our variables, such as the master key.
func TestNothingOfTheEnvironment(t *testing.T) {
	t.Setenv("SANAD_MASTER_KEY", "secret")
	require.NotEmpty(t, os.Getenv("SANAD_MASTER_KEY"))
	got, err := New([]string{"env"}).Run(t.Context(), nil)
	require.NoError(t, err)
	require.NotContains(t, string(got), "secret")
}
