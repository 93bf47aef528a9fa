package judge

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
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

// mostAhead is how many claims may wait for the workers: if each is handed over by itself, a worker waits after every one
// until the caller has run again.
const mostAhead = 256

// judgeAll judges claims with a worker for each CPU; begun is called with the number of claims before each one, of which
// up to one in 64 may still wait. After an error of begun, none that waits is judged.
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
