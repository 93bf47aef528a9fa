package pack

import (
	"fmt"

	"sanad/internal/domain"
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// The classes of a decision, lowest first (rule P-2).
var (
	ApprovalClasses      = []string{"A0", "A1", "A2", "A3"}
	ReversibilityClasses = []string{"R0", "R1", "R2", "R3"}
	SensitivityClasses   = []string{"S0", "S1", "S2", "S3"}
)

// Decision is a decision of an AI system with its evidence, as sent to POST /api/v1/decisions (rule F-13).
type Decision struct {
	Header
	Evidence  []EvidenceSource `json:"evidence"`
	ToolCalls []ToolCallRecord `json:"tool_calls"`
	Prompts   []PromptRecord   `json:"prompts"`
	Replay    *Replay          `json:"replay,omitempty"` // how the evidence was chosen, if known
	Memo      *BilingualMemo   `json:"memo,omitempty"`   // the agent's draft of it, if it has one
}

// Header is what a decision and its pack have in common about the decision itself.
type Header struct {
	DecisionID           string   `json:"decision_id"`
	EntityID             string   `json:"entity_id"`
	AgentName            string   `json:"agent_name"`
	Model                string   `json:"model"`
	ModelVersion         string   `json:"model_version"`
	DecidedAt            string   `json:"decided_at"`
	Title                string   `json:"title"`
	Statement            string   `json:"statement"`
	StatementAR          string   `json:"statement_ar,omitempty"` // the same in Arabic
	StatementEN          string   `json:"statement_en,omitempty"` // in English, where Statement is Arabic
	ApprovalClass        string   `json:"approval_class"`
	ReversibilityClass   string   `json:"reversibility_class"`
	SensitivityClass     string   `json:"sensitivity_class"`
	Confidence           *float64 `json:"confidence"` // 0 to 1; nil only before Validate
	HighStakes           bool     `json:"high_stakes"`
	FreshnessWindowHours *int     `json:"data_freshness_window_hours"` // nil: the age of sources is not limited
	LedgerSessionID      string   `json:"ledger_session_id,omitempty"`
	TraceID              string   `json:"trace_id,omitempty"`
}

// The limits of a decision. Texts are in code points.
const (
	MaxID        = 200
	MaxName      = 500
	MaxStatement = 8000
	MaxURI       = 2000
	MaxItems     = 1000       // each of evidence, tool calls, prompts
	MaxWindow    = 24 * 36525 // freshness window, in hours: a hundred years
	MaxData      = 256 << 10  // inputs, outputs of a tool call, in bytes each
	MaxDecision  = 16 << 20   // all texts together, in bytes
)

// Validate returns every reason why a decision is refused, each with its path, in the order of the fields; nil if none.
// What a draft may lack (an excerpt, a memo) is checked by Content.Validate instead.
func (d *Decision) Validate() []*domain.Error {
	var f faults
	f.count("evidence", len(d.Evidence))
	f.count("tool_calls", len(d.ToolCalls))
	f.count("prompts", len(d.Prompts))
	if n := d.size(); n > MaxDecision {
		f = append(f, domain.Refuse(domain.TooLarge, "", "refused_text_large", "N", n>>20, "Most", MaxDecision>>20))
	}
	if len(f) > 0 {
		return f // what is too large is not checked further
	}
	d.head(&f)
	for i := range d.Evidence {
		d.Evidence[i].check(&f, fmt.Sprintf("evidence[%d]", i))
	}
	for i := range d.ToolCalls {
		d.ToolCalls[i].check(&f, fmt.Sprintf("tool_calls[%d]", i))
	}
	for i := range d.Prompts {
		d.Prompts[i].check(&f, fmt.Sprintf("prompts[%d]", i))
	}
	d.Replay.check(&f)
	d.Memo.check(&f)
	if _, err := canonical.JSON([]any{d}); err != nil && len(f) == 0 { // one level deeper, as in a redacted copy
		f = append(f, &domain.Error{
			Kind: domain.Invalid, Path: "tool_calls", Err: err,
			Message: words.Msg("refused_dec_plain_json"),
		})
	}
	if len(f) == 0 {
		f = append(f, d.repeated("evidence")...)
	}
	return f
}

// size returns roughly how much text a decision has, in bytes.
func (d *Decision) size() int {
	n := len(d.Statement) + len(d.StatementAR) + len(d.StatementEN) + len(d.Title)
	for i := range d.Evidence {
		s := &d.Evidence[i]
		n += len(s.Excerpt) + len(s.Source) + len(s.URI) + len(s.InternalRef)
	}
	for i := range d.ToolCalls {
		t := &d.ToolCalls[i]
		n += len(t.Inputs) + len(t.Outputs) + len(t.IntendedAction) + len(t.ActualAction) + len(t.Error)
		for _, s := range t.SideEffects {
			n += len(s) + 2
		}
	}
	return n
}

// Statements returns the statement in English and in Arabic, "" where it is missing.
func (h *Header) Statements() (en, ar string) {
	if text.Script(h.Statement) == "ar" {
		return h.StatementEN, h.Statement
	}
	return h.Statement, h.StatementAR
}

func (h *Header) head(f *faults) {
	f.id("decision_id", h.DecisionID)
	f.id("entity_id", h.EntityID)
	f.id("agent_name", h.AgentName)
	f.short("model", h.Model, MaxID)
	f.short("model_version", h.ModelVersion, MaxID)
	f.need("decided_at", h.DecidedAt, MaxID)
	f.time("decided_at", h.DecidedAt)
	f.need("title", h.Title, MaxName)
	f.need("statement", h.Statement, MaxStatement)
	f.short("statement_ar", h.StatementAR, MaxStatement)
	f.short("statement_en", h.StatementEN, MaxStatement)
	f.inList("approval_class", h.ApprovalClass, ApprovalClasses)
	f.inList("reversibility_class", h.ReversibilityClass, ReversibilityClasses)
	f.inList("sensitivity_class", h.SensitivityClass, SensitivityClasses)
	if h.Confidence == nil || !share(*h.Confidence) {
		f.add("confidence", "fault_share")
	}
	if w := h.FreshnessWindowHours; w != nil && (*w < 0 || *w > MaxWindow) {
		f.add("data_freshness_window_hours", "refused_window", "Most", MaxWindow)
	}
	f.short("ledger_session_id", h.LedgerSessionID, MaxID)
	f.short("trace_id", h.TraceID, MaxID)
}
