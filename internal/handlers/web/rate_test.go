package web

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// An account can send its burst at once, and then its rate. Accounts do not affect each other, and a rate of zero means
// no limit.
func TestRatePerAccount(t *testing.T) {
	l := limits{rate: Rate{PerSecond: 2, Burst: 3}}
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for range 3 {
		require.Zero(t, l.take("a", at).wait)
	}
	require.Equal(t, 500*time.Millisecond, l.take("a", at).wait)
	require.Equal(t, 500*time.Millisecond, l.take("a", at).wait, "a refused request costs nothing")
	require.Zero(t, l.take("b", at).wait)
	require.Zero(t, l.take("a", at.Add(500*time.Millisecond)).wait)
	require.NotZero(t, l.take("a", at.Add(500*time.Millisecond)).wait)
	for range 9 {
		require.Zero(t, l.take("", at).wait, "a visitor has no account")
	}
	none := limits{}
	for range 9 {
		require.Zero(t, none.take("a", at).wait)
	}
	require.Empty(t, none.of)
}

// Idle accounts are forgotten; those in use are not.
func TestIdleAccountsAreForgotten(t *testing.T) {
	l := limits{rate: Rate{PerSecond: 1, Burst: 2}}
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for range 2 {
		l.take("busy", at.Add(10*time.Second))
	}
	for i := range 10 * leastSweep {
		l.take(fmt.Sprint("old ", i), at.Add(time.Duration(i)*time.Millisecond))
		require.LessOrEqual(t, len(l.of), 4*leastSweep)
	}
	require.NotZero(t, l.take("busy", at.Add(10*time.Second)).wait, "it was not forgotten")
}
