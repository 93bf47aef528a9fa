package ledger

import (
	"sanad/internal/domain"
	"slices"
)

// SecondReview reports whether a second person reviews a session's claims too, each for themselves.
type SecondReview string

// The three ways of reviewing a session. Blind: neither sees what the other one said of a claim before both have
// decided it.
const (
	OneReviewer SecondReview = ""
	SecondOpen  SecondReview = "open"
	SecondBlind SecondReview = "blind"
)

// SecondReviews lists them in display order.
var SecondReviews = []SecondReview{OneReviewer, SecondOpen, SecondBlind}

// Valid reports whether s is one of the three.
func (s SecondReview) Valid() bool { return valid(s, SecondReviews) }

// Seat is who is to review a session; zero where nobody is.
type Seat struct{ ID, Name string }

// Seats are the first reviewer and the second one.
type Seats [2]Seat

// Holds reports whether a person has one of the seats.
func (s Seats) Holds(id string) bool { return id != "" && (s[0].ID == id || s[1].ID == id) }

// person is whose review it is: an id, or where it came with an import, the name it was given under.
func (r *Review) person() string {
	if r.By != "" {
		return r.By
	}
	return "name:" + r.Actor
}

// verdictGiven reports whether a review gives its claim a verdict.
func (r *Review) verdictGiven() bool { return r.Action == Confirm || r.Action == Override }

// undone marks the reviews that somebody took back, and the taking back itself; nil if there are none.
func (c *Claim) undone() []bool {
	var out []bool
	for i := range c.Reviews {
		if c.Reviews[i].Action != Undo {
			continue
		}
		if out == nil {
			out = make([]bool, len(c.Reviews))
		}
		out[i] = true
		if n := c.Reviews[i].Undoes; n >= 1 && n <= i {
			out[n-1] = true
		}
	}
	return out
}

// Undone reports whether the n-th review, from 0, was taken back.
func (c *Claim) Undone(n int) bool {
	gone := c.undone()
	return gone != nil && gone[n] && c.Reviews[n].Action != Undo
}

// Latest returns the position among the claim's reviews of the newest one of a person that still counts, -1 for none.
// It is the one that Undo takes back. Nobody is "" and has none.
func (c *Claim) Latest(person string) int {
	gone := c.undone()
	for i := len(c.Reviews) - 1; i >= 0; i-- {
		if c.Reviews[i].By == person && person != "" && (gone == nil || !gone[i]) {
			return i
		}
	}
	return -1
}

// Decision returns a person's newest review that gives the claim a verdict and still counts, nil for none; a stale one
// doesn't.
func (c *Claim) Decision(person string) *Review {
	gone := c.undone()
	for i := len(c.Reviews) - 1; i >= c.Stale; i-- {
		if r := &c.Reviews[i]; r.verdictGiven() && r.person() == person && (gone == nil || !gone[i]) {
			return r
		}
	}
	return nil
}

// deciders lists who gave the claim a verdict in its reviews from one on, in the order in which they first did; who
// settled a difference is none. What was taken back counts: it was said.
func (c *Claim) deciders(from int) []string {
	var out []string
	for i := from; i < len(c.Reviews); i++ {
		if r := &c.Reviews[i]; r.verdictGiven() && !r.Adjudicates && !slices.Contains(out, r.person()) {
			out = append(out, r.person())
		}
	}
	return out
}

// pair returns the two whose decisions on a claim stand beside each other, of its reviews from one on: the seats'
// holders first, in the order of the seats, then whoever decided first. false while there are not two.
func (s *Session) pair(c *Claim, from int) (two [2]string, ok bool) {
	all := c.deciders(from)
	if len(all) < 2 {
		return two, false
	}
	slices.SortStableFunc(all, func(a, b string) int { return s.Seats.rank(a) - s.Seats.rank(b) })
	return [2]string{all[0], all[1]}, true
}

// rank orders the seats' holders before all others.
func (s *Seats) rank(person string) int {
	for i := range s {
		if s[i].ID == person {
			return i
		}
	}
	return len(s)
}

// Sealed reports whether what is said of a claim is kept from everybody but its author, and counts for nothing yet: in
// a blind session until two have given it a verdict, whoever has a seat among them. Taking a decision back seals
// nothing again; a judgement that has changed does, as both are asked anew then: what both had said of the older one
// stays open.
func (s *Session) Sealed(c *Claim) bool {
	return s.Second == SecondBlind && !s.allDecided(c.deciders(c.Stale))
}

// open tells how many of the claim's reviews, the oldest, everybody may see: all of them where it is not sealed, else
// those that were open when they became stale.
func (s *Session) open(c *Claim) int {
	if !s.Sealed(c) {
		return len(c.Reviews)
	}
	n := c.Stale - c.Withheld
	until := Claim{Reviews: c.Reviews[:n]}
	if !s.allDecided(until.deciders(0)) {
		return 0
	}
	return n
}

// allDecided reports whether those who decided a claim are two at least, and whoever has a seat among them.
func (s *Session) allDecided(all []string) bool {
	for _, seat := range s.Seats {
		if seat.ID != "" && !slices.Contains(all, seat.ID) {
			return false
		}
	}
	return len(all) >= 2
}

// HideSealed takes from the loaded claims the sealed reviews of everybody but one person ("" for nobody). Whatever
// leaves the store for a reader goes through it. Reviews that are left keep naming each other.
func (s *Session) HideSealed(person string) {
	for i := range s.Claims {
		if c := &s.Claims[i]; len(c.Reviews) > 0 {
			c.hide(s.open(c), person)
		}
	}
}

