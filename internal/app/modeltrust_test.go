package app

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/job"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
	"sanad/internal/llm/llmtest"
)

// TestTrustOfReviews takes a model from its first run, whose word is capped, over reviews to a run in which it counts.
// The parameters of each run say what it trusted, and why.
func TestTrustOfReviews(t *testing.T) {
	const claims = 24
	a := newAsking(t, foreign(claims), func(e *model.Endpoint) { e.Trust = model.Trust{Contradicted: 0.9} })
	a.server.Say = func(q llmtest.Question) string { return q.First("supported") }
	require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Rest)).State)
	s := a.loaded(t)
	trusted := func() []string {
		p := a.loaded(t).Run.Parameters
		return []string{p["trust_supported"], p["trust_supported_source"], p["trust_supported_reviews"],
			p["trust_contradicted"], p["trust_contradicted_source"]}
	}
	require.Equal(t, []string{"0", "none", "", "0.9", "typed"}, trusted())
	require.Equal(t, ledger.Weak, ledger.DecideVerdict(s.Claims[0].Matches).Verdict)

	take := func() (model.Endpoint, error) {
		reviews, err := a.store.ModelReviews(a.ctx, a.actor.Tenant)
		require.NoError(t, err)
		return a.store.TakeModelTrust(a.ctx, a.actor, a.endpoint.ID, -1, reviews.Measured(&a.endpoint))
	}
	for i := range claims {
		if i == 9 {
			_, err := take()
			require.Equal(t, domain.Conflict, domain.KindOf(err), "nine reviews say nothing")
		}
		in := ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Supported, Reason: "it says so"}
		_, err := a.store.Review(a.ctx, a.actor, a.session, db.ReviewRequest{Decision: ledger.Decision{
			ReviewInput: in, Claim: i, At: testTime, NewID: uuid.NewString,
		}})
		require.NoError(t, err)
	}
	e, err := take()
	require.NoError(t, err)
	require.Equal(t, model.Trust{Supported: 0.862, Contradicted: 0.9}, e.Trust, "24 of 24; the other word stays as typed")

	require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Every)).State)
	require.Equal(t, []string{"0.862", "measured", "24", "0.9", "typed"}, trusted())
	require.Equal(t, ledger.Supported, ledger.DecideVerdict(a.loaded(t).Claims[0].Matches).Verdict)

	// typed over, it is typed again
	_, err = a.store.ChangeModelEndpoint(a.ctx, a.actor, e.ID, -1, nil, func(e *model.Endpoint) error {
		e.Trust.Supported = 0.87
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Every)).State)
	require.Equal(t, []string{"0.87", "typed", "", "0.9", "typed"}, trusted())

	// another model is not trusted for what was measured of this one
	e, err = a.store.ChangeModelEndpoint(a.ctx, a.actor, e.ID, -1, nil, func(e *model.Endpoint) error {
		e.Model = "small-2"
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, model.Trust{}, e.Trust)
	e, err = a.store.ChangeModelEndpoint(a.ctx, a.actor, e.ID, -1, nil, func(e *model.Endpoint) error {
		e.Model, e.Trust.Supported = "small-3", 0.9
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, model.Trust{Supported: 0.9}, e.Trust, "unless the same change sets it")
}
