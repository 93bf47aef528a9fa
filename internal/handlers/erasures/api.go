package erasures

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/erasure"
	"sanad/internal/handlers/web"
)

// erasureInput is the body of POST /erasures.
type erasureInput struct {
	Kind   erasure.Kind `json:"kind"`
	ID     string       `json:"id"`
	Reason string       `json:"reason,omitempty"`
	DryRun bool         `json:"dry_run,omitempty"`
}

// proofInput is the body of a confirmation.
type proofInput struct {
	Password string `json:"password"`
	Code     string `json:"code,omitempty"`
}

// apiErasure is an erasure, or what a dry run found.
type apiErasure struct {
	ID          string         `json:"erasure_id"` // "" for a dry run
	Kind        string         `json:"kind"`
	ObjectID    string         `json:"object_id"`
	Title       string         `json:"title"`
	Status      string         `json:"status"`
	Retention   bool           `json:"retention"`
	Reason      string         `json:"reason"`
	Counts      map[string]int `json:"counts"`
	Files       int            `json:"files"`
	AskedBy     string         `json:"asked_by"`
	AskedAt     *string        `json:"asked_at"`
	ConfirmedBy string         `json:"confirmed_by"`
	ConfirmedAt *string        `json:"confirmed_at"`
	DoneAt      *string        `json:"done_at"`
	Obstacles   []apiObstacle  `json:"obstacles"`
}

// apiObstacle is something that stands in the way.
type apiObstacle struct {
	Code    string `json:"code"`
	Object  string `json:"object"`
	Message string `json:"message"`
}

func newAPIErasure(e erasure.Request, obstacles []erasure.Obstacle) apiErasure {
	counts := e.Counts
	if counts == nil {
		counts = map[string]int{}
	}
	return apiErasure{
		ID: e.ID, Kind: string(e.Kind), ObjectID: e.ObjectID, Title: e.Title, Status: string(e.State),
		Retention: e.Retention, Reason: e.Reason, Counts: counts, Files: e.Files, AskedBy: e.AskedBy,
		AskedAt: web.TimeOrNull(e.AskedAt), ConfirmedBy: e.ConfirmedBy, ConfirmedAt: web.TimeOrNull(e.ConfirmedAt),
		DoneAt: web.TimeOrNull(e.DoneAt),
		Obstacles: web.Map(obstacles, func(o erasure.Obstacle) apiObstacle {
			return apiObstacle{string(o.Code), o.Object, o.Message().String()}
		}),
	}
}

func answer(e erasure.Request, status int, err error) (web.Reply, error) {
	return web.Reply{Status: status, Body: newAPIErasure(e, nil)}, err
}

// apiErasures answers GET /erasures.
type apiErasures struct {
	Erasures []apiErasure `json:"erasures"`
}

func (s *server) apiListErasures(c echo.Context) error {
	rows, err := s.Store.Erasures(c.Request().Context(), s.Who(c).Tenant, mostListed)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, apiErasures{web.Map(rows,
		func(e erasure.Request) apiErasure { return newAPIErasure(e, nil) })})
}

func (s *server) apiGetErasure(c echo.Context) error {
	e, err := s.Store.Erasure(c.Request().Context(), s.Who(c).Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, newAPIErasure(e, nil))
}

// apiAskErasure stores a request for an erasure, or makes its dry run.
func (s *server) apiAskErasure(c echo.Context, in erasureInput) (web.Reply, error) {
	ctx, who := c.Request().Context(), s.Who(c)
	if in.DryRun {
		e, obstacles, err := s.Store.PlanErasure(ctx, who, in.Kind, in.ID)
		return web.Reply{Status: http.StatusOK, Body: newAPIErasure(e, obstacles)}, named(err)
	}
	e, err := s.Store.AskErasure(ctx, who, in.Kind, in.ID, in.Reason)
	return web.Reply{Status: http.StatusCreated, Body: newAPIErasure(e, nil),
		Headers: map[string]string{"Location": "/api/v1/erasures/" + e.ID}}, named(err)
}

