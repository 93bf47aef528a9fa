package ledger

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
)

// judgeInput is the body of POST …/judge.
type judgeInput struct {
	Judge    string `json:"judge"`
	BundleID string `json:"bundle_id"`
	Scope    string `json:"scope"`
	Comments bool   `json:"comments"`
}

// rejudger returns what judges sessions again for this request.
func (s *server) rejudger(c echo.Context) app.Rejudger {
	return app.Rejudger{
		Store: s.Store, Actor: s.Who(c), Now: s.Now().UTC().Truncate(time.Microsecond), NewID: s.NewID,
		Lake: s.Lake, Embedded: s.embedded,
	}
}

// asksFirst reports whether a press of a page's button leads to the form where the judge is chosen: the session's
// documents hold comments, so it must be said whether they are evidence. That form always names a judge, if only "".
func (s *server) asksFirst(c echo.Context) (bool, error) {
	form, err := c.FormParams()
	if err != nil || form.Has("judge") {
		return false, err
	}
	return s.Store.HasComments(c.Request().Context(), s.Who(c), c.Param("id"))
}

// judgeSession handles the page's button: 303 to what changed, to the job of a large session, or to the form first.
func (s *server) judgeSession(c echo.Context) error {
	ctx, id := c.Request().Context(), c.Param("id")
	seen, err := strconv.Atoi(c.FormValue("revision"))
	if err != nil {
		return web.WithStatus(http.StatusBadRequest,
			domain.Refuse(domain.Invalid, "revision", "refused_form_lacks_revision"))
	}
	check := func(now *ledger.Session) error {
		if now.RevisionFor(s.Who(c).ID) != seen {
			return domain.Refuse(domain.Conflict, "", "refused_ledger_changed_since_opened")
		}
		return nil
	}
	loaded, err := s.Store.SessionFor(ctx, s.Who(c), id)
	if err != nil {
		return err
	}
	if err := check(loaded); err != nil {
		return err
	}
	asks, err := s.asksFirst(c)
	if err != nil {
		return err
	}
	if asks {
		return web.SeeOther(c, "/sessions/"+id+"/judge")
	}
	in := app.RejudgeInput{Judge: c.FormValue("judge"), Scope: c.FormValue("scope"),
		Comments: c.FormValue("comments") != ""}
	if !in.AsksModel() {
		in.Scope = "" // the form has it whichever judge is chosen
	}
	if err := in.Check(ctx, s.Store, s.Who(c).Tenant); err != nil {
		return err
	}
	if in.AsksModel() || s.embedded.NeedsJob(loaded) {
		job, _, err := app.QueueRejudge(ctx, s.Store, s.Who(c), loaded, in, nil)
		if err != nil {
			return err
		}
		return web.SeeOther(c, "/jobs/"+job.ID)
	}
	out, err := s.rejudger(c).Rejudge(ctx, loaded, db.JudgeRequest{SessionID: id}, in, check, nil)
	if err != nil {
		return err
	}
	return web.SeeOther(c, runPath(id, out.Number))
}

// runPath is the page of what a run changed.
func runPath(sessionID string, number int) string {
	return fmt.Sprintf("/sessions/%s/runs/%d", sessionID, number)
}

// chooseJudge shows the form that judges a session again: which judge, which claims, and what an endpoint is expected
// to ask and to cost, before anything is sent.
func (s *server) chooseJudge(c echo.Context) error {
	ctx, who, id := c.Request().Context(), s.Who(c), c.Param("id")
	now, err := s.Store.ShowSession(ctx, who, id)
	if err != nil {
		return err
	}
	comments, err := s.Store.HasComments(ctx, who, id)
	if err != nil {
		return err
	}
	in := ledgerviews.ChooseJudgeInput{Session: now.SessionRow, Revision: now.Revision, Judge: c.QueryParam("judge"),
		Scope: judge.Scope(c.QueryParam("scope")), Comments: comments, ReadsComments: now.ReadsComments}
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

// changesPerPage is how many changed claims a page of a run shows.
const changesPerPage = 50

// showRun shows a judge run and what it changed, with a fixed number of queries.
func (s *server) showRun(c echo.Context) error {
	n, after, _, err := runPage(c)
	if err != nil {
		return err
	}
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	p, err := s.Store.RunPage(ctx, tenant, c.Param("id"), n, after-1, changesPerPage)
	if err != nil {
		return err
	}
	names, err := s.Store.ActorNames(ctx, tenant, []string{p.MadeBy})
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK, ledgerviews.Run(ledgerviews.NewRunPage(s.Chrome(c),
		ledgerviews.RunInput{RunPage: *p, By: names[p.MadeBy], After: after})))
}
