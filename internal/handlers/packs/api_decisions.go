package packs

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
)

// apiDecision answers POST /decisions (rule F-4).
type apiDecision struct {
	DecisionID  string           `json:"decision_id"`
	Requirement pack.Requirement `json:"requirement"`
	Warnings    []domain.Warning `json:"warnings,omitempty"`
}

// apiCreateDecision stores a decision: 201, or 200 if the same content is stored already. Its texts may be of class S3,
// so nothing of the body is logged or stored before the store has restricted access to them. That includes the body's
// digest, which is therefore keyed.
func (s *server) apiCreateDecision(c echo.Context) (web.Reply, error) {
	data, err := web.Body(c, importers.MaxDecision+1)
	if err != nil {
		return web.Reply{}, err
	}
	d, warnings, err := importers.ReadDecision(data)
	if err != nil {
		return web.Reply{}, web.BadRequest(err)
	}
	answer := apiDecision{DecisionID: d.DecisionID, Requirement: pack.Requires(&d.Header), Warnings: warnings}
	out := web.Reply{
		Status: http.StatusCreated, Body: answer, Headers: map[string]string{"Location": decisionURL(d.DecisionID)},
	}
	receipt, err := out.Receipt(c)
	if err != nil {
		return out, err
	}
	_, created, err := s.Store.AddDecision(c.Request().Context(), s.Who(c), d, receipt)
	out.Status = web.CreatedOr200(created)
	return out, err
}

func decisionURL(id string) string { return "/api/v1/decisions/" + url.PathEscape(id) }

// apiDecisionRow is a decision in GET /decisions.
type apiDecisionRow struct {
	DecisionID    string      `json:"decision_id"`
	Title         string      `json:"title"`
	AgentName     string      `json:"agent_name"`
	EntityID      string      `json:"entity_id"`
	ApprovalClass string      `json:"effective_class"`
	Level         pack.Level  `json:"requirement_level"`
	SessionID     *string     `json:"ledger_session_id"`
	DecidedAt     string      `json:"decided_at"`
	CreatedAt     *string     `json:"created_at"`
	PackID        *string     `json:"pack_id"` // of the newest pack
	PackStatus    *pack.State `json:"pack_status"`
	Missing       bool        `json:"missing_pack"`
}

// apiListDecisions pages by key; ?missing=true selects those that must have a pack and have none.
func (s *server) apiListDecisions(c echo.Context) error {
	limit, err := web.ListLimit(c)
	if err != nil {
		return err
	}
	q := pack.DecisionQuery{
		Level: pack.Level(c.QueryParam("level")), Text: c.QueryParam("q"), After: c.QueryParam("after"),
		Limit: limit,
	}
	if q.Missing, err = web.ListBool(c, "missing"); err != nil {
		return err
	}
	if levels := []pack.Level{pack.Mandatory, pack.Recommended, pack.Skip}; q.Level != "" && !slices.Contains(levels,
		q.Level) {
		return web.InvalidChoice("level", levels)
	}
	rows, next, err := s.Store.Decisions(c.Request().Context(), s.Who(c).Tenant, q)
	if err != nil {
		return web.BadQuery(err)
	}
	out := make([]apiDecisionRow, len(rows))
	for i, r := range rows {
		out[i] = apiDecisionRow{DecisionID: r.DecisionID, Title: r.Title, AgentName: r.AgentName, EntityID: r.EntityID,
			ApprovalClass: r.ApprovalClass, Level: r.Level, SessionID: web.OrNull(r.SessionID),
			DecidedAt: r.DecidedAt, CreatedAt: web.TimeOrNull(r.CreatedAt), PackID: web.OrNull(r.PackID),
			PackStatus: web.OrNull(r.PackState), Missing: r.Missing}
	}
	return web.SendPage(c, "decisions", out, next)
}

// apiDecisionKept answers GET /decisions/{id}.
type apiDecisionKept struct {
	pack.Decision
	Requirement pack.Requirement `json:"requirement"`
	Missing     bool             `json:"missing_pack"`
	CreatedAt   *string          `json:"created_at"`
	Packs       []apiPackRow     `json:"packs"`
}

// apiShowDecision returns one decision as it is stored, with the packs about it.
func (s *server) apiShowDecision(c echo.Context) error {
	d, err := s.Store.Decision(c.Request().Context(), s.Who(c).Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	for i := range d.Decision.ToolCalls {
		call := &d.Decision.ToolCalls[i]
		call.SideEffects = append([]string{}, call.SideEffects...) // [], not null
	}
	return web.SendJSON(c, http.StatusOK, apiDecisionKept{
		Decision: d.Decision, Requirement: d.Requirement, Missing: d.Missing(),
		CreatedAt: web.TimeOrNull(d.CreatedAt), Packs: packRows(d.Packs),
	})
}
