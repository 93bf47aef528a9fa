package quantity

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestHijriIsTheInverse checks every day of the table against Gregorian, and a few published dates.
func TestHijriIsTheInverse(t *testing.T) {
	n := 0
	for day := hijriEpoch; ; day = day.AddDate(0, 0, 1) {
		year, month, d, ok := Hijri(day)
		if !ok {
			break
		}
		y, m, dd, ok := Gregorian(year, month, d)
		require.True(t, ok, day)
		require.Equal(t, time.Date(y, time.Month(m), dd, 0, 0, 0, 0, time.UTC), day)
		n++
	}
	require.Equal(t, 48195, n, "the days of the table")
	for date, want := range map[string][3]int{"2024-07-07": {1446, 1, 1}, "2025-03-01": {1446, 9, 1}, "2026-06-16": {1448, 1, 1}} {
		day, err := time.Parse(time.DateOnly, date)
		require.NoError(t, err)
		year, month, d, ok := Hijri(day.Add(23 * time.Hour))
		require.True(t, ok)
		require.Equal(t, want, [3]int{year, month, d}, date)
	}
	for _, outside := range []time.Time{hijriEpoch.AddDate(0, 0, -1), time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC), {}} {
		_, _, _, ok := Hijri(outside)
		require.False(t, ok, outside)
	}
}
