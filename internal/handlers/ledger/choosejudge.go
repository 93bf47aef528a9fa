package ledger

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/model"
	ledgerviews "sanad/internal/views/ledger"
)

// chooseJudge shows the form that judges a session again: which judge, which claims, and what an endpoint is expected to
// ask and to cost, before anything is sent.
func (s *server) chooseJudge(c echo.Context) error {
	ctx, who, id := c.Request().Context(), s.Who(c), c.Param("id")
	now, err := s.Store.ShowSession(ctx, who, id)
	if err != nil {
		return err
	}
	in := ledgerviews.ChooseJudgeInput{Session: now.SessionRow, Revision: now.Revision, Judge: c.QueryParam("judge"),
		Scope: judge.Scope(c.QueryParam("scope"))}
	if in.Scope != judge.Every {
		in.Scope = judge.Rest
	}
	found, err := s.Store.ModelEndpoints(ctx, who.Tenant)
	if err != nil {
		return err
	}
	for i := range found {
		if found[i].Enabled && found[i].Kind.Judges() {
			in.Endpoints = append(in.Endpoints, found[i])
		}
	}
	for i := range in.Endpoints {
		if e := &in.Endpoints[i]; in.Judge == "" || e.ID != in.Judge && e.Name != in.Judge {
			continue
		}
		in.Judge = in.Endpoints[i].ID
		if err := s.estimate(c, &in, &in.Endpoints[i]); err != nil {
			return err
		}
	}
	return s.Render(c, http.StatusOK, ledgerviews.ChooseJudge(ledgerviews.NewChooseJudgePage(s.Chrome(c), in)))
}

// estimate adds what a run by an endpoint is expected to take, and what its budget leaves.
func (s *server) estimate(c echo.Context, in *ledgerviews.ChooseJudgeInput, e *model.Endpoint) error {
	ctx, who := c.Request().Context(), s.Who(c)
	loaded, err := s.Store.SessionFor(ctx, who, c.Param("id"))
	if err != nil {
		return err
	}
	x, err := app.EstimateModel(ctx, s.Store, s.embedded, who.Tenant, loaded, e, in.Scope, s.Now())
	if err != nil {
		return err
	}
	spent, err := s.Store.ModelSpending(ctx, who.Tenant, e.ID, s.Now())
	if err != nil {
		return err
	}
	in.Chosen, in.Today = e, spent
	in.Estimate = &ledgerviews.JudgeEstimate{Claims: x.Claims, Asked: x.Asked, TokensIn: x.TokensIn, TokensOut: x.TokensOut,
		Cost: x.Cost, Stored: x.Stored, Reasons: x.Reasons, Known: x.Known}
	if v := x.Vectors; v != nil {
		in.Estimate.Vectors = &ledgerviews.VectorEstimate{Endpoint: v.Endpoint, Tokens: v.Tokens, Cost: v.Cost, Priced: v.Priced,
			Short: v.Short}
	}
	return nil
}
