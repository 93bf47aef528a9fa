package app

import (
	"context"
	"errors"
	"runtime"

	"sanad/internal/domain/access"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/quota"
)

// ClaimsOfJob is from how many claims that a reader reads a job judges a session. Fewer are judged while a caller
// waits.
const ClaimsOfJob = 20

// ToRead counts the claims of a session that the reader would be asked about, without those that came with matches.
func (e *Embedded) ToRead(s *ledger.Session) int {
	return e.toRead(s, func(c *ledger.Claim) bool { return !c.Given })
}

func (e *Embedded) toRead(s *ledger.Session, counts func(*ledger.Claim) bool) (n int) {
	chunks := 0
	for i := range s.Documents {
		chunks += len(s.Documents[i].Chunks)
	}
	if chunks == 0 {
		return 0
	}
	j := e.Judge()
	for i := range s.Claims {
		if c := &s.Claims[i]; counts(c) && j.Reads(c) {
			n++
		}
	}
	return n
}

// ManyClaims reports whether a session that is imported has so many claims that a job has to judge them.
func (e *Embedded) ManyClaims(s *ledger.Session) bool {
	return len(s.Claims) > judge.MaxClaims || e.ToRead(s) >= ClaimsOfJob
}

// NeedsJob reports whether a stored session is too large to be judged while a caller waits: by its claims, or by the
// bytes that a judge has to read.
func (e *Embedded) NeedsJob(s *ledger.Session) bool {
	n := len(s.Answer)
	for i := range s.Documents {
		for j := range s.Documents[i].Chunks {
			n += len(s.Documents[i].Chunks[j].Text)
		}
	}
	every := func(*ledger.Claim) bool { return true }
	return len(s.Claims) > judge.MaxClaims || n > SmallImport || e.toRead(s, every) >= ClaimsOfJob
}

// Told is called with each claim that was judged and its verdict, by several goroutines at once.
type Told func(c *ledger.Claim, v ledger.Verdict)

// run binds the judge to a run of somebody, which ends between two passages when ctx does. told may be nil.
func run(ctx context.Context, own judge.Embedded, who access.Actor, told Told) judge.Judge {
	j := own.In(context.WithValue(ctx, readsFor{}, who))
	if told == nil {
		return j
	}
	return telling{j, told}
}

// telling is the embedded judge, and tells what it says of each claim.
type telling struct {
	judge.Embedded
	told Told
}

// Judge judges a claim.
func (t telling) Judge(c *ledger.Claim, x *judge.Index) ([]ledger.Match, error) {
	matches, err := t.Embedded.Judge(c, x)
	verdict := ledger.Unjudged
	if err == nil {
		verdict = ledger.DecideVerdict(matches).Verdict
	}
	t.told(c, verdict)
	return matches, err
}

// readsFor is the key of a context whose value is the access.Actor that something is read for.
type readsFor struct{}

// turns is a reader that shares the processors: as many passages are read at a time as there are, and among those who
// wait tenants and people take turns. So an import of many claims keeps nobody waiting longer than for one passage.
type turns struct {
	judge.Reader
	pool *quota.Pool
}

// newTurns has as many turns as there are processors.
func newTurns() *quota.Pool { return quota.NewPool(quota.Limits{All: int64(runtime.GOMAXPROCS(0))}) }

// Reading is how many passages are read just now, and how many wait for their turn.
func (e *Embedded) Reading() (now, waiting int) {
	if e == nil || e.turns == nil {
		return 0, 0
	}
	use := e.turns.Use()
	return int(use.Held[readingWork]), use.Waiting
}

// readingWork is the kind of an Ask for a turn.
const readingWork = "read"

// Score reads a claim with each passage, one turn each.
func (t turns) Score(ctx context.Context, claim string, passages []string) ([]judge.Logits, error) {
	out := make([]judge.Logits, 0, len(passages))
	for i := range passages {
		one, err := t.one(ctx, claim, passages[i:i+1])
		if long := (*judge.LongError)(nil); errors.As(err, &long) {
			return nil, &judge.LongError{Claim: long.Claim, Passage: i}
		}
		if err != nil {
			return nil, err
		}
		out = append(out, one...)
	}
	return out, nil
}

func (t turns) one(ctx context.Context, claim string, passage []string) ([]judge.Logits, error) {
	who, _ := ctx.Value(readsFor{}).(access.Actor)
	done, err := t.pool.Acquire(ctx, quota.Ask{Tenant: who.Tenant, Person: who.ID, Kind: readingWork, Weight: 1, Patient: true})
	if err != nil {
		return nil, err
	}
	defer done()
	return t.Reader.Score(ctx, claim, passage)
}
