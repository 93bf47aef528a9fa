// Package judge judges claims against the session's chunks. It returns matches; the verdict is decided by domain/ledger
// alone. See README.md for what it promises.
package judge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// MaxClaims is the most claims that are judged while a caller waits. Claims with given matches don't count.
const MaxClaims = 1000

// CheckSize refuses a session with more claims to judge than MaxClaims, as TooLarge.
func CheckSize(s *ledger.Session) error {
	n := 0
	for i := range s.Claims {
		if !s.Claims[i].Given {
			n++
		}
	}
	if n > MaxClaims {
		return domain.Refuse(domain.TooLarge, "claims", "refused_own_claims", "N", n, "Most", MaxClaims)
	}
	return nil
}

// Run judges every claim of a session, the given ones by Given and the rest by j, and records the run as of at.
// Afterwards each claim is judged or has its cause in Unjudged. The result depends on the session and the judge alone.
func Run(s *ledger.Session, j Judge, at time.Time) []domain.Warning {
	warnings, _ := RunWatched(s, j, at, func(int, int) error { return nil })
	return warnings
}

// RunWatched is Run, and calls watch before each claim with the number of those begun and of all, and at the end when
// all are judged. An error of watch ends the run and is returned; the session is then judged in part and must be
// discarded.
func RunWatched(s *ledger.Session, j Judge, at time.Time, watch func(begun, all int) error) ([]domain.Warning, error) {
	run := ledger.Run{ID: s.Run.ID, InputDigest: inputDigest(s), At: at}
	var rest []*ledger.Claim
	for i := range s.Claims {
		if c := &s.Claims[i]; !c.Given {
			rest = append(rest, c)
		}
	}
	warnings, err := takeOver(s, func(begun int) error { return watch(begun, len(s.Claims)) })
	if err != nil {
		return nil, err
	}
	given := len(s.Claims) - len(rest)
	err = judgeAll(rest, j, s, func(begun int) error { return watch(given+begun, len(s.Claims)) })
	if err != nil {
		return nil, err
	}
	run.Judge, run.Version, run.Parameters = j.Name(), j.Version(), j.Parameters()
	switch {
	case given > 0 && len(rest) == 0:
		run.Judge, run.Version, run.Parameters = "given", GivenVersion, nil
	case given > 0:
		run.Judge = "given+" + j.Name()
	}
	run.ReadComments(s.Run.ReadsComments())
	s.Run = run
	return warnings, watch(len(s.Claims), len(s.Claims))
}

// takeOver takes over the matches of the claims that came with some; begun is called with the number of claims before
// each one.
func takeOver(s *ledger.Session, begun func(n int) error) (warnings []domain.Warning, err error) {
	quotes, workers, n := newQuotes(s), newBeside(), 0
	defer workers.wait()
	for i := range s.Claims {
		c := &s.Claims[i]
		if !c.Given {
			continue
		}
		if err := begun(n); err != nil {
			return nil, err
		}
		n++
		var w []domain.Warning
		c.Judge = "given"
		c.Leave(domain.Message{})
		c.Matches, w = quotes.given(c)
		warnings = append(warnings, w...)
		for k := range c.Matches {
			if explain := quotes.explain(c, &c.Matches[k]); explain != nil {
				workers.do(explain)
			}
		}
	}
	return warnings, nil
}

// mostAhead is how many claims may wait for the workers: if each is handed over by itself, a worker waits after every
// one until the caller has run again.
const mostAhead = 256

// judgeAll judges claims with a worker for each CPU; begun is called with the number of claims before each one, of
// which up to one in 64 may still wait. After an error of begun, none that waits is judged.
func judgeAll(claims []*ledger.Claim, j Judge, s *ledger.Session, begun func(n int) error) error {
	if len(claims) == 0 {
		return nil
	}
	x := NewIndex(s)
	next := make(chan *ledger.Claim, min(mostAhead, len(claims)/64))
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(claims)) {
		workers.Go(func() {
			for c := range next {
				judgeOne(c, j, x)
			}
		})
	}
	var err error
	for i, c := range claims {
		if err = begun(i); err != nil {
			break
		}
		next <- c
	}
	close(next)
	for err != nil {
		if _, waits := <-next; !waits {
			break
		}
	}
	workers.Wait()
	return err
}

