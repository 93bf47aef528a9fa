package access

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWeekBeginsWithItsDay checks the first day of the week of each day of two weeks.
func TestWeekBeginsWithItsDay(t *testing.T) {
	for _, w := range WeekStarts {
		for n := range 14 {
			day := time.Date(2026, 11, 20+n, 0, 0, 0, 0, time.UTC)
			first := w.Week(day)
			require.Equal(t, w.Weekday(), first.Weekday(), day)
			require.False(t, first.After(day), day)
			require.Less(t, day.Sub(first), 7*24*time.Hour, day)
		}
	}
	require.False(t, WeekStart("friday").Valid())
	require.False(t, Calendar("julian").Valid())
}
