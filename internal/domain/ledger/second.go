package ledger

import (
	"slices"

	"sanad/internal/domain"
)

// SecondReview says whether a second person also reviews a session's claims, independently.
type SecondReview string

// Name returns a SecondReview as the API and the log name it: none, open, blind.
func (s SecondReview) Name() string {
	if s == OneReviewer {
		return "none"
	}
	return string(s)
}

// The three review modes of a session. Blind: neither reviewer sees the other's reviews of a claim until both have
// decided it.
const (
	OneReviewer SecondReview = ""
	SecondOpen  SecondReview = "open"
	SecondBlind SecondReview = "blind"
)

// SecondReviews lists them in display order.
var SecondReviews = []SecondReview{OneReviewer, SecondOpen, SecondBlind}

// Valid reports whether s is one of the three.
func (s SecondReview) Valid() bool { return slices.Contains(SecondReviews, s) }

// Seat is a person assigned to review a session; zero if nobody is.
type Seat struct{ ID, Name string }

// Seats are the assigned first and second reviewers.
type Seats [2]Seat

// Holds reports whether a person has one of the seats.
func (s Seats) Holds(id string) bool { return id != "" && (s[0].ID == id || s[1].ID == id) }

// person returns whose review it is: an id or, if it was imported, the name it was given under.
func (r *Review) person() string {
	if r.By != "" {
		return r.By
	}
	return "name:" + r.Actor
}

// verdictGiven reports whether a review sets a verdict.
func (r *Review) verdictGiven() bool { return r.Action == Confirm || r.Action == Override }

// undone marks the reviews that were undone, and the undoing reviews themselves; nil if none.
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

// Undone reports whether the n-th review, from 0, was undone.
func (c *Claim) Undone(n int) bool {
	gone := c.undone()
	return gone != nil && gone[n] && c.Reviews[n].Action != Undo
}

// Latest returns the index of a person's newest review of the claim that still counts, -1 if none. It is the one that
// Undo undoes. For "" it is -1.
func (c *Claim) Latest(person string) int {
	gone := c.undone()
	for i := len(c.Reviews) - 1; i >= 0; i-- {
		if c.Reviews[i].By == person && person != "" && (gone == nil || !gone[i]) {
			return i
		}
	}
	return -1
}

// OwnComment returns the index of a person's comment that still stands, by its id; -1 if none.
func (c *Claim) OwnComment(person, id string) int {
	for i := range c.Reviews {
		r := &c.Reviews[i]
		if r.ID == id && r.By == person && person != "" && r.Action == Comment && !c.Undone(i) {
			return i
		}
	}
	return -1
}

// Decision returns a person's newest review that gives the claim a verdict and still counts, nil if none. A stale one
// does not count.
func (c *Claim) Decision(person string) *Review {
	gone := c.undone()
	for i := len(c.Reviews) - 1; i >= c.Stale; i-- {
		if r := &c.Reviews[i]; r.verdictGiven() && r.person() == person && (gone == nil || !gone[i]) {
			return r
		}
	}
	return nil
}

// deciders returns the people who gave the claim a verdict in its reviews from index from on, in the order in which
// they first did, without those who settled a difference. An undone verdict counts here: it was given.
func (c *Claim) deciders(from int) []string {
	var out []string
	for i := from; i < len(c.Reviews); i++ {
		if r := &c.Reviews[i]; r.verdictGiven() && !r.Adjudicates && !slices.Contains(out, r.person()) {
			out = append(out, r.person())
		}
	}
	return out
}

// pair returns the two people whose decisions on a claim are compared, among its reviews from index from on: the seats'
// holders first, in the order of the seats, then whoever decided first. ok is false if fewer than two decided.
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

// Sealed reports whether the reviews of a claim are hidden from everybody but their authors and do not count yet: in a
// blind session, until two people have given it a verdict, including every seat's holder. Undoing a decision does not
// seal it again. A changed judgement does, as both reviewers are asked again; their reviews of the older judgement stay
// open.
func (s *Session) Sealed(c *Claim) bool {
	return s.Second == SecondBlind && !s.allDecided(c.deciders(c.Stale))
}

// open returns how many of the claim's oldest reviews everybody may see: all of them if it is not sealed, else those
// that were open when they became stale.
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

// Open returns the claim's reviews that everybody may see.
func (s *Session) Open(c *Claim) []Review { return c.Reviews[:s.open(c)] }

// allDecided reports whether at least two people decided a claim, including every seat's holder.
func (s *Session) allDecided(all []string) bool {
	for _, seat := range s.Seats {
		if seat.ID != "" && !slices.Contains(all, seat.ID) {
			return false
		}
	}
	return len(all) >= 2
}