// judgeOne judges a claim; if the judge panics, that claim stays unjudged and the others are not affected.
func judgeOne(c *ledger.Claim, j Judge, x *Index) {
	defer func() {
		if p := recover(); p != nil {
			c.Matches = nil
			c.Leave(Cause(fmt.Errorf("panic: %v", p)))
		}
	}()
	c.Judge = j.Name()
	c.Leave(domain.Message{})
	matches, err := j.Judge(c, x)
	c.Matches = matches
	if err != nil {
		c.Matches = nil
		c.Leave(Cause(err))
	}
}

// RunAdded judges a session that got more documents, those from the index first on, and records the run as of at. It
// judges the claims that are not supported, and those supported ones that a new document contradicts, against all
// documents (rule L-30). Other claims keep the judgement that they have. watch is as in RunWatched.
func RunAdded(s *ledger.Session, first int, j Judge, at time.Time, watch func(begun, all int) error) error {
	again := s.Unsupported()
	contradicted, err := contradictedBy(s, first, j, again, func() error { return watch(0, len(s.Claims)) })
	if err != nil {
		return err
	}
	again = append(again, contradicted...)
	slices.Sort(again)
	return RunSome(s, again, j, at, watch)
}

// RunSome judges the claims at the given indexes, whose matches it drops, and records the run as of at. watch is as in
// RunWatched.
func RunSome(s *ledger.Session, again []int, j Judge, at time.Time, watch func(begun, all int) error) error {
	run := ledger.Run{
		ID: s.Run.ID, InputDigest: inputDigest(s), At: at, Judge: j.Name(), Version: j.Version(),
		Parameters: maps.Clone(j.Parameters()),
	}
	if run.Parameters == nil {
		run.Parameters = map[string]string{}
	}
	run.Parameters["claims"] = ledger.ChangedClaims
	run.ReadComments(s.Run.ReadsComments())
	claims := make([]*ledger.Claim, len(again))
	for n, i := range again {
		claims[n] = &s.Claims[i]
		claims[n].Given, claims[n].Matches = false, nil
	}
	if err := judgeAll(claims, j, s, func(begun int) error { return watch(begun, len(claims)) }); err != nil {
		return err
	}
	if slices.ContainsFunc(s.Claims, func(c ledger.Claim) bool { return c.Given }) {
		run.Judge = "given+" + j.Name()
	}
	s.Run = run
	return watch(len(claims), len(claims))
}

// RunReworded judges the claims at the given indexes, which came in the place of others, and records the run as of at.
// Where the caller gave all verdicts they stay unjudged, with that cause. watch is as in RunWatched.
func RunReworded(s *ledger.Session, added []int, j Judge, at time.Time, watch func(begun, all int) error) error {
	if s.Run.Judge != "given" {
		return RunSome(s, added, j, at, watch)
	}
	for _, i := range added {
		s.Claims[i].Leave(ledger.CallerJudges())
	}
	s.Run.InputDigest, s.Run.At = inputDigest(s), at
	return watch(len(added), len(added))
}

// contradictedBy returns the indexes of the claims, without those in known, that a document from the index first on
// contradicts if it is read alone.
func contradictedBy(s *ledger.Session, first int, j Judge, known []int, watch func() error) ([]int, error) {
	only := *s
	only.Documents, only.Claims = s.Documents[first:], slices.Clone(s.Claims)
	skip := make([]bool, len(s.Claims))
	for _, i := range known {
		skip[i] = true
	}
	var rest []*ledger.Claim
	for i := range only.Claims {
		if !skip[i] {
			rest = append(rest, &only.Claims[i])
		}
	}
	if err := judgeAll(rest, j, &only, func(int) error { return watch() }); err != nil {
		return nil, err
	}
	against := func(m ledger.Match) bool { return m.Contradicts }
	var out []int
	for i := range only.Claims {
		if !skip[i] && slices.ContainsFunc(only.Claims[i].Matches, against) {
			out = append(out, i)
		}
	}
	return out, nil
}

