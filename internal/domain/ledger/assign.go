package ledger

import (
	"slices"
	"time"

	"sanad/internal/domain"
)

// SetReviewers sets who is to review the session and whether two people do. One person has at most one seat; the second
// seat needs a second review. A blind one would hide what was set aside, so it is refused where anything was. It increments the revision even if nothing changed.
func (s *Session) SetReviewers(seats Seats, second SecondReview, at time.Time) error {
	switch {
	case !second.Valid():
		return domain.Refuse(domain.Invalid, "second_review", "refused_choose_open_blind")
	case seats[0].ID != "" && seats[0].ID == seats[1].ID:
		return domain.Refuse(domain.Invalid, "second_reviewer", "refused_choose_two_different")
	case second == OneReviewer && seats[1].ID != "":
		return domain.Refuse(domain.Invalid, "second_reviewer", "refused_session_reviewer_ask")
	case second == SecondBlind && s.Second != SecondBlind && s.anyAside():
		return domain.Refuse(domain.Invalid, "second_review", "refused_blind_aside")
	}
	before := s.sealed()
	s.Seats, s.Second = seats, second
	s.step(before, at)
	return nil
}

// anyAside reports whether a claim of the session no longer counts.
func (s *Session) anyAside() bool {
	return slices.ContainsFunc(s.Claims, func(c Claim) bool { return c.AsideBy() != nil })
}

// Sharing is how sessions are shared out among people.
type Sharing string

// The ways to share sessions out.
const (
	ByTurns  Sharing = "turns"  // one each, again and again
	ByLoad   Sharing = "load"   // to who has the fewest sessions under review
	ByShares Sharing = "shares" // in proportion to Taker.Share
	ToNobody Sharing = "nobody" // takes them back: there are no takers
)

// Sharings lists those with takers, in display order.
var Sharings = []Sharing{ByTurns, ByLoad, ByShares}

// The bounds of what is shared out at once.
const (
	MaxShared = 10_000 // sessions
	MaxTakers = 200    // people
	MaxShare  = 1_000  // of one person
)

// Taker is somebody to whom sessions are given.
type Taker struct {
	Seat

	Share    int  // ByShares: from 1 to MaxShare
	ReadsLog bool // and has therefore no seat in a blind session
	Open     int  // ByLoad: the sessions under review that are theirs already, without those that are shared out
}

// Shared is a session that is shared out.
type Shared struct {
	Seats  Seats
	Second SecondReview
}

// mayTake reports whether a person may have the session's first seat.
func (s *Shared) mayTake(t *Taker) bool {
	return s.Seats[1].ID != t.ID && (s.Second != SecondBlind || !t.ReadsLog)
}

// ShareOut returns who gets each session, as an index of takers; -1 where none of them may take it. Sessions that not
// everybody may take are given first, so that they do not come on top of a person's part. It depends on its arguments
// alone.
func ShareOut(how Sharing, sessions []Shared, takers []Taker) []int {
	out := make([]int, len(sessions))
	var narrow, wide []int
	for i := range sessions {
		may := 0
		for k := range takers {
			if sessions[i].mayTake(&takers[k]) {
				may++
			}
		}
		switch out[i] = -1; {
		case may == 0:
		case may < len(takers):
			narrow = append(narrow, i)
		default:
			wide = append(wide, i)
		}
	}
	given, parts := make([]int, len(takers)), partsOf(how, len(narrow)+len(wide), takers)
	for _, i := range append(narrow, wide...) {
		for k := range takers {
			if sessions[i].mayTake(&takers[k]) && (out[i] < 0 || isBehind(how, parts, given, takers, k, out[i])) {
				out[i] = k
			}
		}
		given[out[i]]++
	}
	return out
}

// isBehind reports whether the next session is due to taker a before b; both have got as many as given says.
func isBehind(how Sharing, parts, given []int, takers []Taker, a, b int) bool {
	switch how {
	case ByLoad:
		return takers[a].Open+given[a] < takers[b].Open+given[b]
	case ByShares:
		if fullA, fullB := given[a] >= parts[a], given[b] >= parts[b]; fullA || fullB {
			return fullB && (!fullA || (given[a]+1)*takers[b].Share < (given[b]+1)*takers[a].Share)
		}
		return (2*given[a]+1)*parts[b] < (2*given[b]+1)*parts[a] // spread evenly over the whole
	}
	return given[a] < given[b]
}

// partsOf returns how many of n sessions each taker gets by shares: rounded down, and what is left goes to those with
// the largest remainders, of equal ones to the first. nil for other ways.
func partsOf(how Sharing, n int, takers []Taker) []int {
	if how != ByShares {
		return nil
	}
	all := 0
	for i := range takers {
		all += takers[i].Share
	}
	parts, order, left := make([]int, len(takers)), make([]int, len(takers)), n
	for i := range takers {
		parts[i], order[i] = n*takers[i].Share/all, i
		left -= parts[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return n*takers[b].Share%all - n*takers[a].Share%all })
	for _, i := range order[:left] {
		parts[i]++
	}
	return parts
}

// Load is how many sessions under review are a person's.
type Load struct {
	Seat

	First int // those that they are to review first
	All   int
}

// Shares is what becomes, or has become, of sessions that are shared out.
type Shares struct {
	Each     []int // how many each taker gets, of those that go to somebody else
	Moved    int   // all that go to somebody else, or become nobody's
	Kept     int   // those that stay with who has them
	Unfit    int   // none of the takers may review it
	Barred   int   // who shares them out may not assign it
	Beyond   int   // more than MaxShared
	Rest     int   // more than were asked for
	Others   int   // under review, but somebody else's than those that are shared out
	Finished int   // reviewed or closed
}

// Selected is how many sessions there are to share out.
func (s *Shares) Selected() int { return s.Moved + s.Kept + s.Unfit + s.Barred + s.Beyond }
