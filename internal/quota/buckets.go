package quota

import (
	"container/list"
	"math"
	"sync"
	"time"
)

// Buckets are token buckets, one for each key. They hold at most a fixed number of keys: beyond it the one that was not
// used for longest is forgotten and begins full again. golang.org/x/time/rate cannot give back a token once it is
// taken. Buckets are safe for concurrent use.
type Buckets struct {
	perSecond float64
	burst     float64
	most      int

	mu    sync.Mutex
	of    map[string]*list.Element
	order list.List // of *bucket, the newest used first
}

type bucket struct {
	key    string
	tokens float64
	at     time.Time
}

// NewBuckets returns buckets that hold burst tokens each, get perSecond again, and are kept for the most keys that were
// used last. A rate of 0 sets no limit.
func NewBuckets(perSecond float64, burst, most int) *Buckets {
	return &Buckets{perSecond: perSecond, burst: float64(burst), most: max(1, most), of: map[string]*list.Element{}}
}

// Take takes a token of key. If there is none it returns how long it takes until there is.
func (b *Buckets) Take(key string, now time.Time) (wait time.Duration) {
	if b.perSecond <= 0 {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	at := b.bucket(key, now)
	if at.tokens < 1 {
		return max(1, time.Duration(math.Ceil((1-at.tokens)/b.perSecond*float64(time.Second))))
	}
	at.tokens--
	return 0
}

// Give gives a token of key back: what it was taken for does not count.
func (b *Buckets) Give(key string, now time.Time) {
	if b.perSecond <= 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	at := b.bucket(key, now)
	at.tokens = min(b.burst, at.tokens+1)
}

// bucket returns a key's bucket as it is now. A clock that was set back refills nothing.
func (b *Buckets) bucket(key string, now time.Time) *bucket {
	if e := b.of[key]; e != nil {
		b.order.MoveToFront(e)
		at := e.Value.(*bucket)
		if passed := now.Sub(at.at).Seconds(); passed > 0 {
			at.tokens, at.at = min(b.burst, at.tokens+passed*b.perSecond), now
		}
		return at
	}
	if len(b.of) >= b.most {
		last := b.order.Back()
		delete(b.of, b.order.Remove(last).(*bucket).key)
	}
	at := &bucket{key: key, tokens: b.burst, at: now}
	b.of[key] = b.order.PushFront(at)
	return at
}
