package models

import (
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/model"
	"sanad/internal/handlers/web"
	"sanad/internal/words"
)

// apiModelEndpoint is an endpoint, without its key.
type apiModelEndpoint struct {
	ID                string    `json:"model_id"`
	Name              string    `json:"name"`
	Kind              string    `json:"kind"`
	URL               string    `json:"url"`
	Model             string    `json:"model"`
	HasKey            bool      `json:"has_key"`
	TrustSupported    float64   `json:"trust_supported"`
	TrustContradicted float64   `json:"trust_contradicted"`
	PriceIn           float64   `json:"price_in"`
	PriceOut          float64   `json:"price_out"`
	RunTokens         int64     `json:"run_tokens"`
	RunCost           float64   `json:"run_cost"`
	DayTokens         int64     `json:"day_tokens"`
	DayCost           float64   `json:"day_cost"`
	Parallel          int       `json:"parallel"`
	Timeout           float64   `json:"timeout_seconds"`
	Redact            bool      `json:"redact"`
	Enabled           bool      `json:"enabled"`
	CreatedAt         string    `json:"created_at"`
	ChangedAt         string    `json:"changed_at"`
	Today             *apiSpent `json:"spent_today,omitempty"`

	Measured *apiModelMeasured `json:"measured,omitempty"`
}

// apiSpent is what was spent on an endpoint.
type apiSpent struct {
	Calls     int     `json:"calls"`
	Failed    int     `json:"failed"`
	TokensIn  int64   `json:"tokens_in"`
	TokensOut int64   `json:"tokens_out"`
	Cost      float64 `json:"cost"`
}

// units are those of the currency that millionths are of.
func units(millionths int64) float64 { return float64(millionths) / 1e6 }

func newAPIModelEndpoint(e model.Endpoint) apiModelEndpoint {
	return apiModelEndpoint{ID: e.ID, Name: e.Name, Kind: string(e.Kind), URL: model.Shown(e.URL), Model: e.Model, HasKey: e.HasKey,
		TrustSupported: e.Trust.Supported, TrustContradicted: e.Trust.Contradicted, PriceIn: units(e.Price.In),
		PriceOut: units(e.Price.Out), RunTokens: e.Run.Tokens, RunCost: units(e.Run.Cost), DayTokens: e.Day.Tokens,
		DayCost: units(e.Day.Cost), Parallel: e.Parallel, Timeout: e.Timeout.Seconds(), Redact: e.Redact, Enabled: e.Enabled,
		CreatedAt: web.FormatTime(e.CreatedAt), ChangedAt: web.FormatTime(e.ChangedAt)}
}

// modelEndpointInput is the body of POST /models.
type modelEndpointInput modelEndpointChange

// modelEndpointChange is the body of PATCH /models/{id}; members that are left out stay unchanged.
type modelEndpointChange struct {
	Name              *string  `json:"name"`
	Kind              *string  `json:"kind"`
	URL               *string  `json:"url"`
	Model             *string  `json:"model"`
	Key               *string  `json:"key"`
	TrustSupported    *float64 `json:"trust_supported"`
	TrustContradicted *float64 `json:"trust_contradicted"`
	PriceIn           *float64 `json:"price_in"`
	PriceOut          *float64 `json:"price_out"`
	RunTokens         *int64   `json:"run_tokens"`
	RunCost           *float64 `json:"run_cost"`
	DayTokens         *int64   `json:"day_tokens"`
	DayCost           *float64 `json:"day_cost"`
	Parallel          *int     `json:"parallel"`
	Timeout           *float64 `json:"timeout_seconds"`
	Redact            *bool    `json:"redact"`
	Enabled           *bool    `json:"enabled"`
}

// apply changes the members that are given.
func (in *modelEndpointChange) apply(e *model.Endpoint) {
	set(&e.Name, in.Name)
	if in.URL != nil {
		e.URL = typedAddress(*in.URL, e.URL)
	}
	set(&e.Model, in.Model)
	set(&e.Trust.Supported, in.TrustSupported)
	set(&e.Trust.Contradicted, in.TrustContradicted)
	set(&e.Run.Tokens, in.RunTokens)
	set(&e.Day.Tokens, in.DayTokens)
	set(&e.Parallel, in.Parallel)
	set(&e.Redact, in.Redact)
	set(&e.Enabled, in.Enabled)
	if in.Kind != nil {
		e.Kind = model.Kind(*in.Kind)
	}
	for to, v := range map[*int64]*float64{&e.Price.In: in.PriceIn, &e.Price.Out: in.PriceOut, &e.Run.Cost: in.RunCost,
		&e.Day.Cost: in.DayCost} {
		if v != nil {
			*to = typedAmount(*v)
		}
	}
	if in.Timeout != nil {
		e.Timeout = typedSeconds(*in.Timeout)
	}
}

func set[T any](to, v *T) {
	if v != nil {
		*to = *v
	}
}

// typedAmount returns millionths, or a number that model.Endpoint.Check refuses.
func typedAmount(v float64) int64 {
	if !(v >= 0 && v <= maxTyped) {
		return -1
	}
	return millionths(v)
}

func typedSeconds(v float64) time.Duration {
	if !(v >= 0 && v <= maxTyped/1e6) {
		return 0
	}
	return time.Duration(v * float64(time.Second))
}

