package webhook

import "time"

// MaxAttempts is how often a message is sent before it is given up, after three to four hours.
const MaxAttempts = 12

const (
	firstWait = 10 * time.Second
	maxWait   = time.Hour
)

// Wait returns how long to wait after the failure of an attempt (numbered from 1): twice as long each time, up to an
// hour. jitter, in [0, 1), shortens it by up to a quarter, so that messages that failed together are not retried
// together. more is false after the last attempt.
func Wait(attempt int, jitter float64) (wait time.Duration, more bool) {
	if attempt >= MaxAttempts {
		return 0, false
	}
	wait = firstWait
	for i := 1; i < attempt && wait < maxWait; i++ {
		wait *= 2
	}
	wait = min(wait, maxWait)
	return wait - time.Duration(jitter*float64(wait)/4), true
}
