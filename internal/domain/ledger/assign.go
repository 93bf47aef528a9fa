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
		return domain.Invalidf("second_review", "Choose one of none, open, blind.")
	case seats[0].ID != "" && seats[0].ID == seats[1].ID:
		return domain.Invalidf("second_reviewer", "Choose two different people; a second review is another person's.")
	case second == OneReviewer && seats[1].ID != "":
		return domain.Invalidf("second_reviewer", "This session has one reviewer; ask for a second review first.")
	}
	before := s.sealed()
	s.Seats, s.Second = seats, second
	s.step(before, at)
	return nil
}
