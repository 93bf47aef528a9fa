package views

import "sanad/internal/domain/pack"

// PackDraftInput is the page that drafts a pack for a decision.
type PackDraftInput struct {
	Decision *MissingRow // nil where none is named, or it is not there
	Wanted   string      // the id that was typed
	Existing []PackRow
	Sources  int
	Calls    int
	Failed   int // calls that failed or did something else than was intended
	Missing  []MissingRow
	Fault    *FormFault
}

// PackDraftPage drafts a pack for a decision.
type PackDraftPage struct {
	Chrome
	Decision               *MissingLine
	Wanted                 string
	LevelKey, Level, Needs string
	Existing               []PackLine
	Sources, Calls, Failed string
	Missing                []MissingLine
	Fault                  string
}

// NewPackDraftPage lays out the page. Pure.
func NewPackDraftPage(c Chrome, in PackDraftInput) *PackDraftPage {
	p := &PackDraftPage{Chrome: c, Wanted: in.Wanted, Existing: c.packLines(in.Existing), Fault: c.faultWords(in.Fault), Missing: c.missingLines(in.Missing)}
	if in.Decision == nil {
		return p
	}
	d := c.missingLines([]MissingRow{*in.Decision})[0]
	p.Decision = &d
	p.LevelKey, p.Level, p.Needs = string(in.Decision.Requirement.Level), c.T("pk_level_"+string(in.Decision.Requirement.Level)), needsWords(&c, in.Decision.Requirement)
	p.Sources, p.Calls = c.N("pk_n_sources", in.Sources), c.N("pk_n_calls", in.Calls)
	if in.Failed > 0 {
		p.Failed = c.N("pk_n_failed", in.Failed)
	}
	return p
}

// needsWords says who must stand for a pack.
func needsWords(c *Chrome, r pack.Requirement) string {
	return c.N("pk_needs", max(r.Approvers, 1), "Class", isolated(r.EffectiveClass))
}
