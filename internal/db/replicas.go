package db

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sanad/internal/domain"
)

// Position is a place in the write-ahead log of a database's server: what was committed before it is in every replica
// that has replayed the log up to it. The zero Position is unknown.
type Position struct {
	system uint64 // the server's system identifier, which its replicas share
	at     uint64 // log sequence number (LSN): a count of bytes
}

// String returns the text that ParsePosition reads.
func (p Position) String() string {
	if p.system == 0 {
		return ""
	}
	return fmt.Sprintf("%x.%x", p.system, p.at)
}

// ParsePosition reads what Position.String returned. It returns the zero Position for any other text.
func ParsePosition(s string) Position {
	system, at, ok := strings.Cut(s, ".")
	x, err := strconv.ParseUint(system, 16, 64)
	y, err2 := strconv.ParseUint(at, 16, 64)
	if !ok || err != nil || err2 != nil {
		return Position{}
	}
	return Position{system: x, at: y}
}

// Reading is what one request may read from a replica, and whether it has written. Once a replica did not answer it,
// the primary answers the rest, so that it never goes back in time. It is safe for concurrent use.
type Reading struct {
	least Position
	key   string
	wrote atomic.Bool
	off   atomic.Bool
}

type readingKey struct{}

// WithReading lets what is read in the returned context come from a replica that has reached a position: lists,
// searches, exports and figures (replicated). The zero Position allows none. Readings with the same key go to the same
// replica as long as it is used.
func WithReading(ctx context.Context, least Position, key string) (context.Context, *Reading) {
	r := &Reading{least: least, key: key}
	r.off.Store(least == Position{})
	return context.WithValue(ctx, readingKey{}, r), r
}

// Wrote reports whether a transaction that may write was begun in the context, or the end of a job was read: what a job
// stored is then to be found like what the reader wrote.
func (r *Reading) Wrote() bool { return r.wrote.Load() }

func readingOf(ctx context.Context) *Reading {
	r, _ := ctx.Value(readingKey{}).(*Reading)
	return r
}

// markWrote remembers that the request may have changed something, and must not read what is older.
func markWrote(ctx context.Context) {
	if r := readingOf(ctx); r != nil {
		r.wrote.Store(true)
		r.off.Store(true)
	}
}

// replicated are the reads that a replica may answer: lists, searches, exports and figures. What decides rights is not
// among them, nor what is read to be changed. Each may be run again at the primary, so it adds to nothing that it did
// not make itself.
var replicated = map[string]bool{
	"ActorNames": true, "Answers": true, "Bundle": true, "Bundles": true, "ClaimPage": true, "ClaimView": true,
	"Decision": true, "Decisions": true, "DocumentPage": true, "DueHome": true, "Events": true, "Find": true,
	"FindGroups": true, "Home": true, "HomeView": true, "Jobs": true, "LedgerPage": true, "Log": true,
	"LogNames": true, "MissingPacks": true, "MyQueue": true, "PackCounts": true, "PackFiles": true, "PackQueue": true,
	"Packs": true, "Runs": true, "Session": true, "Sessions": true, "SessionView": true, "SessionsView": true,
	"ShowSession": true, "Stats": true, "Titles": true, "VerifySession": true, "matchLike": true, "SearchView": true,
}

const (
	probeEvery = time.Second
	probeWait  = 2 * time.Second        // for a replica's answer to a probe
	askWait    = 500 * time.Millisecond // for a replica's answer whether it has reached a position
	// maxLag is how far behind a replica may be and still answer those who have reached less: others' changes are seen
	// that much later.
	maxLag = 10 * time.Second
	// keepSamples is how long positions of the primary are kept, to say how far behind a replica is; one that is
	// farther behind is said to be that far.
	keepSamples = time.Hour
)

