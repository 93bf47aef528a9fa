package due_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/due"
)

func TestParse(t *testing.T) {
	for typed, want := range map[string]string{
		"2026-11-30": "2026-11-30", " 2026-11-30 ": "2026-11-30", "": "", "  ": "", "٢٠٢٦-١١-٣٠": "2026-11-30",
		"۲۰۲۶-۱۱-۳۰": "2026-11-30", "\u200f٢٠٢٦\u2010١١\u2010٣٠\u200e": "2026-11-30", "2028-02-29": "2028-02-29",
	} {
		day, err := due.Parse(typed)
		require.NoError(t, err, typed)
		require.Equal(t, want, day, typed)
	}
	for _, typed := range []string{"2026-02-30", "2026-02-29", "99999-01-01", "2026-1-1", "30.11.2026", "tomorrow", "2026-11-30T00:00",
		"0000-00-00", "-2026-11-30", "२०२६-११-३०"} {
		_, err := due.Parse(typed)
		require.Equal(t, domain.Invalid, domain.KindOf(err), typed)
	}
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := due.Zone(name)
	require.NoError(t, err)
	return z
}

func TestZone(t *testing.T) {
	require.Equal(t, time.UTC, zone(t, ""))
	require.Equal(t, time.UTC, zone(t, "UTC"))
	require.Equal(t, "Asia/Riyadh", due.ZoneName(zone(t, "Asia/Riyadh")))
	for _, name := range []string{"Local", "Mars/Base", "../etc/passwd", "/etc/localtime", "Asia"} {
		_, err := due.Zone(name)
		require.Equal(t, domain.Invalid, domain.KindOf(err), name)
	}
}

// A day ends at midnight of its zone, also where the clocks are changed on that day.
func TestEndOfADay(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, x := range []struct{ zone, day, end string }{
		{"", "2026-03-02", "2026-03-03T00:00:00Z"},
		{"Asia/Riyadh", "2026-03-02", "2026-03-02T21:00:00Z"},
		{"America/New_York", "2026-03-08", "2026-03-09T04:00:00Z"}, // 23 hours long
		{"Pacific/Kiritimati", "2026-03-02", "2026-03-02T10:00:00Z"},
		{"", "2026-12-31", "2027-01-01T00:00:00Z"},
	} {
		d, err := due.On(x.day, zone(t, x.zone), now)
		require.NoError(t, err)
		require.Equal(t, x.end, d.LateAt.Format(time.RFC3339), x.zone)
		require.Equal(t, due.Late, d.State(d.LateAt))
		require.Equal(t, due.Soon, d.State(d.LateAt.Add(-1)))
		require.Equal(t, -1, d.Days(d.LateAt))
		require.Zero(t, d.Days(d.LateAt.Add(-1)))
	}
}

func TestDaysThatMayBeSet(t *testing.T) {
	riyadh := zone(t, "Asia/Riyadh")
	now := time.Date(2026, 3, 1, 21, 0, 0, 0, time.UTC) // the second has just begun there
	for day, ok := range map[string]bool{"2026-03-01": false, "2026-03-02": true, "2036-03-01": true, "2036-03-05": false,
		"9999-12-31": false, "0001-01-01": false} {
		_, err := due.On(day, riyadh, now)
		require.Equal(t, ok, err == nil, day)
	}
	_, err := due.On("2026-03-01", time.UTC, now)
	require.NoError(t, err, "the day is not over in UTC")
}

func TestStates(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	d, err := due.On("2026-03-20", time.UTC, now)
	require.NoError(t, err)
	require.Equal(t, due.Later, d.State(now))
	require.Equal(t, 19, d.Days(now))
	require.Equal(t, due.Soon, d.State(d.LateAt.Add(-due.Near)))
	require.Equal(t, due.Later, d.State(d.LateAt.Add(-due.Near-1)))
	d.Open = false
	require.Equal(t, due.Done, d.State(d.LateAt))
	require.Equal(t, due.None, (&due.Date{Open: true}).State(now))
}

func TestTell(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	d, err := due.On("2026-03-10", zone(t, "Asia/Riyadh"), now)
	require.NoError(t, err)
	before := time.Date(2026, 3, 8, 21, 0, 0, 0, time.UTC)
	require.Equal(t, before, d.FirstTold())
	for _, x := range []struct {
		told due.Told
		at   time.Time
		what due.Told
		next time.Time
	}{
		{told: due.ToldNothing, at: now, what: due.ToldNothing, next: before},
		{told: due.ToldNothing, at: before, what: due.ToldSoon, next: d.LateAt},
		{told: due.ToldSoon, at: before.Add(time.Hour), what: due.ToldNothing, next: d.LateAt},
		{told: due.ToldSoon, at: d.LateAt, what: due.ToldLate, next: time.Time{}},
		{told: due.ToldNothing, at: d.LateAt, what: due.ToldLate, next: time.Time{}}, // no server ran
		{told: due.ToldLate, at: d.LateAt.Add(time.Hour), what: due.ToldNothing, next: time.Time{}},
	} {
		what, next := d.Tell(x.told, x.at)
		require.Equal(t, x.what, what)
		require.Equal(t, x.next, next)
	}
}
