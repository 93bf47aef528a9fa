package judge

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// MaxClaims is how many claims are judged while a caller waits. Claims with given matches don't count.
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
		return domain.TooLargef("claims", "%d claims are to be judged, at most %d at a time: split the session, or give the matches with the claims.", n, MaxClaims)
	}
	return nil
}

// Run judges every claim of a session, the given ones by Given and the rest by j, and records the run as of at.
// Afterwards each claim is judged or has its cause in Unjudged. The result depends on the session and the judge alone.
func Run(s *ledger.Session, j Judge, at time.Time) []Warning {
	run := ledger.Run{ID: s.Run.ID, InputDigest: inputDigest(s), At: at}
	var warnings []Warning
	var rest []*ledger.Claim
	quotes := newQuotes(s)
	for i := range s.Claims {
		c := &s.Claims[i]
		if !c.Given {
			rest = append(rest, c)
			continue
		}
		var w []Warning
		c.Judge, c.Unjudged = "given", ""
		c.Matches, w = quotes.given(c)
		for k := range c.Matches {
			quotes.explain(c, &c.Matches[k])
		}
		warnings = append(warnings, w...)
	}
	judgeAll(rest, j, s)
	run.Judge, run.Version, run.Parameters = j.Name(), j.Version(), j.Parameters()
	switch given := len(s.Claims) - len(rest); {
	case given > 0 && len(rest) == 0:
		run.Judge, run.Version, run.Parameters = "given", GivenVersion, nil
	case given > 0:
		run.Judge = "given+" + j.Name()
	}
	s.Run = run
	return warnings
}

// judgeAll judges claims with a worker for each CPU.
func judgeAll(claims []*ledger.Claim, j Judge, s *ledger.Session) {
	if len(claims) == 0 {
		return
	}
	x := NewIndex(s)
	next := make(chan *ledger.Claim)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(claims)) {
		workers.Go(func() {
			for c := range next {
				judgeOne(c, j, x)
			}
		})
	}
	for _, c := range claims {
		next <- c
	}
	close(next)
	workers.Wait()
}

// judgeOne judges a claim; a judge that panics leaves its claim unjudged and the others alone.
func judgeOne(c *ledger.Claim, j Judge, x *Index) {
	defer func() {
		if p := recover(); p != nil {
			c.Matches, c.Unjudged = nil, cause(fmt.Errorf("panic: %v", p))
		}
	}()
	c.Judge, c.Unjudged = j.Name(), ""
	matches, err := j.Judge(c, x)
	c.Matches = matches
	if err != nil {
		c.Matches, c.Unjudged = nil, cause(err)
	}
}