// ReplicaState is what is known of a replica. Operators' programs read it.
type ReplicaState struct {
	Name  string  `json:"name"`          // host and port
	InUse bool    `json:"in_use"`        // whether reads may go to it
	Why   string  `json:"why,omitempty"` // why they may not
	Lag   float64 `json:"lag_seconds"`   // how far it is behind the primary, -1 if unknown
	Bytes int64   `json:"lag_bytes"`     // of the primary's write-ahead log that it has not replayed, -1 if unknown
	Reads uint64  `json:"-"`             // transactions that it has answered since the start
}

// standby is a replica as an engine sees it.
type standby interface {
	name() string
	// probe returns how far the replica is, or why it can't be asked: an error in words, without a secret.
	probe(ctx context.Context, of *primaryState) (at uint64, err error)
	// begin returns a connection if the replica has reached a position now.
	begin(ctx context.Context, least uint64) (conn connBeginner, err error)
	close() error
}

// connBeginner is a connection that is returned to its pool.
type connBeginner interface {
	beginner
	Close() error
}

// askPrimary asks the primary where it is, over connections of its own, so that one whose pages wait still answers.
type askPrimary interface {
	where(ctx context.Context) (primaryState, error)
	close() error
}

// primaryState is what the primary says of itself.
type primaryState struct {
	Position
	timeline, database int64
	schema             string
}

// replicas are those of a store.
type replicas struct {
	primary askPrimary
	list    []*replica
	stop    context.CancelFunc
	done    sync.WaitGroup

	mu      sync.Mutex
	system  uint64
	samples []sample // of the primary, the oldest first
}

type sample struct {
	at       uint64
	seen     time.Time
	timeline int64
}

type replica struct {
	standby

	reads atomic.Uint64
	inUse atomic.Bool
	mu    sync.Mutex
	state ReplicaState
}

// watch probes the replicas at once, and then every probeEvery until close.
func (r *replicas) watch(ctx context.Context) {
	ctx, r.stop = context.WithCancel(context.WithoutCancel(ctx))
	r.probe(ctx)
	r.done.Go(func() {
		tick := time.NewTicker(probeEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				r.probe(ctx)
			}
		}
	})
}

func (r *replicas) close() (err error) {
	if r == nil {
		return nil
	}
	if r.stop != nil {
		r.stop()
	}
	r.done.Wait()
	err = r.primary.close()
	for _, x := range r.list {
		err = errors.Join(err, x.close())
	}
	return err
}

// where asks the primary, and waits no longer than a probe does.
func (r *replicas) where(ctx context.Context) (primaryState, error) {
	ctx, cancel := context.WithTimeout(ctx, probeWait)
	defer cancel()
	return r.primary.where(ctx)
}

// probe asks the primary and all replicas where they are.
func (r *replicas) probe(ctx context.Context) {
	of, err := r.where(ctx)
	if err == nil {
		r.mu.Lock()
		now := time.Now() // a duration for operators, not part of any result
		r.system = of.system
		if n := len(r.samples); n > 0 && (of.at < r.samples[n-1].at || of.timeline != r.samples[n-1].timeline) {
			r.samples = nil // another primary, or one that lost something
		}
		r.samples = append(r.samples, sample{at: of.at, seen: now, timeline: of.timeline})
		for len(r.samples) > 2 && now.Sub(r.samples[0].seen) > keepSamples {
			r.samples = r.samples[1:]
		}
		r.mu.Unlock()
	}
	var all sync.WaitGroup
	for _, x := range r.list {
		all.Go(func() {
			state := ReplicaState{Name: x.name(), Lag: -1, Bytes: -1}
			if err != nil {
				state.Why = "the primary does not answer"
			} else {
				r.look(ctx, x, &of, &state)
			}
			state.InUse = state.Why == ""
			x.mu.Lock()
			x.state = state
			x.mu.Unlock()
			x.inUse.Store(state.InUse)
		})
	}
	all.Wait()
}

