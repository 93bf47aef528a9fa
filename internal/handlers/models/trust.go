package models

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
	"sanad/internal/handlers/web"
	modelsviews "sanad/internal/views/models"
)

// trustOf reads what people made of an endpoint's words, nil for one that judges nothing.
func (s *server) trustOf(ctx context.Context, tenant string, e *model.Endpoint) (*modelsviews.TrustInput, error) {
	if !e.Kind.Judges() {
		return nil, nil //nolint:nilnil // there is nothing that could be measured
	}
	reviews, err := s.Store.ModelReviews(ctx, tenant)
	if err != nil {
		return nil, err
	}
	of := reviews.Of(e)
	in := &modelsviews.TrustInput{Set: e.Trust, Words: of.Words, Measured: reviews.Measured(e), Blind: of.Blind,
		Objected: of.Objected, Sessions: reviews.Sessions, More: reviews.More}
	in.Origin[0], in.Origin[1], err = s.Store.ModelTrustOrigin(ctx, tenant, e)
	return in, err
}

// takeTrust takes over what reviews measured, by the button of the endpoint's page.
func (s *server) takeTrust(c echo.Context) error {
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	e, err := s.Store.ModelEndpoint(ctx, tenant, c.Param("id"))
	if err != nil {
		return err
	}
	reviews, err := s.Store.ModelReviews(ctx, tenant)
	if err != nil {
		return err
	}
	measured := reviews.Measured(&e)
	if _, err := measured.Over(e.Trust); err != nil {
		return s.modelPage(c, http.StatusConflict, modelsviews.PageInput{ActionWord: "model_unmeasured"}, nil)
	}
	return s.act(c, "trust", func(seen int) error {
		_, err := s.Store.TakeModelTrust(ctx, s.Who(c), e.ID, seen, measured)
		return err
	})
}

// apiModelWord is what people made of one word of a model.
type apiModelWord struct {
	Reviews int      `json:"reviews"`
	Agreed  int      `json:"agreed"`
	Lower   *float64 `json:"lower_bound"` // null of too few
	Missing int      `json:"reviews_missing"`
}

func newAPIModelWord(m model.MeasuredShare) apiModelWord {
	out := apiModelWord{Reviews: m.Reviews, Agreed: m.Right, Missing: m.Missing}
	if m.Missing == 0 {
		out.Lower = &m.Share
	}
	return out
}

// apiModelSettled is how many claims people settled with a verdict of which the model said a word.
type apiModelSettled struct {
	Said    ledger.Verdict `json:"said"`
	Settled ledger.Verdict `json:"settled"`
	Claims  int            `json:"claims"`
}

// apiModelMeasured is what people made of a model's words.
type apiModelMeasured struct {
	Supported    apiModelWord      `json:"supported"`
	Contradicted apiModelWord      `json:"contradicted"`
	Words        []apiModelSettled `json:"words"`
	Blind        int               `json:"blind"`
	Objected     int               `json:"left_out"`
	Sessions     int               `json:"sessions"`
	More         bool              `json:"more"`
}

// newAPIModelMeasured returns nil for an endpoint that judges nothing.
func newAPIModelMeasured(reviews *db.ModelReviews, e *model.Endpoint) *apiModelMeasured {
	if !e.Kind.Judges() {
		return nil
	}
	of, measured := reviews.Of(e), reviews.Measured(e)
	out := &apiModelMeasured{Supported: newAPIModelWord(measured.Supported), Contradicted: newAPIModelWord(measured.Contradicted),
		Words: []apiModelSettled{}, Blind: of.Blind, Objected: of.Objected, Sessions: reviews.Sessions, More: reviews.More}
	for _, said := range ledger.Verdicts {
		for _, settled := range ledger.Verdicts {
			if n := of.Words.At(said, settled); n > 0 {
				out.Words = append(out.Words, apiModelSettled{said, settled, n})
			}
		}
	}
	return out
}

// apiTakeTrust takes over what reviews measured.
func (s *server) apiTakeTrust(c echo.Context) (web.Reply, error) {
	ctx, by := c.Request().Context(), s.Who(c)
	e, err := s.Store.ModelEndpoint(ctx, by.Tenant, c.Param("id"))
	if err != nil {
		return web.Reply{}, err
	}
	if err := web.CheckMatch(c, e.ID, e.Revision); err != nil {
		return web.Reply{}, err
	}
	reviews, err := s.Store.ModelReviews(ctx, by.Tenant)
	if err != nil {
		return web.Reply{}, err
	}
	e, err = s.Store.TakeModelTrust(ctx, by, e.ID, e.Revision, reviews.Measured(&e))
	if err != nil {
		return web.Reply{}, err
	}
	out := newAPIModelEndpoint(e)
	out.Measured = newAPIModelMeasured(reviews, &e)
	return web.Reply{Status: http.StatusOK, Body: out, Headers: map[string]string{"ETag": web.Etag(e.ID, e.Revision)}}, nil
}
