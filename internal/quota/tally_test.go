package quota_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/quota"
)

// board is what processes tell each other, as the store keeps it.
type board struct {
	of     map[[2]string]int64
	writes int
}

func (b *board) exchange(process string, t *quota.Tally, now time.Time, charge func(key string, n int64)) {
	due := t.Due(now, 100)
	for _, u := range due {
		b.of[[2]string{u.Key, process}] = u.Used
		b.writes++
	}
	for _, u := range due {
		for at, used := range b.of {
			if at[0] == u.Key && at[1] != process {
				charge(u.Key, t.Learn(quota.Spent{Key: u.Key, Process: at[1], Used: used}))
			}
		}
	}
}

// Three processes hold the limit of one account together, wherever its requests go: within a fifth in a minute.
func TestSeveralProcessesHoldOneLimit(t *testing.T) {
	const perSecond, burst, seconds = 100, 500, 60
	for name, c := range map[string]struct {
		processes int
		demand    func(process int, at time.Duration) int // requests in 10 ms
		want      float64
	}{
		"all to one":           {3, func(p int, _ time.Duration) int { return map[int]int{0: 9}[p] }, burst + seconds*perSecond},
		"evenly, far too many": {3, func(int, time.Duration) int { return 3 }, burst + seconds*perSecond},
		"evenly, a little too many": {3, func(p int, at time.Duration) int {
			return map[bool]int{true: 1}[int(at/(10*time.Millisecond))%2 == p%2]
		}, burst + seconds*perSecond},
		"one after another": {3, func(p int, at time.Duration) int { return map[bool]int{true: 9}[int(at.Seconds())%3 == p] },
			burst + seconds*perSecond},
		"unevenly": {3, func(p int, _ time.Duration) int { return []int{1, 2, 9}[p] }, burst + seconds*perSecond},
		"ten":      {10, func(int, time.Duration) int { return 1 }, burst + seconds*perSecond},
		"within the limit": {3, func(p int, at time.Duration) int {
			return map[bool]int{true: 1}[int(at/(10*time.Millisecond))%4 == p]
		}, 75 * seconds},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC)
			told := &board{of: map[[2]string]int64{}}
			var tallies []*quota.Tally
			var buckets []*quota.Buckets
			for range c.processes {
				tallies = append(tallies, quota.NewTally(perSecond, burst))
				buckets = append(buckets, quota.NewBuckets(perSecond, burst, 10))
			}
			passed := 0
			for at := time.Duration(0); at < seconds*time.Second; at += 10 * time.Millisecond {
				now := start.Add(at)
				for p, b := range buckets {
					for range c.demand(p, at) {
						if b.Take("account", now) == 0 {
							passed++
							tallies[p].Add("account", now)
						}
					}
					if at%time.Second == time.Duration(p)*time.Second/10 { // each once a second, at a time of its own
						told.exchange(fmt.Sprint(p), tallies[p], now, func(key string, n int64) { b.Charge(key, n, now) })
					}
				}
			}
			t.Logf("%d passed, %.0f were allowed: %+.1f %%; %d told", passed, c.want, 100*(float64(passed)/c.want-1), told.writes)
			require.InEpsilon(t, c.want, passed, 0.2)
			require.LessOrEqual(t, told.writes, c.processes*seconds, "at most once a second for each")
		})
	}
}

// Who asks now and then is never told of.
func TestPeopleAreNotToldOf(t *testing.T) {
	now, tally := time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC), quota.NewTally(100, 500)
	for range 1000 {
		tally.Add("person", now)
		now = now.Add(time.Second)
		require.Empty(t, tally.Due(now, 10))
	}
}

// What is not used any more is forgotten, and a process that began again counts from zero.
func TestTallyForgets(t *testing.T) {
	now, tally := time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC), quota.NewTally(10, 50)
	for range 20 {
		tally.Add("a", now)
	}
	require.Equal(t, []quota.Spent{{Key: "a", Used: 20}}, tally.Due(now, 10))
	require.EqualValues(t, 50, tally.Learn(quota.Spent{Key: "a", Process: "old", Used: 1000}), "a full bucket")
	require.EqualValues(t, 5, tally.Learn(quota.Spent{Key: "a", Process: "old", Used: 1005}))
	require.EqualValues(t, 3, tally.Learn(quota.Spent{Key: "a", Process: "old", Used: 3}), "it began again")
	require.Len(t, tally.Due(now.Add(time.Second), 10), 1, "others may have something to tell")
	later := now.Add(3 * tally.Kept())
	require.Empty(t, tally.Due(later, 10))
	require.Zero(t, tally.Learn(quota.Spent{Key: "a", Process: "old", Used: 9}))
	var none *quota.Tally
	none.Add("a", now)
	require.Empty(t, none.Due(now, 1))
	require.Zero(t, none.Learn(quota.Spent{}))
}
