package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/ledger"
	"sanad/internal/exporters"
)

// apiReviewInput is the body of POST …/reviews (rule F-4).
type apiReviewInput struct {
	Action     ledger.Action     `json:"action"`
	Verdict    ledger.Verdict    `json:"verdict"`
	Reason     string            `json:"reason"`
	ClaimType  ledger.ClaimType  `json:"claim_type"`
	Importance ledger.Importance `json:"importance"`
}

// apiCreateReview appends a review: 201 with the review and the entry as it is now, under the new ETag.
func (s *Server) apiCreateReview(c echo.Context) (reply, error) {
	var in apiReviewInput
	if err := decode(c, &in); err != nil {
		return reply{}, err
	}
	position, err := claimPosition(c)
	if err != nil {
		return reply{}, err
	}
	var out reply
	input := ledger.ReviewInput{
		Action: in.Action, Verdict: in.Verdict, Reason: in.Reason, Type: in.ClaimType, Importance: in.Importance,
	}
	answered := func(l *ledger.Ledger, r ledger.Review) (*db.Receipt, error) {
		out = reply{
			status: http.StatusCreated, body: exporters.APIReview(l, position, r.By), headers: ledgerTag(l.Session),
		}
		return out.receipt(c)
	}
	_, err = s.review(c, position, input, receiptKey(c), sessionMatches(c), answered)
	return out, err
}
