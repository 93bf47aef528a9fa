package webhook

import "time"

// MaxAttempts is how often a message is sent before it is given up: over three to four hours.
const MaxAttempts = 12

const (
	firstWait = 10 * time.Second
	maxWait   = time.Hour
)

// Wait is how long to wait after the attempt with this number (from 1) has failed: twice as long each time up to an
// hour, of which jitter, in [0, 1), takes up to a quarter away, so that what failed together does not come back
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
