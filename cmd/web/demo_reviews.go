package main

import (
	"context"
	"slices"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// demoOverride is a verdict by the judge that a person who reads the passage would correct.
type demoOverride struct {
	claim   int // its number
	verdict ledger.Verdict
	reason  string
}

// The reviews of the demo user Yousef in the vendor review, so that the demo shows a review in progress and differences
// between the judge and a person. The other claims wait.
var (
	demoConfirms = []int{2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28, 29, 31,
		32, 33, 36, 38, 39, 41, 42}

	demoOverrides = []demoOverride{
		{13, ledger.Contradicted,
			"Within the first twelve months the notice costs a charge, so \"without any charge\" is wrong."},
		{27, ledger.Contradicted,
			"The twelve months are those of keys that Rimal manages; customers set the interval of theirs."},
		{35, ledger.NotFound, "The passage is about the term of the agreement and says nothing of energy."},
		{43, ledger.Contradicted, "These are targets and not commitments."},
	}
)

// demoReviews stores Yousef's reviews of a part of the session. A session that has reviews is left unchanged.
func demoReviews(ctx context.Context, store *db.Store, tenant db.Tenant, by access.Actor, session string) error {
	old, err := store.Session(ctx, tenant.ID, session)
	if err != nil || slices.ContainsFunc(old.Claims, func(c ledger.Claim) bool { return len(c.Reviews) > 0 }) {
		return err
	}
	at := time.Now().UTC().Truncate(time.Microsecond)
	_, err = store.UpdateSession(ctx, by, session, db.ClaimReviewed(session, demoConfirms[0], ledger.Confirm),
		func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
			add := func(claim int, in ledger.ReviewInput) error {
				in.By = by.ID
				_, err := s.AddReview(claim-1, in, newID(), by.User, string(by.Role), at)
				return err
			}
			for _, n := range demoConfirms {
				if err := add(n, ledger.ReviewInput{Action: ledger.Confirm}); err != nil {
					return nil, nil, err
				}
			}
			for _, o := range demoOverrides {
				if err := add(o.claim,
					ledger.ReviewInput{Action: ledger.Override, Verdict: o.verdict, Reason: o.reason}); err != nil {
					return nil, nil, err
				}
			}
			l := ledger.Assess(s, tenant.FreshnessMonths)
			return &l, nil, nil
		})
	return err
}