// named turns a NotFound into a fault of the body: the object is named there, not in the address.
func named(err error) error {
	if domain.KindOf(err) == domain.NotFound {
		return domain.Refuse(domain.Invalid, "id", "refused_such_object_id")
	}
	return err
}

// apiConfirmErasure is the second person's confirmation, with the password given again.
func (s *server) apiConfirmErasure(c echo.Context, in proofInput) (web.Reply, error) {
	if err := s.StepUp(c, in.Password, in.Code); err != nil {
		return web.Reply{}, err
	}
	e, err := s.confirmed(c, c.Param("id"))
	return answer(e, http.StatusOK, err)
}

func (s *server) apiRefuseErasure(c echo.Context) (web.Reply, error) {
	e, err := s.Store.RefuseErasure(c.Request().Context(), s.Who(c), c.Param("id"))
	return answer(e, http.StatusOK, err)
}

// holdInput is the body of POST /legal-holds.
type holdInput struct {
	Kind   erasure.Kind `json:"kind"`
	ID     string       `json:"id"`
	Held   bool         `json:"held"`
	Reason string       `json:"reason"`
}

// apiHold is a legal hold.
type apiHold struct {
	Kind   string  `json:"kind"`
	ID     string  `json:"id"`
	Held   bool    `json:"held"`
	Reason string  `json:"reason"`
	Actor  string  `json:"actor"`
	At     *string `json:"at"`
}

func newAPIHold(h erasure.Hold) apiHold {
	return apiHold{Kind: string(h.Kind), ID: h.ObjectID, Held: h.Held, Reason: h.Reason, Actor: h.Actor,
		At: web.TimeOrNull(h.At)}
}

// apiHolds answers GET /legal-holds.
type apiHolds struct {
	Holds []apiHold `json:"holds"`
}

func (s *server) apiListHolds(c echo.Context) error {
	all, err := s.Store.LegalHolds(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, apiHolds{web.Map(all, newAPIHold)})
}

func (s *server) apiChangeHold(c echo.Context, in holdInput) (web.Reply, error) {
	change := s.Store.LiftHold
	if in.Held {
		change = s.Store.PutOnHold
	}
	h, err := change(c.Request().Context(), s.Who(c), in.Kind, in.ID, in.Reason)
	return web.Reply{Status: http.StatusOK, Body: newAPIHold(h)}, named(err)
}

// periodsInput is the body of PUT /retention.
type periodsInput struct {
	Periods []erasure.Period `json:"periods"`
	DryRun  bool             `json:"dry_run,omitempty"`
	Reason  string           `json:"reason,omitempty"` // where a second administrator is required
}

// apiRetention is a tenant's retention periods, and what is due.
type apiRetention struct {
	Periods []erasure.Period `json:"periods"`
	Due     []apiErasure     `json:"due"`
}

// retention returns the periods, with those of try in place of theirs, and what is due.
func (s *server) retention(c echo.Context, try []erasure.Period) (apiRetention, error) {
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	all, err := s.Store.Periods(ctx, tenant)
	if err != nil {
		return apiRetention{}, err
	}
	due, err := s.Store.DueForErasure(ctx, tenant, try, mostListed)
	return apiRetention{erasure.With(all, try), web.Map(due, func(d erasure.Due) apiErasure { return newAPIErasure(d.Request, d.Obstacles) })}, err
}

func (s *server) apiGetRetention(c echo.Context) error {
	out, err := s.retention(c, nil)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, out)
}

func (s *server) apiSetRetention(c echo.Context, in periodsInput) (web.Reply, error) {
	if in.DryRun {
		out, err := s.retention(c, in.Periods)
		return web.Reply{Status: http.StatusOK, Body: out}, err
	}
	who := s.Who(c)
	who.Why = in.Reason
	if err := s.Store.SetPeriods(c.Request().Context(), who, in.Periods); err != nil {
		return web.Reply{}, err
	}
	out, err := s.retention(c, nil)
	return web.Reply{Status: http.StatusOK, Body: out}, err
}
