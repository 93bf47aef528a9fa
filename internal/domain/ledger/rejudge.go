package ledger

import (
	"slices"
	"time"
)

// Change is how the machine's judgement of a claim changed, in a new run or when a document was withdrawn.
type Change struct {
	Position                     int
	From, To                     Verdict // the machine's; "" unjudged
	FromConfidence, ToConfidence float64
	Gained, Lost                 []Stance // in rank order
	Stale                        int      // reviews that became stale; sealed ones are not counted
}

// Flip reports whether the machine's verdict changed.
func (c *Change) Flip() bool { return c.From != c.To }

// Stance is a chunk and its support for a claim.
type Stance struct {
	Chunk       ChunkRef
	Support     Support
	Contradicts bool
}

// TakeRun replaces the machine's judgement of every claim, the places of its citations and the run by those of judged,
// a copy of this session that was judged again. Reviews are kept; those of a claim whose verdict or evidence changed
// are marked stale. It returns one Change for each such claim, in claim order, and also for claims of which only the
// confidence changed, whose reviews do not become stale. The session is assessed by the current rule set from then on.
// Precondition: judged has the claims of s, and documents of the same state (SameInput).
func (s *Session) TakeRun(judged *Session, at time.Time) []Change {
	var out []Change
	before, sealed := s.machineEntries(), s.sealed()
	s.RuleSet = CurrentRuleSet() // judging again also assesses again
	for i := range s.Claims {
		c, now := &s.Claims[i], &judged.Claims[i]
		was := before[i]
		lost := stances(c)
		c.Judge, c.Given, c.Matches, c.Citations = now.Judge, now.Given, now.Matches, now.Citations
		c.Unjudged, c.UnjudgedSaid = now.Unjudged, now.UnjudgedSaid
		c.Checks = now.Checks
		is := s.entry(c)
		x := Change{
			Position: c.Position, From: was.Machine, To: is.Machine, FromConfidence: was.Confidence,
			ToConfidence: is.Confidence,
			Gained:       without(stances(c), lost), Lost: without(lost, stances(c)),
		}
		if x.Flip() || len(x.Gained)+len(x.Lost) > 0 {
			x.Stale = s.markStale(c)
		} else if x.FromConfidence == x.ToConfidence {
			continue
		}
		out = append(out, x)
	}
	s.Run = judged.Run
	s.step(sealed, at)
	return out
}

// machineEntries returns the entry of each claim, in claim order.
func (s *Session) machineEntries() []Entry {
	out := make([]Entry, len(s.Claims))
	for i := range s.Claims {
		out[i] = s.entry(&s.Claims[i])
	}
	return out
}

// TakeRules switches the session to the current rule set. Its matches and reviews are kept; the reviews of a claim
// whose verdict changes are marked stale, as they were made of another verdict. It returns one Change for each claim
// whose verdict or confidence changes, in claim order; done is false if the session already has that rule set.
func (s *Session) TakeRules(at time.Time) (changes []Change, done bool) {
	if s.RuleSet == CurrentRuleSet() {
		return nil, false
	}
	before, sealed := s.machineEntries(), s.sealed()
	s.RuleSet = CurrentRuleSet()
	for i := range s.Claims {
		c, was := &s.Claims[i], &before[i]
		is := s.entry(c)
		x := Change{Position: c.Position, From: was.Machine, To: is.Machine, FromConfidence: was.Confidence,
			ToConfidence: is.Confidence}
		if x.Flip() {
			x.Stale = s.markStale(c)
		} else if x.FromConfidence == x.ToConfidence {
			continue
		}
		changes = append(changes, x)
	}
	s.step(sealed, at)
	return changes, true
}

// SameInput reports whether a copy of the session that was judged meanwhile is still valid for it: no other run was
// stored since, and no document changed its state.
func (s *Session) SameInput(copied *Session) bool {
	return s.Run.ID == copied.Run.ID && len(s.Claims) == len(copied.Claims) &&
		slices.EqualFunc(s.Documents, copied.Documents,
			func(a, b Document) bool { return a.ID == b.ID && a.Status == b.Status && a.Withdrawn == b.Withdrawn })
}

// Withdraw takes a document out of use: its text can still be read, citations of it no longer resolve, and the reviews
// of the claims whose deciding match is in it become stale. Its matches are kept until the session is judged again
// without it. It returns one Change per affected claim, with its verdict unchanged. done is false if there is no such
// document or it is not in use. Precondition: why is not empty.
func (s *Session) Withdraw(position int, why string, at time.Time) (affected []Change, done bool) {
	d := s.Document(position)
	if d == nil || !d.Citable() {
		return nil, false
	}
	sealed := s.sealed()
	d.Withdrawn = why
	for i := range s.Claims {
		c := &s.Claims[i]
		for j := range c.Citations {
			c.Citations[j].leave(d)
		}
		c.Checks.leave(d.Position)
		if e := s.entry(c); e.Affected() {
			if e.Best.Chunk.Document != position {
				continue
			}
			affected = append(affected, Change{
				Position: c.Position, From: e.Machine, To: e.Machine, FromConfidence: e.Confidence,
				ToConfidence: e.Confidence, Stale: s.markStale(c),
			})
		}
	}
	s.step(sealed, at)
	return affected, true
}

// leave removes the places in a document of the session from a citation.
func (c *Citation) leave(d *Document) {
	n := len(c.Places)
	c.Places = slices.DeleteFunc(slices.Clone(c.Places), func(p Place) bool {
		return p.SessionID == "" && p.DocumentID == d.Key || p.SessionID != "" && p.DocumentID == d.ID
	})
	if len(c.Places) < n {
		c.Status = citeStatus(c.Places)
	}
}

// markStale marks all reviews of the claim as stale and returns how many were not before. Sealed ones stay sealed and
// are not counted: the number would reveal which claims the other reviewer has decided.
func (s *Session) markStale(c *Claim) int {
	if c.Stale == len(c.Reviews) {
		return 0
	}
	open := s.open(c)
	n := max(0, open-c.Stale)
	c.Stale, c.Withheld = len(c.Reviews), len(c.Reviews)-open
	return n
}

// stances returns what the claim's matches say, once per chunk.
func stances(c *Claim) []Stance {
	if c.Unjudged != "" {
		return nil
	}
	out := make([]Stance, 0, len(c.Matches))
	for _, m := range c.Matches {
		if x := (Stance{m.Chunk, m.Support, m.Contradicts}); !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

func without(list, gone []Stance) []Stance {
	return slices.DeleteFunc(slices.Clone(list), func(x Stance) bool { return slices.Contains(gone, x) })
}