// HideSealed removes the sealed reviews of everybody but one person ("" for nobody) from the loaded claims and from the
// revision. Everything that leaves the store for a reader must pass through it. Undo references of the remaining
// reviews are renumbered.
func (s *Session) HideSealed(person string) {
	s.Revision = s.RevisionFor(person)
	own := s.SealedBy[person]
	s.SealedBy = nil
	if own > 0 && person != "" {
		s.SealedBy = SealedBy{person: own}
	}
	for i := range s.Claims {
		if c := &s.Claims[i]; len(c.Reviews) > 0 {
			c.hide(s.open(c), person)
		}
	}
}

// Visible returns the claim's reviews that a person may see, and how many of the oldest of them are stale.
func (s *Session) Visible(c *Claim, person string) (reviews []Review, stale int) {
	own := Claim{Reviews: c.Reviews, Stale: c.Stale, Withheld: c.Withheld}
	own.hide(s.open(c), person)
	return own.Reviews, own.Stale
}

// CheckUnchanged returns a Conflict if the number of the claim's reviews that a person may see is not the number that
// they had seen. A position without a claim is not an error here.
func (s *Session) CheckUnchanged(position, seen int, person string) error {
	claim := s.Claim(position)
	if claim == nil {
		return nil
	}
	if now, _ := s.Visible(claim, person); len(now) != seen {
		return domain.Refuse(domain.Conflict, "", "refused_somebody_else_reviewed")
	}
	return nil
}

// hide keeps the given number of open, oldest reviews and those of one person. A review only undoes one of the same
// author, so whatever a kept one takes back is kept too; a thread that began with a hidden comment has no number here.
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
		r.Undoes, r.Thread = now[max(0, min(r.Undoes, i))], now[max(0, min(r.Thread, i))]
		left = append(left, r)
		now[i+1] = len(left)
	}
	c.Reviews, c.Stale, c.Withheld = left, stale, withheld
}

// differ reports whether the two who decided a claim give different verdicts and nobody has settled it: a third
// person's verdict settles it until one of the two decides again. both reports whether both have a decision that
// counts.
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

// firstWords returns the verdict that each of the two had given a claim at the moment when both had given one. Later
// verdicts, when they may have talked, do not measure agreement.
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

// compare applies the second review to an entry; c has the open reviews of its claim. First verdicts are taken from all
// of them, whichever judgement they were made of; everything else from those that are not stale.
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

// decided reports whether the newest deciding review of the claim gives it a verdict and is not stale.
func (e *Entry) decided() bool {
	return (e.State == Confirmed || e.State == Overridden) && !e.Stale
}

// Agreement is how far two agree on verdicts: two reviewers, by the first verdict of each, or the machine and people.
type Agreement struct {
	Both  int      // claims with a verdict of both
	Same  int      // of those, with the same one
	Kappa *float64 // Cohen's, from -1 to 1; nil below MinKappa claims, or if they would always agree by chance
}

// MinKappa is the smallest number of claims for which Cohen's kappa is shown.
const MinKappa = 30

// Agreement returns how far two reviewers agree on the session's claims.
func (s *Summary) Agreement() Agreement { return s.Pairs.Agreement() }

// pairUp counts an entry's first verdicts: the first reviewer's by row, the second's by column.
func (s *Summary) pairUp(e *Entry) { s.Pairs.Add(e.FirstWords[0], e.FirstWords[1], 1) }

// State is how far the review of a session has come.
type State string

// The states of a session. All but Closed follow from its reviews. Closed is set by a person, and any change resets it.
const (
	New      State = "new"       // no review that everybody sees
	InReview State = "in_review" // some such reviews, but not every claim is settled
	Reviewed State = "reviewed"  // every claim is settled
	Closed   State = "closed"
)

// States lists them in the order of a session's life.
var States = []State{New, InReview, Reviewed, Closed}

// Valid reports whether s is one of the four.
func (s State) Valid() bool { return slices.Contains(States, s) }

// State returns how far the review of a session that is not closed has come.
func (s *Summary) State() State {
	switch {
	case s.Settled == s.Total:
		return Reviewed
	case s.Begun:
		return InReview
	}
	return New
}

// IDs returns the ids of the seats' holders.
func (s Seats) IDs() [2]string { return [2]string{s[0].ID, s[1].ID} }

// VerdictBefore returns the verdict that was in force before the n-th review, from 0: the newest one that somebody had
// given and not taken back by then, else the machine's.
func (c *Claim) VerdictBefore(n int, machine Verdict) Verdict {
	before := Claim{Reviews: c.Reviews[:n]}
	gone := before.undone()
	for i := n - 1; i >= 0; i-- {
		if r := &c.Reviews[i]; r.verdictGiven() && (gone == nil || !gone[i]) {
			return r.Verdict
		}
	}
	return machine
}