// Visible returns the claim's reviews that a person may see, and how many of them, the oldest, are stale.
func (s *Session) Visible(c *Claim, person string) (reviews []Review, stale int) {
	own := Claim{Reviews: c.Reviews, Stale: c.Stale, Withheld: c.Withheld}
	own.hide(s.open(c), person)
	return own.Reviews, own.Stale
}

// CheckUnchanged refuses a review of a claim that has more reviews, or fewer, than its author had seen of those that
// they may see. A position without a claim is for others to refuse.
func (s *Session) CheckUnchanged(position, seen int, person string) error {
	claim := s.Claim(position)
	if claim == nil {
		return nil
	}
	if now, _ := s.Visible(claim, person); len(now) != seen {
		return domain.Conflictf("Somebody else reviewed this claim after you opened it.")
	}
	return nil
}

// hide leaves the reviews that are open, so many of the oldest, and those of one person. Each undoes one of its own
// author's, so that all they name are left too.
func (c *Claim) hide(open int, person string) {
	if open == len(c.Reviews) {
		return
	}
	var left []Review
	now, stale, withheld := make([]int, len(c.Reviews)+1), 0, 0
	for i, r := range c.Reviews {
		if i >= open && (r.By != person || person == "") {
			continue
		}
		if i < c.Stale {
			stale++
			if i >= c.Stale-c.Withheld {
				withheld++
			}
		}
		r.Undoes = now[max(0, min(r.Undoes, i))]
		left = append(left, r)
		now[i+1] = len(left)
	}
	c.Reviews, c.Stale, c.Withheld = left, stale, withheld
}

// differ reports whether the two who decided a claim say different things and nobody has settled that: a third person's
// word settles it until one of the two decides anew. both reports whether both of them have a decision that counts.
func (c *Claim) differ(two [2]string) (differs, both bool) {
	a, b := c.Decision(two[0]), c.Decision(two[1])
	if a == nil || b == nil {
		return false, false
	}
	gone := c.undone()
	for i := len(c.Reviews) - 1; i >= c.Stale; i-- {
		if r := &c.Reviews[i]; r.verdictGiven() && (gone == nil || !gone[i]) {
			return a.Verdict != b.Verdict && !r.Adjudicates, true
		}
	}
	return false, true
}

// firstWords returns what each of the two had said of a claim at the moment when both had said something for the first
// time: what came later, when they may have talked, is no measure of how far they agree.
func (c *Claim) firstWords(two [2]string) (said [2]Verdict) {
	for n := range c.Reviews {
		until := Claim{Reviews: c.Reviews[:n+1]}
		a, b := until.Decision(two[0]), until.Decision(two[1])
		if a != nil && b != nil {
			return [2]Verdict{a.Verdict, b.Verdict}
		}
	}
	return said
}

// compare brings the second review to bear on an entry; c has those of its claim's reviews that are open. What the two
// said first is asked of all of them, whichever judgement they were made of, all else of what is not stale.
func (e *Entry) compare(s *Session, c *Claim) {
	if s.Second == OneReviewer {
		e.Settled = e.decided()
		return
	}
	if two, ok := s.pair(c, 0); ok {
		e.FirstWords = c.firstWords(two)
	}
	if two, ok := s.pair(c, c.Stale); ok {
		var both bool
		e.Differs, both = c.differ(two)
		e.Settled = e.decided() && both && !e.Differs
	}
}

// decided reports whether the newest word on the claim gives it a verdict, of the judgement as it is.
func (e *Entry) decided() bool {
	return (e.State == Confirmed || e.State == Overridden) && !e.Stale
}

// Agreement says how far two agree who gave claims a verdict: two reviewers by what each had said first, or the machine
// and people.
type Agreement struct {
	Both  int      // claims with a verdict of both
	Same  int      // of those, with the same one
	Kappa *float64 // Cohen's, from -1 to 1; nil below MinKappa claims, or where chance alone would agree always
}

// MinKappa is of how many claims Cohen's kappa is worth telling.
const MinKappa = 30

// Agreement is how far two reviewers agree on the session's claims.
func (s *Summary) Agreement() Agreement { return s.Pairs.Agreement() }

// pairUp counts an entry's first words: the first one's verdicts are the rows, the second one's the columns.
func (s *Summary) pairUp(e *Entry) { s.Pairs.Add(e.FirstWords[0], e.FirstWords[1], 1) }

// State is how far the review of a session has come.
type State string

// The states of a session. All but Closed follow from its reviews; Closed is a person's word, and anything that changes
// takes it back.
const (
	New      State = "new"       // no review
	InReview State = "in_review" // some
	Reviewed State = "reviewed"  // every claim is settled
	Closed   State = "closed"
)

// States lists them in the order of a session's life.
var States = []State{New, InReview, Reviewed, Closed}

// Valid reports whether s is one of the four.
func (s State) Valid() bool { return valid(s, States) }

// State tells how far the review has come, for what is not closed.
func (s *Summary) State() State {
	switch {
	case s.Settled == s.Total:
		return Reviewed
	case s.Begun:
		return InReview
	}
	return New
}

// IDs returns who holds the seats.
func (s Seats) IDs() [2]string { return [2]string{s[0].ID, s[1].ID} }
