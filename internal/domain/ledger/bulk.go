package ledger

import (
	"slices"
	"time"

	"sanad/internal/domain"
)

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

// ConfirmAll confirms the claims of a plan, each with its current verdict: one review per claim with an id from next,
// all with the same batch id, by which they can be undone together. An empty plan is Invalid, more than MaxBulk claims
// TooLarge.
func (s *Session) ConfirmAll(p Plan, by Seat, role, batch string, next func() string, at time.Time) error {
	if len(p.Confirm) == 0 {
		return domain.Refuse(domain.Invalid, "filter", "refused_nothing_confirm_among")
	}
	if len(p.Confirm) > MaxBulk {
		return domain.Refuse(domain.TooLarge, "filter", "refused_filter_claims", "N", MaxBulk)
	}
	revision := s.Revision
	for _, position := range p.Confirm {
		in := ReviewInput{Action: Confirm, By: by.ID, Batch: batch}
		if _, err := s.AddReview(position, in, next(), by.Name, role, at); err != nil {
			return err
		}
	}
	s.oneStep(revision)
	return nil
}

// UndoAll undoes the reviews of a batch that are a person's own and still their newest of the claim. It returns the
// positions of the claims; Invalid if none.
func (s *Session) UndoAll(batch string, by Seat, role string, next func() string, at time.Time) ([]int, error) {
	var done []int
	revision := s.Revision
	for i := range s.Claims {
		c := &s.Claims[i]
		n := c.Latest(by.ID)
		if n < 0 || batch == "" || c.Reviews[n].Batch != batch {
			continue
		}
		if _, err := s.AddReview(c.Position, ReviewInput{Action: Undo, By: by.ID}, next(), by.Name, role,
			at); err != nil {
			return nil, err
		}
		done = append(done, c.Position)
	}
	if len(done) == 0 {
		return nil, domain.Refuse(domain.Invalid, "batch_id", "refused_nothing_left_take")
	}
	s.oneStep(revision)
	return done, nil
}

// Skipped counts the claims of a batch that UndoAll leaves as they are.
type Skipped struct {
	Again     int // the person has reviewed them again since
	Withdrawn int // the review of the batch is withdrawn already
}

// UndoSkips returns what UndoAll would leave as it is. Call it before.
func (s *Session) UndoSkips(batch, by string) (out Skipped) {
	for i := range s.Claims {
		c := &s.Claims[i]
		n := slices.IndexFunc(c.Reviews, func(r Review) bool { return batch != "" && r.Batch == batch && r.By == by })
		switch {
		case n < 0 || c.Latest(by) >= 0 && c.Reviews[c.Latest(by)].Batch == batch:
		case c.Undone(n):
			out.Withdrawn++
		default:
			out.Again++
		}
	}
	return out
}

// oneStep makes the reviews of a bulk step one change. In a blind session each counts, as each may be hidden.
func (s *Session) oneStep(before int) {
	if s.Second != SecondBlind {
		s.Revision = before + 1
	}
}
