package models_test

import (
	"context"
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/db/models"
	"sanad/internal/domain/judge/pointer"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
)

// modelJudged stores a run by an endpoint that says the same of every claim, and the call of it.
func modelJudged(t testing.TB, h *dbtest.Fixture, id, run string, e *model.Endpoint, matches []ledger.Match) {
	t.Helper()
	storeRun(t, h, id, ledger.Run{ID: run, Judge: "lexical+openai", Version: "m/2",
		Parameters: map[string]string{"model": e.Model, "template": pointer.TemplateVersion, "endpoint_id": e.ID}},
		matches, 7)
	require.NoError(t, h.SaveModelCalls(context.Background(), h.Tenant.ID, id, 0, []model.Answered{{Call: model.Call{
		EndpointID: e.ID, JobID: run, At: dbtest.Now, Kind: model.OpenAI, Model: e.Model,
		Template: pointer.TemplateVersion,
	}}}))
}

// TestModelReviews counts what people made of a model's words: each claim once, as the newest run by the endpoint left
// it, not those of the embedded judge, of another model, of another tenant, or that nobody has settled.
func TestModelReviews(t *testing.T) {
	h, ctx := dbtest.New(t), context.Background()
	e, err := h.AddModelEndpoint(ctx, h.Actor, dbtest.AnEndpoint("Small"), "")
	require.NoError(t, err)
	another, err := h.AddModelEndpoint(ctx, h.Actor, dbtest.AnEndpoint("Another"), "")
	require.NoError(t, err)
	reviews := func(tenant string) *db.ModelReviews {
		m, err := h.ModelReviews(ctx, tenant)
		require.NoError(t, err)
		return m
	}
	require.Empty(t, reviews(h.Tenant.ID).Of(&e))

	s := dbtest.SizedSession(8)
	h.AddSession(t, s)
	says := func(word string) []ledger.Match {
		m := s.Claims[0].Matches[0]
		m.Note, m.Support, m.Similarity, m.Contradicts = "Model says: "+word+".", ledger.Partial, 0.7, false
		return []ledger.Match{m}
	}
	modelJudged(t, h, s.ID, "run-2", &e, says("supported"))
	require.Empty(t, reviews(h.Tenant.ID).Of(&e), "nobody has reviewed anything")
	override := func(claim int, v ledger.Verdict) {
		h.Says(t, s.ID, claim, ledger.ReviewInput{Action: ledger.Override, Verdict: v, Reason: "x"})
	}
	for i := range 4 {
		override(i, ledger.Supported)
	}
	override(4, ledger.Contradicted)
	h.Says(t, s.ID, 5, ledger.ReviewInput{Action: ledger.Confirm}) // weak, as the word is capped
	h.Says(t, s.ID, 6, ledger.ReviewInput{Action: ledger.Comment, Reason: "look"})
	override(7, ledger.Supported)
	r := reviews(h.Tenant.ID)
	got := r.Of(&e)
	require.Equal(t, pointer.Reviews{Supported: 6, SupportedRight: 4}, got.Reviews())
	require.Equal(t, []int{4, 1, 1, 6, 1}, []int{got.Words.At(ledger.Supported, ledger.Supported),
		got.Words.At(ledger.Supported, ledger.Weak), got.Words.At(ledger.Supported, ledger.Contradicted),
		got.Words.Row(ledger.Supported), r.Sessions})
	require.Empty(t, r.Of(&another))
	changed := e
	changed.Model = "small-2"
	require.Empty(t, r.Of(&changed), "another model was not measured")
	other, _ := h.NewTenant(t, "other")
	require.Empty(t, reviews(other.ID).Of(&e))

	// a second opinion by another endpoint: reviews stand for both, and no claim counts twice
	modelJudged(t, h, s.ID, "run-3", &another, says("supported"))
	modelJudged(t, h, s.ID, "run-4", &e, says("supported"))
	r = reviews(h.Tenant.ID)
	for _, x := range []*model.Endpoint{&e, &another} {
		of := r.Of(x)
		require.Equal(t, pointer.Reviews{Supported: 6, SupportedRight: 4}, of.Reviews(), x.Name)
	}
	require.False(t, r.More)
}

// TestModelReviewsAreBounded reads no more than the newest sessions that a model was asked about.
func TestModelReviewsAreBounded(t *testing.T) {
	h, ctx := dbtest.New(t), context.Background()
	e, err := h.AddModelEndpoint(ctx, h.Actor, dbtest.AnEndpoint("Small"), "")
	require.NoError(t, err)
	readReviewed(t, 2, 12)
	for i := range 3 {
		s := dbtest.SizedSession(8)
		s.Title = fmt.Sprint("Leave ", i)
		h.AddSession(t, dbtest.Identify(s))
		modelJudged(t, h, s.ID, fmt.Sprint("run-", i), &e, nil)
		h.Says(t, s.ID, 0, ledger.ReviewInput{Action: ledger.Confirm})
	}
	m, err := h.ModelReviews(ctx, h.Tenant.ID)
	require.NoError(t, err)
	of := m.Of(&e)
	require.Equal(t, []any{1, true, 1}, []any{m.Sessions, m.More, of.Words.Row(ledger.NotFound)},
		"16 claims are too many")
	readReviewed(t, 2, 100)
	m, err = h.ModelReviews(ctx, h.Tenant.ID)
	require.NoError(t, err)
	of = m.Of(&e)
	require.Equal(t, []any{2, true, 2}, []any{m.Sessions, m.More, of.Words.Row(ledger.NotFound)})
}

// readReviewed sets how many sessions and claims are read to measure models until the test ends.
func readReviewed(t testing.TB, sessions, claims int) {
	a, b := models.MaxReviewedSessions, models.MaxReviewedClaims
	models.MaxReviewedSessions, models.MaxReviewedClaims = sessions, claims
	t.Cleanup(func() { models.MaxReviewedSessions, models.MaxReviewedClaims = a, b })
}

func TestModelReviewsUseIndexes(t *testing.T) {
	h := dbtest.New(t)
	h.AddSession(t, dbtest.SizedSession(200))
	calls := dbtest.Calls{"reviews of models": func() error {
		_, err := h.ModelReviews(context.Background(), h.Tenant.ID)
		return err
	}}
	require.LessOrEqual(t, h.Queries(t, calls)["reviews of models"], int64(15))
	h.RequireIndexes(t, calls, regexp.MustCompile("FROM page CROSS JOIN"))
}