// inputDigest is the SHA-256 hex of what a run judges: every chunk's place and digest, and every claim's text with the
// matches that were given. Each part is written with its length before it, so that no two inputs are written the same.
func inputDigest(s *ledger.Session) string {
	h := sha256.New()
	write(h, "sanad.judge-input/v1")
	for i := range s.Documents {
		d := &s.Documents[i]
		write(h, "document", strconv.Itoa(d.Position), string(d.Status))
		for j := range d.Chunks {
			write(h, "chunk", strconv.Itoa(d.Chunks[j].Position), ledger.TextDigest(d.Chunks[j].Words()))
			if kind := d.Chunks[j].Kind; kind != ledger.Body {
				write(h, "kind", string(kind))
			}
			for _, w := range d.Chunks[j].Doubtful {
				write(h, "doubtful", strconv.Itoa(w.Start), strconv.Itoa(w.End))
			}
		}
		for j := range d.LeftOut {
			write(h, "left out", string(d.LeftOut[j].Kind), ledger.TextDigest(d.LeftOut[j].Text))
		}
	}
	if len(s.Claims) == 1 { // a short answer is read with it
		write(h, "question", s.Query)
	}
	for i := range s.Claims {
		c := &s.Claims[i]
		write(h, "claim", strconv.Itoa(c.Position), c.Text, strconv.FormatBool(c.Given))
		if !c.Given {
			continue
		}
		for _, m := range c.Matches {
			write(h, "match", strconv.Itoa(m.Chunk.Document), strconv.Itoa(m.Chunk.Chunk),
				strconv.FormatFloat(m.Similarity, 'g', -1, 64), string(m.Support), strconv.FormatBool(m.Contradicts),
				m.Snippet)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// write never fails: a hash takes all.
func write(h hash.Hash, parts ...string) {
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
}

// beside does work with a worker for each CPU while its caller goes on to the next. What is done must not depend on its
// order.
type beside struct {
	work    chan func()
	workers sync.WaitGroup
	mu      sync.Mutex
	panics  []any
}

func newBeside() *beside {
	b := &beside{work: make(chan func(), 64)}
	for range runtime.GOMAXPROCS(0) {
		b.workers.Go(func() {
			for do := range b.work {
				b.one(do)
			}
		})
	}
	return b
}

// one does one piece of work and keeps a panic for wait.
func (b *beside) one(do func()) {
	defer func() {
		if p := recover(); p != nil {
			b.mu.Lock()
			b.panics = append(b.panics, p)
			b.mu.Unlock()
		}
	}()
	do()
}

// do starts work.
func (b *beside) do(work func()) { b.work <- work }

// wait returns when all work is done. If some of it panicked, wait panics with that value.
func (b *beside) wait() {
	close(b.work)
	b.workers.Wait()
	if len(b.panics) > 0 {
		panic(b.panics[0])
	}
}

// Judge turns a claim and the session's chunks into matches, best similarity first. It returns relevant matches
// only. An error means that the claim could not be judged: it stays unjudged, with the error's safe text as cause.
// Judge is called from several goroutines at once.
type Judge interface {
	Name() string
	Version() string
	Parameters() map[string]string
	Judge(c *ledger.Claim, x *Index) ([]ledger.Match, error)
}

// unjudged returns the error for a claim that cannot be judged.
func unjudged(id string) error {
	return &domain.Error{Kind: domain.Unsupported, Op: "judge", Message: words.Msg(id)}
}

// Cause is what users may read of why a claim is unjudged.
func Cause(err error) domain.Message {
	var e *domain.Error
	if errors.As(err, &e) && e.Text() != "" {
		return e.Message
	}
	return words.Msg("note_failed")
}

// Reader is a model that reads a passage and a claim together. It is safe for concurrent use, and what it says of a
// pair depends on the pair alone.
type Reader interface {
	// Digest names the model: another model has another one.
	Digest() string
	// Score returns what the model says of a claim with each of the passages, in their order. It refuses what is too long
	// with a LongError, and stops between two passages when ctx is done.
	Score(ctx context.Context, claim string, passages []string) ([]Logits, error)
	// Unknown returns the words of a text that the model cannot see.
	Unknown(text string) ([]string, error)
}

// Logits are what a model says of a passage and a claim.
type Logits struct{ Supports, Contradicts, Neither float32 }

// support and contradiction say by how much the model prefers the one answer to the better one of the others.
func (l Logits) support() float64       { return float64(l.Supports - max(l.Contradicts, l.Neither)) }
func (l Logits) contradiction() float64 { return float64(l.Contradicts - max(l.Supports, l.Neither)) }

// LongError says that a claim, or a passage beside it, has more tokens than the model reads.
type LongError struct {
	Claim   bool
	Passage int // its index, where it is not the claim
}

func (e *LongError) Error() string {
	if e.Claim {
		return "judge: the claim is too long for the reader"
	}
	return "judge: a passage is too long for the reader"
}
