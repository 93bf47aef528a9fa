package auth

import "time"

// The slow-down after failures (rule SEC-3).
const (
	freeFailures = 4                // a person who has forgotten which password it was
	longestWait  = 15 * time.Minute // nobody can lock a colleague out for longer
)

// Wait tells how long a name must wait after failures in a row, the last at last: nothing for the first 4, then 1, 2, 4 …
// seconds, doubling up to 15 minutes. 0 where the wait is over. A clock that was set back makes nobody wait longer.
func Wait(failures int, last, now time.Time) time.Duration {
	whole := pause(failures)
	return min(whole, max(0, whole-now.Sub(last)))
}

// pause is the whole wait after so many failures.
func pause(failures int) time.Duration {
	if failures <= freeFailures {
		return 0
	}
	doublings := min(failures-freeFailures-1, 10) // 1024 s are more than the longest
	return min(longestWait, time.Second<<doublings)
}
