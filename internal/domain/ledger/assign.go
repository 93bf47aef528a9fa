package ledger

import (
	"time"

	"sanad/internal/domain"
)

// SetReviewers sets who is to review the session and whether two people do. One person has at most one seat; the second
// seat needs a second review. It increments the revision even if nothing changed.
func (s *Session) SetReviewers(seats Seats, second SecondReview, at time.Time) error {
	switch {
	case !second.Valid():
		return domain.Refuse(domain.Invalid, "second_review", "refused_choose_open_blind")
	case seats[0].ID != "" && seats[0].ID == seats[1].ID:
		return domain.Refuse(domain.Invalid, "second_reviewer", "refused_choose_two_different")
	case second == OneReviewer && seats[1].ID != "":
		return domain.Refuse(domain.Invalid, "second_reviewer", "refused_session_reviewer_ask")
	}
	before := s.sealed()
	s.Seats, s.Second = seats, second
	s.step(before, at)
	return nil
}
