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
