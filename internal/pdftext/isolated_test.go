package pdftext

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// While all slots are taken, ReadSoon returns ErrBusy after its wait, and a caller whose context ends stops waiting.
func TestWaitingForASlot(t *testing.T) {
	r := &Isolated{Wait: time.Nanosecond, slots: make(chan struct{}, 1)}
	r.slots <- struct{}{}
	_, err := r.ReadSoon(context.Background(), nil)
	require.ErrorIs(t, err, ErrBusy)
	gone, leave := context.WithCancel(context.Background())
	leave()
	_, err = r.Read(gone, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, r.slots, 1, "neither acquired or released a slot")
}

// If the process does not start, or fails by itself, the file is not blamed.
func TestProcessFaultsAreNotTheFiles(t *testing.T) {
	for name, command := range map[string][]string{"gone": {"/no/such/program"}, "failing": {"false"}} {
		r, err := NewIsolated(command, UseAuto)
		require.NoError(t, err)
		_, err = r.Read(context.Background(), []byte("%PDF-1.7\n"))
		require.Error(t, err, name)
		var f *Fault
		require.NotErrorAs(t, err, &f, "%s: %v", name, err)
		require.Empty(t, r.slots, "its slot was released")
	}
}

// If the caller's context ends when a slot is free, the process is ended, and the file is not blamed.
func TestCallerLeavesDuringRead(t *testing.T) {
	r, err := NewIsolated([]string{"sleep", "60"}, UseOwn)
	require.NoError(t, err)
	gone, leave := context.WithCancel(context.Background())
	r.offline = func() bool { leave(); return false } // asked just before the process starts
	_, err = r.Read(gone, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, r.slots)
}
