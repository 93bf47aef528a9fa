package auth_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestWait(t *testing.T) {
	for failures, seconds := range map[int]int{math.MinInt: 0, -1: 0, 0: 0, 1: 0, 4: 0, 5: 1, 6: 2, 7: 4, 8: 8,
		13: 256, 14: 512, 15: 900, 16: 900, 100: 900, math.MaxInt: 900} {
		require.Equal(t, time.Duration(seconds)*time.Second, auth.Wait(failures, noon, noon), "%d failures", failures)
	}
	require.Equal(t, 3*time.Second, auth.Wait(7, noon, noon.Add(time.Second)), "counted from the last failure")
	require.Zero(t, auth.Wait(7, noon, noon.Add(4*time.Second)))
	require.Equal(t, 4*time.Second, auth.Wait(7, noon, noon.Add(-time.Hour)),
		"a clock set back makes nobody wait longer")
	require.Zero(t, auth.Wait(50, time.Time{}, noon))
}

func TestWaitProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		n, gone := r.IntN(40)-2, time.Duration(r.Int64N(int64(20*time.Minute)))
		w := auth.Wait(n, noon, noon.Add(gone))
		require.GreaterOrEqual(t, w, time.Duration(0))
		require.LessOrEqual(t, w, 15*time.Minute)
		require.GreaterOrEqual(t, auth.Wait(n+1, noon, noon.Add(gone)), w, "another failure never shortens the wait")
		later := time.Duration(r.Int64N(int64(time.Minute)))
		require.Equal(t, max(0, w-later), auth.Wait(n, noon, noon.Add(gone+later)), "the wait ends as time passes")
		require.Zero(t, auth.Wait(n, noon, noon.Add(gone+w)), "after the wait another try is allowed")
	}
}
