package ledger

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters"
	"sanad/internal/handlers/web"
)

// apiReviewInput is the body of POST …/reviews (rule F-4).
type apiReviewInput struct {
	Action     ledger.Action     `json:"action"`
	Verdict    ledger.Verdict    `json:"verdict"`
	Reason     string            `json:"reason"`
	ClaimType  ledger.ClaimType  `json:"claim_type"`
	Importance ledger.Importance `json:"importance"`
	ReviewID   string            `json:"review_id"` // undo: the comment to withdraw
}

// apiCreateReview appends a review: 201 with the review and the entry as it is now, under the new ETag.
func (s *server) apiCreateReview(c echo.Context, in apiReviewInput) (web.Reply, error) {
	position, err := claimPosition(c)
	if err != nil {
		return web.Reply{}, err
	}
	input := ledger.ReviewInput{
		Action: in.Action, Verdict: in.Verdict, Reason: in.Reason, Type: in.ClaimType, Importance: in.Importance,
		Undoes: in.ReviewID,
	}
	d := ledger.Decision{ReviewInput: input, Claim: position}
	return s.apiReview(c, d, func(o *ledger.Outcome) web.Reply {
		return web.Reply{
			Status: http.StatusCreated, Body: exporters.APIReview(o.Ledger, position, s.Who(c).ID),
			Headers: web.LedgerTag(c, o.Session),
		}
	})
}
