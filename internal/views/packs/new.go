package packs

import (
	"net/url"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/views/say"
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
	Failed      int // calls that failed or did something other than was intended
	Missing     []pack.DecisionRow
	Fault       *ui.FormFault
	Library     ui.LibraryOffer // documents of which the draft may get files

	JSON   string          // a decision that was pasted and refused, with what was mended; "" if none
	Faults []*domain.Error // why
	Mends  []DecisionField // its places that a field of the form can mend
}

// DecisionField is a place of a refused decision, with the text that it has.
type DecisionField struct{ Path, Text string }

// MendAt begins the names of the form's fields that mend a refused decision; its path follows.
const MendAt = "at."

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
	Library                ui.LibraryChoice
	JSON                   string
	Refused                []RefusedPlace // what is wrong with it, besides the fields
	Fields                 []MendField
}

// RefusedPlace is a fault of a decision that no field of the form can mend.
type RefusedPlace struct{ Path, Text string }

// DraftHref is the address of the page that opens a pack for a decision.
func DraftHref(decisionID string) string {
	return "/packs/new?" + url.Values{"decision": {decisionID}}.Encode()
}

// decisionLabels name the fields of a decision's head that have a name on other pages too.
var decisionLabels = map[string]string{"decision_id": "pk_decision_id", "entity_id": "pk_entity", "agent_name": "pk_agent",
	"model": "pk_model", "decided_at": "pk_decided_at", "title": "pk_memo_title", "statement": "pk_statement",
	"statement_ar": "pk_statement_ar", "statement_en": "pk_statement_en", "approval_class": "pk_approval_class",
	"reversibility_class": "pk_reversibility_class", "sensitivity_class": "pk_sensitivity_class",
	"confidence": "confidence", "high_stakes": "pk_high_stakes", "data_freshness_window_hours": "pk_window"}

// refused lays out a decision that was refused: a field for each place that one can mend, and the other faults.
func (p *DraftPage) refused(in DraftInput) {
	p.JSON = in.JSON
	for _, x := range in.Mends {
		f := MendField{ID: "m-" + fieldID(strings.ReplaceAll(x.Path, ".", "-")), Name: MendAt + x.Path, Label: x.Path, Text: x.Text,
			Dir: "auto"}
		if id := decisionLabels[x.Path]; id != "" {
			f.Label = p.T(id) + " (" + say.Isolated(x.Path) + ")"
		}
		if strings.HasPrefix(x.Path, "statement") {
			f.Rows = "4"
		}
		classes := map[string][]string{"approval_class": pack.ApprovalClasses,
			"reversibility_class": pack.ReversibilityClasses, "sensitivity_class": pack.SensitivityClasses}
		for _, v := range classes[x.Path[strings.LastIndex(x.Path, ".")+1:]] {
			if len(f.Options) == 0 {
				f.Options = []ui.Option{{Value: "", Label: "", Selected: x.Text == ""}}
			}
			f.Options = append(f.Options, ui.Option{Value: v, Label: v, Selected: v == x.Text})
		}
		p.Fields = append(p.Fields, f)
	}
	for _, e := range in.Faults {
		i := slices.IndexFunc(p.Fields, func(f MendField) bool { return f.Name == MendAt+e.Path })
		if text := p.FaultWords(ui.FaultOf(e)); i >= 0 {
			p.Fields[i].Fault = text
		} else {
			p.Refused = append(p.Refused, RefusedPlace{e.Path, text})
		}
	}
}

// NewDraftPage lays out the page. Pure.
func NewDraftPage(c ui.Chrome, in DraftInput) *DraftPage {
	p := &DraftPage{Chrome: c, Wanted: in.Wanted, Existing: c.PackLines(in.Existing), Fault: c.FaultWords(in.Fault),
		Missing: c.MissingLines(in.Missing)}
	p.refused(in)
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
	p.Library = ui.NewLibraryChoice(&c, in.Library, DraftHref(d.DecisionID))
	p.Library.Rule = c.T("pk_library_rule")
	if in.Failed > 0 {
		p.Failed = c.N("pk_n_failed", in.Failed)
	}
	return p
}

// needsWords describes who must approve a pack.
func needsWords(c *ui.Chrome, r pack.Requirement) string {
	return c.N("pk_needs", max(r.Approvers, 1), "Class", say.Isolated(r.EffectiveClass))
}
