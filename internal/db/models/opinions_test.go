package models_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/agreement"
	"sanad/internal/domain/ledger"
)

// storeRun stores a run in which a model says the same of every claim but of those that the embedded judge was sure of.
func storeRun(t testing.TB, h *dbtest.Fixture, id string, run ledger.Run, matches []ledger.Match, embedded ...int) {
	t.Helper()
	run.InputDigest, run.At = run.ID, dbtest.Now
	_, err := h.JudgeSession(context.Background(), h.Actor, db.JudgeRequest{SessionID: id},
		func(_ int, s *ledger.Session) (*db.Judged, error) {
			judged := *s
			judged.Claims = slices.Clone(s.Claims)
			judged.Run = run
			for i := range judged.Claims {
				c := &judged.Claims[i]
				c.Judge, c.Given, c.Unjudged, c.Matches = "openai", false, "", matches
				if slices.Contains(embedded, i) {
					c.Judge = "lexical"
				}
			}
			out := &db.Judged{Changes: s.TakeRun(&judged, dbtest.Now)}
			out.Ledger = dbtest.Assess(s)
			return out, nil
		})
	require.NoError(t, err)
}

func opinion(t testing.TB, h *dbtest.Fixture, id string, q agreement.Question) *agreement.SecondOpinion {
	t.Helper()
	o, err := h.SecondOpinion(context.Background(), h.Tenant.ID, id, q)
	require.NoError(t, err)
	return o
}

// TestSecondOpinion sets runs of three judges side by side: given verdicts, and two models that find nothing.
func TestSecondOpinion(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(8)
	h.AddSession(t, s)
	all := agreement.Question{After: -1, Limit: 50}

	one := opinion(t, h, s.ID, all)
	require.Equal(t, []int{1, 1, 8, 0}, []int{one.Runs, one.Read, one.Claims, one.Differing})
	require.Equal(t, []agreement.RaterCount{{Rater: agreement.Rater{Judge: "given"}, Claims: 8}}, one.Raters)
	require.Empty(t, one.Pairs)

	for _, model := range []string{"first", "second"} {
		storeRun(t, h, s.ID, ledger.Run{ID: "run of " + model, Judge: "openai", Version: "p1",
			Parameters: map[string]string{"model": model}}, nil)
	}
	h.Says(t, s.ID, 1, ledger.ReviewInput{Action: ledger.Confirm})
	h.Says(t, s.ID, 2, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Weak, Reason: "x"})
	o := opinion(t, h, s.ID, all)
	require.Equal(t, s.Title, o.Title)
	require.Equal(t, []int{3, 3, 8, -1}, []int{o.Runs, o.Read, o.Claims, o.Next})
	first, second := agreement.Rater{Judge: "openai", Version: "p1", Model: "first"},
		agreement.Rater{Judge: "openai", Version: "p1", Model: "second"}
	require.Equal(t, []agreement.RaterCount{{Rater: agreement.Rater{Judge: "given"}, Claims: 8},
		{Rater: first, Claims: 8},
		{Rater: second, Claims: 8}, {Rater: agreement.People, Claims: 2}}, o.Raters)
	require.Len(t, o.Pairs, 6)
	same := map[string][]int{}
	for _, p := range o.Pairs {
		a := p.Table.Agreement()
		same[p.A.Judge+p.A.Model+"-"+p.B.Judge+p.B.Model] = []int{a.Both, a.Same}
	}
	require.Equal(t, []int{8, 8}, same["openaifirst-openaisecond"])
	require.Equal(t, []int{2, 1}, same["openaisecond-"], "people confirmed one and overrode one")
	require.Equal(t, []int{8, 2}, same["given-openaifirst"], "two of eight were given as not found")
	require.Equal(t, 6, o.Differing, "all but the two that were given as not found")
	require.Equal(t, s.Claims[2].Text, o.Rows[2].Text)
	require.Equal(t, ledger.Weak, o.Rows[2].Verdicts[3])

	differ := opinion(t, h, s.ID, agreement.Question{Differ: true, After: -1, Limit: 3})
	require.Len(t, differ.Rows, 3)
	next := opinion(t, h, s.ID, agreement.Question{Differ: true, After: differ.Next, Limit: 50})
	require.Len(t, next.Rows, o.Differing-3)

	other, _ := h.NewTenant(t, "other")
	_, err := h.SecondOpinion(context.Background(), other.ID, s.ID, all)
	require.ErrorContains(t, err, "nothing at this address")
}

// TestModelFigures counts by model over a tenant, bounded to the period.
func TestModelFigures(t *testing.T) {
	h := dbtest.New(t)
	for i, model := range []string{"openai/gpt-x", "openai/gpt-x", "", "qwen3"} {
		s := dbtest.SizedSession(4)
		s.Title, s.Query, s.Model, s.ModelVersion = fmt.Sprint("Leave ", i), "How long is leave?", model, "2026-01"
		if i == 3 {
			s.Query, s.Title, s.CreatedAt = "كم مدة الإجازة السنوية؟", "الإجازة", dbtest.Now.AddDate(0, 0, -40)
		}
		h.AddSession(t, dbtest.Identify(s))
		if i == 0 {
			h.Says(t, s.ID, 0, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.NotFound, Reason: "x"})
			h.Says(t, s.ID, 1, ledger.ReviewInput{Action: ledger.Confirm})
		}
	}
	figures := func(tenant string, days int) *agreement.ModelReport {
		r, err := h.ModelFigures(context.Background(), tenant, dbtest.Now, days)
		require.NoError(t, err)
		return r
	}
	r := figures(h.Tenant.ID, 30)
	require.Equal(t, []any{3, false, 2}, []any{r.Sessions, r.More, len(r.Models)})
	gpt := r.Models[0]
	require.Equal(t, agreement.Model{Provider: "openai", Name: "gpt-x", Version: "2026-01"}, gpt.Model)
	require.Equal(t, []int{2, 8, 2, 1}, []int{gpt.Sessions, gpt.All.Claims, gpt.All.Settled, gpt.All.Overridden})
	require.Equal(t, agreement.Share{Part: 1, Of: 2}, gpt.All.Overrides())
	require.Empty(t, r.Models[1].Name)
	require.Equal(t, "en", gpt.ByLang[0].Name)
	year := figures(h.Tenant.ID, 365)
	require.Equal(t, []int{4, 3}, []int{year.Sessions, len(year.Models)})
	require.Equal(t, "ar", year.Models[2].ByLang[0].Name)
	other, _ := h.NewTenant(t, "other")
	require.Empty(t, figures(other.ID, 365).Models)
}
