package packs

import (
	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
)

// DraftInput is the page that drafts a pack for a decision.
type DraftInput struct {
	Decision    *pack.Header     // nil where none is named, or it is not there
	Requirement pack.Requirement // of the decision
	Wanted      string           // the id that was typed
	Existing    []pack.Row
	Sources     int
	Calls       int
	Failed      int // calls that failed or did something else than was intended
	Missing     []pack.DecisionRow
	Fault       *ui.FormFault
}

// DraftPage drafts a pack for a decision.
type DraftPage struct {
	ui.Chrome
	Decision               *ui.MissingLine
	Wanted                 string
	LevelKey, Level, Needs string
	Existing               []ui.PackLine
	Sources, Calls, Failed string
	Missing                []ui.MissingLine
	Fault                  string
}

// NewDraftPage lays out the page. Pure.
func NewDraftPage(c ui.Chrome, in DraftInput) *DraftPage {
	p := &DraftPage{Chrome: c, Wanted: in.Wanted, Existing: c.PackLines(in.Existing), Fault: c.FaultWords(in.Fault),
		Missing: c.MissingLines(in.Missing)}
	if in.Decision == nil {
		return p
	}
	d, need := in.Decision, in.Requirement
	line := c.MissingLines([]pack.DecisionRow{
		{DecisionID: d.DecisionID, Title: d.Title, AgentName: d.AgentName, DecidedAt: d.DecidedAt},
	})[0]
	for _, r := range need.Rules {
		line.Reasons = append(line.Reasons, c.Reason(r))
	}
	p.Decision = &line
	p.LevelKey, p.Level, p.Needs = string(need.Level), c.T("pk_level_"+string(need.Level)), needsWords(&c, need)
	p.Sources, p.Calls = c.N("pk_n_sources", in.Sources), c.N("pk_n_calls", in.Calls)
	if in.Failed > 0 {
		p.Failed = c.N("pk_n_failed", in.Failed)
	}
	return p
}

// needsWords describes who must approve a pack.
func needsWords(c *ui.Chrome, r pack.Requirement) string {
	return c.N("pk_needs", max(r.Approvers, 1), "Class", ui.Isolated(r.EffectiveClass))
}
