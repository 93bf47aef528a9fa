package auth

import "time"

// The delay after failed logins (rule SEC-3).
const (
	freeFailures = 4                // enough for a person who tries several passwords
	longestWait  = 15 * time.Minute // bounds how long one person can lock out another
)

// Wait returns how long a name must wait after a number of consecutive failures, the last one at last: nothing for the
// first 4, then 1, 2, 4 … seconds, doubling up to 15 minutes; 0 once the wait is over. Setting the clock back does not
// lengthen the wait.
func Wait(failures int, last, now time.Time) time.Duration {
	whole := pause(failures)
	return min(whole, max(0, whole-now.Sub(last)))
}

// pause returns the whole wait after a number of failures.
func pause(failures int) time.Duration {
	if failures <= freeFailures {
		return 0
	}
	doublings := min(failures-freeFailures-1, 10) // 1024 s already exceed longestWait
	return min(longestWait, time.Second<<doublings)
}
