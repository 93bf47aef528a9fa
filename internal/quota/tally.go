package quota

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"time"
)

// Tally counts how often each key was used in this process, so that several processes hold one limit together. They tell
// each other once in a while what they counted (Due, Learn), and each subtracts from its own buckets what the others let
// pass. A limit may be exceeded for a moment, by what the others let pass since they told; that is a debt, so in the long
// run it holds exactly. A process tells only of keys that it uses for more than a small share of their limit: most keys
// are never told of, and there is at most one exchange for each process and interval, however many requests there are. A
// Tally is safe for concurrent use; nil counts nothing.
type Tally struct {
	perSecond, burst float64

	mu sync.Mutex
	of map[string]*count
}

type count struct {
	used   int64            // by this process, since it began to count
	fresh  float64          // used since it was told; the untold share of a second is forgotten every second
	at     time.Time        // of fresh
	toldAt time.Time        // zero if never
	seen   map[string]int64 // what others said, by process
}

// Spent is how often a process used a key, since it began to count.
type Spent struct {
	Key, Process string
	Used         int64
}

// untold is the share of a limit that a process may use without telling: ten processes may so exceed it by a fifth.
const untold = 0.02

// NewTally returns a tally for buckets that hold burst and get perSecond again; nil if that is no limit.
func NewTally(perSecond float64, burst int) *Tally {
	if perSecond <= 0 {
		return nil
	}
	return &Tally{perSecond: perSecond, burst: float64(burst), of: map[string]*count{}}
}

// Kept is how long what a process told counts: as long as an empty bucket takes to fill, and a moment.
func (t *Tally) Kept() time.Duration {
	return 10*time.Second + time.Duration(t.burst/t.perSecond*float64(time.Second))
}

// Add counts a use of a key.
func (t *Tally) Add(key string, now time.Time) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.of[key]
	if c == nil {
		c = &count{at: now, seen: map[string]int64{}}
		t.of[key] = c
	}
	c.used++
	c.fresh = c.left(now, t.perSecond) + 1
	c.at = now
}

// left returns what is fresh now.
func (c *count) left(now time.Time, perSecond float64) float64 {
	return max(0, c.fresh-untold*perSecond*max(0, now.Sub(c.at).Seconds()))
}

// Due returns what to tell the others now, at most so many keys, the most used first. It also returns keys that were told
// a short while ago, of which others may have something to tell, and forgets what is not used any more.
func (t *Tally) Due(now time.Time, most int) (out []Spent) {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.Kept()
	for key, c := range t.of {
		fresh := c.left(now, t.perSecond)
		switch {
		case fresh >= max(1, untold*t.burst), !c.toldAt.IsZero() && now.Sub(c.toldAt) < kept && now.Sub(c.at) < kept:
			out = append(out, Spent{Key: key, Used: c.used})
		case fresh == 0 && now.Sub(c.at) > kept && now.Sub(c.toldAt) > kept:
			delete(t.of, key)
		}
	}
	slices.SortFunc(out, func(a, b Spent) int {
		return cmp.Or(cmp.Compare(t.of[b.Key].fresh, t.of[a.Key].fresh), cmp.Compare(a.Key, b.Key))
	})
	out = out[:min(len(out), most)]
	for _, u := range out {
		c := t.of[u.Key]
		if c.fresh > 0 || c.toldAt.IsZero() {
			c.toldAt = now
		}
		c.fresh, c.at = 0, cmp.Or(c.at, now)
	}
	return out
}

// Learn takes what another process said, and returns how many uses of the key are new. Of a process that is heard of for
// the first time at most a full bucket counts: what it let pass before has been refilled.
func (t *Tally) Learn(u Spent) (more int64) {
	if t == nil {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.of[u.Key]
	if c == nil {
		return 0 // not used here any more
	}
	before, known := c.seen[u.Process]
	c.seen[u.Process] = u.Used
	if !known || u.Used < before { // it may have begun again
		return min(u.Used, int64(math.Ceil(t.burst)))
	}
	return u.Used - before
}
