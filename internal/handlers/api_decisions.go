package handlers

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/pack"
	"sanad/internal/importers"
)

// apiDecision answers POST /decisions (rule F-4).
type apiDecision struct {
	DecisionID  string           `json:"decision_id"`
	Requirement pack.Requirement `json:"requirement"`
	Warnings    []apiWarning     `json:"warnings,omitempty"`
}

// apiCreateDecision takes a decision in: 201, or 200 where the same content is there. Its texts may be S3, so nothing of
// the body is logged or kept before the store has closed the door on them, its digest included: that is keyed.
func (s *Server) apiCreateDecision(c echo.Context) (reply, error) {
	data, err := body(c, importers.MaxDecision+1)
	if err != nil {
		return reply{}, err
	}
	d, warnings, err := importers.ReadDecision(data)
	if err != nil {
		return reply{}, badRequest(err)
	}
	answer := apiDecision{DecisionID: d.DecisionID, Requirement: pack.Requires(&d.Head)}
	for _, w := range warnings {
		answer.Warnings = append(answer.Warnings, apiWarning{w.Path, w.Msg})
	}
	out := reply{
		status: http.StatusCreated, body: answer, headers: map[string]string{"Location": decisionURL(d.DecisionID)},
	}
	receipt, err := out.receipt(c)
	if err != nil {
		return out, err
	}
	_, created, err := s.store.AddDecision(c.Request().Context(), s.who(c), d, receipt)
	out.status = createdOr200(created)
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

// apiListDecisions pages by key; ?missing=true leaves only those that must have a pack and have none.
func (s *Server) apiListDecisions(c echo.Context) error {
	limit, err := listLimit(c)
	if err != nil {
		return err
	}
	q := db.DecisionQuery{
		Level: pack.Level(c.QueryParam("level")), Text: c.QueryParam("q"), After: c.QueryParam("after"),
		Limit: limit,
	}
	if q.Missing, err = listBool(c, "missing"); err != nil {
		return err
	}
	if levels := []pack.Level{pack.Mandatory, pack.Recommended, pack.Skip}; q.Level != "" && !slices.Contains(levels, q.Level) {
		return noChoice("level", levels)
	}
	rows, next, err := s.store.Decisions(c.Request().Context(), s.who(c).Tenant, q)
	if err != nil {
		return badQuery(err)
	}
	out := make([]apiDecisionRow, len(rows))
	for i, r := range rows {
		out[i] = apiDecisionRow{DecisionID: r.DecisionID, Title: r.Title, AgentName: r.AgentName, EntityID: r.EntityID, ApprovalClass: r.ApprovalClass, Level: r.Level, SessionID: orNull(r.SessionID),
			DecidedAt: r.DecidedAt, CreatedAt: timeOrNull(r.CreatedAt), PackID: orNull(r.PackID), PackStatus: orNull(r.PackState), Missing: r.Missing}
	}
	return sendPage(c, "decisions", out, next)
}

// apiDecisionKept answers GET /decisions/{id}.
type apiDecisionKept struct {
	pack.Decision
	Requirement pack.Requirement `json:"requirement"`
	Missing     bool             `json:"missing_pack"`
	CreatedAt   *string          `json:"created_at"`
	Packs       []apiPackRow     `json:"packs"`
}

// apiShowDecision gives one decision as it is kept, with the packs about it.
func (s *Server) apiShowDecision(c echo.Context) error {
	d, err := s.store.Decision(c.Request().Context(), s.who(c).Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	for i := range d.Decision.ToolCalls {
		call := &d.Decision.ToolCalls[i]
		call.SideEffects = append([]string{}, call.SideEffects...) // [], not null
	}
	return sendJSON(c, http.StatusOK, apiDecisionKept{
		Decision: d.Decision, Requirement: d.Requirement, Missing: d.Missing(),
		CreatedAt: timeOrNull(d.CreatedAt), Packs: packRows(d.Packs),
	})
}
