package packs

import (
	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
)

// DraftInput is the page that drafts a pack for a decision.
type DraftInput struct {
	Decision *ui.MissingRow // nil if none is named, or it is not there
	Wanted   string         // the id that was typed
	Existing []ui.PackRow
	Sources  int
	Calls    int
	Failed   int // calls that failed or did something else than was intended
	Missing  []ui.MissingRow
	Fault    *ui.FormFault
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
	p := &DraftPage{Chrome: c, Wanted: in.Wanted, Existing: c.PackLines(in.Existing), Fault: c.FaultWords(in.Fault), Missing: c.MissingLines(in.Missing)}
	if in.Decision == nil {
		return p
	}
	d := c.MissingLines([]ui.MissingRow{*in.Decision})[0]
	p.Decision = &d
	p.LevelKey, p.Level, p.Needs = string(in.Decision.Requirement.Level), c.T("pk_level_"+string(in.Decision.Requirement.Level)), needsWords(&c, in.Decision.Requirement)
	p.Sources, p.Calls = c.N("pk_n_sources", in.Sources), c.N("pk_n_calls", in.Calls)
	if in.Failed > 0 {
		p.Failed = c.N("pk_n_failed", in.Failed)
	}
	return p
}

// needsWords says who must stand for a pack.
func needsWords(c *ui.Chrome, r pack.Requirement) string {
	return c.N("pk_needs", max(r.Approvers, 1), "Class", ui.Isolated(r.EffectiveClass))
}
