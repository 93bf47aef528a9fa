package ledger

import "slices"

// MaxBulk is the most claims that one step confirms or undoes.
const MaxBulk = 5000

// Plan is the effect of confirming several claims in one step. Each of the claims is in exactly one of its lists.
type Plan struct {
	Confirm  []int // positions, in the order they were given
	Unjudged []int // there is no verdict to confirm
	// already reviewed, and the review is not stale; with two reviewers: reviewed by this person or by two others
	Decided []int
	Spared  []int // critical or flagged: a person looks at each alone, unless the tenant's policy says otherwise
}

// Grave returns the positions of the claims that are critical or flagged.
func (l *Ledger) Grave() map[int]bool {
	out := map[int]bool{}
	for i := range l.Entries {
		if e := &l.Entries[i]; e.Importance == Critical || len(e.Flags) > 0 {
			out[e.Claim.Position] = true
		}
	}
	return out
}

// PlanConfirm returns what a person would confirm of the claims at positions, without those to spare. It changes
// nothing.
func (s *Session) PlanConfirm(positions []int, person string, spare map[int]bool) Plan {
	var p Plan
	for _, at := range positions {
		c := s.Claim(at)
		if c == nil {
			continue
		}
		e := s.entry(c)
		switch {
		case e.Unjudged():
			p.Unjudged = append(p.Unjudged, at)
		case !s.Awaits(&e, person):
			p.Decided = append(p.Decided, at)
		case spare[at]:
			p.Spared = append(p.Spared, at)
		default:
			p.Confirm = append(p.Confirm, at)
		}
	}
	return p
}

// Awaits reports whether the claim of an entry waits for a person's decision: the n key goes to these claims, and bulk
// confirm takes them.
func (s *Session) Awaits(e *Entry, person string) bool {
	if s.Second == OneReviewer {
		return e.State == Unreviewed || e.Stale
	}
	return e.Claim.Decision(person) == nil && !e.Settled && e.State != Wanting && !s.bothDecided(e.Claim)
}

// bothDecided reports whether two people have a decision on a claim that still counts.
func (s *Session) bothDecided(c *Claim) bool {
	two, ok := s.pair(c, c.Stale)
	if !ok || s.Sealed(c) {
		return false
	}
	_, both := c.differ(two)
	return both
}

// Skipped counts the claims of a step that stay as they are when it is taken back.
type Skipped struct {
	Again     int // the person has reviewed them again since
	Withdrawn int // the review of the step is withdrawn already
}

// leftOf returns the positions of the claims where a person's review of a batch is still their newest, and counts the
// others.
func (s *Session) leftOf(batch, person string) (claims []int, skipped Skipped) {
	for i := range s.Claims {
		c := &s.Claims[i]
		n := slices.IndexFunc(c.Reviews, func(r Review) bool { return batch != "" && r.Batch == batch && r.By == person })
		if n < 0 {
			continue
		}
		switch newest := c.Latest(person); {
		case newest >= 0 && c.Reviews[newest].Batch == batch:
			claims = append(claims, c.Position)
		case c.Undone(n):
			skipped.Withdrawn++
		default:
			skipped.Again++
		}
	}
	return claims, skipped
}

// oneStep makes the reviews of a bulk step one change. In a blind session each counts, as each may be hidden.
func (s *Session) oneStep(before int) {
	if s.Second != SecondBlind {
		s.Revision = before + 1
	}
}