// apiListModels lists the tenant's endpoints; there are few.
func (s *server) apiListModels(c echo.Context) error {
	found, err := s.Store.ModelEndpoints(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	reviews, err := s.Store.ModelReviews(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	rows := web.Map(found, newAPIModelEndpoint)
	for i := range rows {
		rows[i].Measured = newAPIModelMeasured(reviews, &found[i])
	}
	return web.SendJSON(c, http.StatusOK, map[string]any{"models": rows})
}

// apiCreateModel adds an endpoint.
func (s *server) apiCreateModel(c echo.Context, in modelEndpointInput) (web.Reply, error) {
	e := model.Endpoint{Parallel: model.DefaultParallel, Timeout: model.DefaultTimeout, Redact: true}
	(*modelEndpointChange)(&in).apply(&e)
	key := ""
	set(&key, in.Key)
	if err := s.reaches("", &e); err != nil {
		return web.Reply{}, err
	}
	e, err := s.Store.AddModelEndpoint(c.Request().Context(), s.Who(c), e, key)
	if err == nil && in.Enabled != nil && !*in.Enabled {
		e, err = s.Store.ChangeModelEndpoint(c.Request().Context(), s.Who(c), e.ID, e.Revision, nil,
			func(e *model.Endpoint) error {
				e.Enabled = false
				return nil
			})
	}
	return web.Reply{Status: http.StatusCreated, Body: newAPIModelEndpoint(e),
		Headers: map[string]string{"Location": "/api/v1/models/" + e.ID, "ETag": web.Etag(e.ID, e.Revision)}}, atMember(err)
}

// apiShowModel returns one endpoint with what was spent on it today.
func (s *server) apiShowModel(c echo.Context) error {
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	e, err := s.Store.ModelEndpoint(ctx, tenant, c.Param("id"))
	if err != nil {
		return err
	}
	x, err := s.Store.ModelSpending(ctx, tenant, e.ID, s.Now())
	if err != nil {
		return err
	}
	out := newAPIModelEndpoint(e)
	if e.Kind.Judges() {
		reviews, err := s.Store.ModelReviews(ctx, tenant)
		if err != nil {
			return err
		}
		out.Measured = newAPIModelMeasured(reviews, &e)
	}
	out.Today = &apiSpent{Calls: x.Calls, Failed: x.Failed, TokensIn: x.TokensIn, TokensOut: x.TokensOut, Cost: units(x.Cost)}
	c.Response().Header().Set("ETag", web.Etag(e.ID, e.Revision))
	return web.SendJSON(c, http.StatusOK, out)
}

// apiChangeModel changes an endpoint, at the revision that If-Match names.
func (s *server) apiChangeModel(c echo.Context, in modelEndpointChange) (web.Reply, error) {
	const whatever = -1 // If-Match is compared below
	e, err := s.Store.ChangeModelEndpoint(c.Request().Context(), s.Who(c), c.Param("id"), whatever, in.Key,
		func(e *model.Endpoint) error {
			if err := web.CheckMatch(c, e.ID, e.Revision); err != nil {
				return err
			}
			was := e.URL
			in.apply(e)
			return s.reaches(was, e)
		})
	return web.Reply{Status: http.StatusOK, Body: newAPIModelEndpoint(e),
		Headers: map[string]string{"ETag": web.Etag(e.ID, e.Revision)}}, atMember(err)
}

// atMember names a fault's place as the API does: its seconds have another name than those of the form.
func atMember(err error) error {
	var fault *domain.Error
	if !errors.As(err, &fault) || fault.Path != "timeout" {
		return err
	}
	out := *fault
	out.Path = "timeout_seconds"
	return &out
}

// apiRemoveModel deletes an endpoint, at the revision that If-Match names, if it names one.
func (s *server) apiRemoveModel(c echo.Context) (web.Reply, error) {
	ctx, who := c.Request().Context(), s.Who(c)
	e, err := s.Store.ModelEndpoint(ctx, who.Tenant, c.Param("id"))
	if err != nil {
		return web.Reply{}, err
	}
	if err := web.CheckMatch(c, e.ID, e.Revision); err != nil {
		return web.Reply{}, err
	}
	revision := e.Revision
	if match := c.Request().Header.Get("If-Match"); match == "" || match == "*" {
		revision = -1 // whatever is there
	}
	if err = s.Store.RemoveModelEndpoint(ctx, who, e.ID, revision); domain.KindOf(err) == domain.Conflict {
		err = web.WithStatus(http.StatusPreconditionFailed, err) // it was changed in between
	}
	return web.Reply{Status: http.StatusNoContent}, err
}

// apiModelTried is what a test showed.
type apiModelTried struct {
	OK        bool    `json:"ok"`
	Model     string  `json:"model"`
	Seconds   float64 `json:"seconds"`
	TokensIn  int     `json:"tokens_in"`
	TokensOut int     `json:"tokens_out"`
	Enabled   bool    `json:"enabled"` // a disabled endpoint can be tested, but judges nothing
	Fault     *string `json:"fault"`   // null if it answered
	Text      *string `json:"text"`    // what the fault is and what mends it, or what is odd in the answer; null if nothing is
	TextAR    *string `json:"text_ar"`
}

// newAPIModelTried explains what came in both languages.
func newAPIModelTried(e model.Endpoint, t model.Tried) apiModelTried {
	out := apiModelTried{OK: t.Fault == "", Model: t.Model, Seconds: t.Took.Seconds(), TokensIn: t.TokensIn, TokensOut: t.TokensOut,
		Enabled: e.Enabled, Fault: web.OrNull(t.Fault)}
	word := ""
	switch {
	case t.Fault != "":
		word = "mdl_fault_" + model.FaultWord(t.Fault)
	case t.Note != "":
		word = "mdl_tried_note_" + t.Note
	default:
		return out
	}
	out.Text, out.TextAR = web.OrNull(words.In("en").Text(word)), web.OrNull(words.In("ar").Text(word))
	return out
}

// apiTestModel asks an endpoint one small question.
func (s *server) apiTestModel(c echo.Context) (web.Reply, error) {
	e, t, err := s.tryModel(c)
	return web.Reply{Status: http.StatusOK, Body: newAPIModelTried(e, t)}, err
}
