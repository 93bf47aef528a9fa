package limits

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// An account can send its burst at once, and then its rate. Accounts do not affect each other, and a rate of zero means
// no limit.
func TestRatePerAccount(t *testing.T) {
	l := Accounts{rate: Rate{PerSecond: 2, Burst: 3}}
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for range 3 {
		require.Zero(t, l.Take("a", at).Wait)
	}
	require.Equal(t, 500*time.Millisecond, l.Take("a", at).Wait)
	require.Equal(t, 500*time.Millisecond, l.Take("a", at).Wait, "a refused request costs nothing")
	require.Zero(t, l.Take("b", at).Wait)
	require.Zero(t, l.Take("a", at.Add(500*time.Millisecond)).Wait)
	require.NotZero(t, l.Take("a", at.Add(500*time.Millisecond)).Wait)
	for range 9 {
		require.Zero(t, l.Take("", at).Wait, "a visitor has no account")
	}
	none := Accounts{}
	for range 9 {
		require.Zero(t, none.Take("a", at).Wait)
	}
	require.Empty(t, none.of)
}

// Idle accounts are forgotten; those in use are not.
func TestIdleAccountsAreForgotten(t *testing.T) {
	l := Accounts{rate: Rate{PerSecond: 1, Burst: 2}}
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for range 2 {
		l.Take("busy", at.Add(10*time.Second))
	}
	for i := range 10 * leastSweep {
		l.Take(fmt.Sprint("old ", i), at.Add(time.Duration(i)*time.Millisecond))
		require.LessOrEqual(t, len(l.of), 4*leastSweep)
	}
	require.NotZero(t, l.Take("busy", at.Add(10*time.Second)).Wait, "it was not forgotten")
}