// look asks a replica how far it is, and says in its state what is known then.
func (r *replicas) look(ctx context.Context, x *replica, of *primaryState, state *ReplicaState) {
	ctx, cancel := context.WithTimeout(ctx, probeWait)
	defer cancel()
	at, err := x.probe(ctx, of)
	if err != nil {
		state.Why = err.Error()
		return
	}
	lag, known := r.lag(at)
	state.Bytes = max(0, int64(of.at-at))
	switch {
	case !known:
		state.Why = "how far it is behind is not known yet"
	case lag > maxLag:
		state.Lag, state.Why = lag.Seconds(), fmt.Sprintf("it is %.0f s behind", lag.Seconds())
	default:
		state.Lag = lag.Seconds()
	}
}

// lag returns how long ago the primary was first seen ahead of at; 0 if it never was. It isn't known if the primary was
// ahead in the oldest sample already, unless that one is older than maxLag. Only this process's clock counts.
func (r *replicas) lag(at uint64) (lag time.Duration, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, s := range r.samples {
		if s.at > at {
			lag = time.Since(s.seen)
			return lag, i > 0 || lag > maxLag
		}
	}
	return 0, true
}

// readReplica runs do at a replica that the reading may ask; done is false if none has answered, and the primary must.
func (s *Store) readReplica(ctx context.Context, op string, do func(*tx) error) (done bool) {
	reading := readingOf(ctx)
	if s.replicas == nil || reading == nil || reading.off.Load() || !replicated[op] {
		return false
	}
	x := s.replicas.pick(reading)
	if x == nil || ctx.Err() != nil {
		return false
	}
	asking, cancel := context.WithTimeout(ctx, askWait)
	conn, err := x.begin(asking, reading.least.at)
	cancel()
	if err != nil { // it is not that far, or away
		reading.off.Store(true)
		return false
	}
	defer conn.Close() //nolint:errcheck // returns it to the pool
	ctx, cancel = context.WithTimeout(ctx, readTimeout)
	defer cancel()
	t := &tx{sent: s.sent, engine: s.engine, now: s.now, box: s.box}
	if err := t.within(ctx, conn, s.engine.reading(), do); err != nil {
		reading.off.Store(true)
		return false
	}
	x.reads.Add(1)
	return true
}

// pick returns the replica for a reading, nil if none may be read. It stays the same while the same ones may be read.
func (r *replicas) pick(reading *Reading) *replica {
	r.mu.Lock()
	system := r.system
	r.mu.Unlock()
	if reading.least.system != system {
		return nil
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(reading.key)) // never fails
	for i := range r.list {
		if x := r.list[(int(h.Sum32()>>1)+i)%len(r.list)]; x.inUse.Load() {
			return x
		}
	}
	return nil
}

// Position returns the end of the database's write-ahead log: whatever was committed before this call is before it. It
// is the zero Position if the store has no replicas.
func (s *Store) Position(ctx context.Context) (Position, error) {
	if s.replicas == nil {
		return Position{}, nil
	}
	of, err := s.replicas.where(ctx)
	return of.Position, fail("Position", err)
}

// HasReplicas reports whether the store was opened with replicas.
func (s *Store) HasReplicas() bool { return s.replicas != nil }

// Knows reports whether a position is one of this store's database.
func (s *Store) Knows(p Position) bool {
	if s.replicas == nil || p == (Position{}) {
		return false
	}
	s.replicas.mu.Lock()
	defer s.replicas.mu.Unlock()
	return p.system == s.replicas.system
}

// Replicas returns what the newest probe, a second ago, says of the replicas.
func (s *Store) Replicas() []ReplicaState {
	if s.replicas == nil {
		return nil
	}
	out := make([]ReplicaState, len(s.replicas.list))
	for i, x := range s.replicas.list {
		x.mu.Lock()
		out[i] = x.state
		x.mu.Unlock()
		out[i].Reads = x.reads.Load()
	}
	return out
}

// errNotReached says that a replica has not reached a position.
var errNotReached = &domain.Error{Kind: domain.Unavailable, Op: "db.read", Msg: "The replica is behind."}
