package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/ledger"
	"sanad/internal/exporters"
)

// apiReviewInput is the body of POST …/reviews (spec page 7 "Black-box contracts").
type apiReviewInput struct {
	Action     ledger.Action     `json:"action"`
	Verdict    ledger.Verdict    `json:"verdict"`
	Reason     string            `json:"reason"`
	ClaimType  ledger.ClaimType  `json:"claim_type"`
	Importance ledger.Importance `json:"importance"`
}

// apiCreateReview appends a review: 201 with the review and the entry as it is now, under the new ETag.
func (s *Server) apiCreateReview(c echo.Context) error {
	var in apiReviewInput
	data, err := decode(c, &in)
	if err != nil {
		return err
	}
	position, err := claimPosition(c)
	if err != nil {
		return err
	}
	receipt, done, err := s.replay(c, data)
	if err != nil || done {
		return err
	}
	check, err := ifMatch(c)
	if err != nil {
		return err
	}
	var answer any
	key := ""
	if receipt != nil {
		key = receipt.Key
	}
	input := ledger.ReviewInput{Action: in.Action, Verdict: in.Verdict, Reason: in.Reason, Type: in.ClaimType, Importance: in.Importance}
	l, err := s.review(c, position, input, key, check, func(l *ledger.Ledger, r ledger.Review) (*db.Receipt, error) {
		answer = exporters.APIReview(l, position, r.By)
		return keep(receipt, http.StatusCreated, answer, "ETag", etag(l.Session.ID, l.Session.Revision))
	})
	if err != nil {
		return orAgain(c, err, receipt)
	}
	c.Response().Header().Set("ETag", etag(l.Session.ID, l.Session.Revision))
	return sendJSON(c, http.StatusCreated, answer)
}
