package traces

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/live"
	"sanad/internal/handlers/web"
)

// rulesName stands for the tenant's rules in ETags: there is one list.
const rulesName = "trace-rules"

// apiRules are the rules in force.
type apiRules struct {
	Rules   []live.Rule `json:"rules"`
	Default bool        `json:"default"`
}

func (s *server) apiShowRules(c echo.Context) error {
	r, err := s.Store.LiveRules(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	return sendRules(c, r)
}

func sendRules(c echo.Context, r live.Rules) error {
	c.Response().Header().Set("ETag", web.Etag(rulesName, r.Revision))
	return web.SendJSON(c, http.StatusOK, apiRules{Rules: append([]live.Rule{}, r.List...), Default: r.Revision == 0})
}

// rulesInput is the body of PUT /trace-rules.
type rulesInput struct {
	Rules []ruleInput `json:"rules"`
}

// ruleInput is a rule as it is sent.
type ruleInput struct {
	live.Rule
	Share *float64 `json:"share_percent"` // of the traces that it fits; left out, 100
}

func (in *ruleInput) rule() live.Rule {
	r := in.Rule
	r.Share = 100
	if in.Share != nil {
		r.Share = *in.Share
	}
	return r
}

// apiPutRules replaces the rules, at the revision that If-Match names.
func (s *server) apiPutRules(c echo.Context) error {
	var in rulesInput
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	if in.Rules == nil { // it would be easy to take away all rules by mistake
		return domain.Refuse(domain.Invalid, "rules", "refused_list_rules_empty")
	}
	ctx, who := c.Request().Context(), s.Who(c)
	now, err := s.Store.LiveRules(ctx, who.Tenant)
	if err != nil {
		return err
	}
	if err := web.CheckMatch(c, rulesName, now.Revision); err != nil {
		return err
	}
	r, err := s.Store.SetLiveRules(ctx, who, now.Revision, web.Map(in.Rules, func(r ruleInput) live.Rule { return r.rule() }))
	if err != nil {
		return err
	}
	return sendRules(c, r)
}

// apiTrace is a trace that came in.
type apiTrace struct {
	TraceID string `json:"trace_id"`
	State   string `json:"state"`
	Service string `json:"service"`
	Name    string `json:"name"`
	Spans   int    `json:"spans"`
	Late    int    `json:"late_spans"`
	// spans that were refused; what was made of the trace lacks them
	Refused []live.Lost `json:"refused_spans"`
	// of the session that was made of it, as POST /sessions answers them
	Warnings   []domain.Warning `json:"warnings"`
	Cause      *string          `json:"cause"`
	Note       *string          `json:"note"`
	SessionID  *string          `json:"session_id"`
	DecisionID *string          `json:"decision_id"`
	FirstAt    string           `json:"first_at"`
	LastAt     string           `json:"last_at"`
	DueAt      string           `json:"due_at"`
	EndedAt    *string          `json:"ended_at"`
}

func newAPITrace(t live.Trace) apiTrace {
	out := apiTrace{
		TraceID: t.ID, State: string(t.State), Service: t.Service, Name: t.Name, Spans: t.Spans, Late: t.Late,
		Refused: web.NotNull(t.Lost.Named()), Warnings: web.NotNull(t.Warnings),
		Cause: web.OrNull(string(t.Cause)), Note: web.OrNull(t.Note), FirstAt: web.FormatTime(t.FirstAt),
		LastAt: web.FormatTime(t.LastAt), DueAt: web.FormatTime(t.DueAt), EndedAt: web.FormatTimeOrNull(t.EndedAt),
	}
	switch t.State {
	case live.Session:
		out.SessionID = web.OrNull(t.ObjectID) // null once the session is erased
	case live.Decision:
		out.DecisionID = &t.ObjectID
	}
	return out
}

// apiListTraces lists the traces that a span came in for last.
func (s *server) apiListTraces(c echo.Context) error {
	found, err := s.Store.Traces(c.Request().Context(), s.Who(c).Tenant, listed)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, map[string]any{"traces": web.Map(found, newAPITrace)})
}
