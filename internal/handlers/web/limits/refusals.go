package limits

import (
	"sync/atomic"
	"time"

	"sanad/internal/quota"
)

// How many refusals the log takes (rule SEC-19).
const (
	refusalsOfOne = 10  // a minute, of one person or token, and of all who are not known together
	refusalsOfAll = 100 // a minute
	keptRefusals  = 1000
)

// Refusals bounds the log lines of refused requests.
type Refusals struct {
	ofOne, ofAll *quota.Buckets
	left         atomic.Int64 // refusals without a line, since the last line
}

// NewRefusals returns bounds that nothing has used yet.
func NewRefusals() *Refusals {
	return &Refusals{
		ofOne: quota.NewBuckets(refusalsOfOne/60.0, refusalsOfOne, keptRefusals),
		ofAll: quota.NewBuckets(refusalsOfAll/60.0, refusalsOfAll, 1),
	}
}

// Take reports whether a refusal of somebody may have a line, and then how many had none since the last line.
func (r *Refusals) Take(who string, now time.Time) (left int64, may bool) {
	if r.ofOne.Take(who, now) > 0 || r.ofAll.Take("", now) > 0 {
		r.left.Add(1)
		return 0, false
	}
	return r.left.Swap(0), true
}
