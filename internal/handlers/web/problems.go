package web

import (
	"errors"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/importers"
	"sanad/internal/words"
)

// ProblemItem is one of several faults: the place, what to do, and the rule if a validation rule is broken.
type ProblemItem struct {
	Rule     int           `json:"rule,omitempty"`
	Name     string        `json:"name,omitempty"`
	Severity pack.Severity `json:"severity,omitempty"`
	Path     string        `json:"path"`
	Detail   string        `json:"detail"`
	DetailAR string        `json:"detail_ar,omitempty"`
}

// RuleItem is a rule of the sign-off policy that is broken, or only warns.
type RuleItem struct {
	Rule      string       `json:"rule"`
	Level     pack.Demand  `json:"level"`
	Outcome   pack.Outcome `json:"outcome"`
	Message   string       `json:"message"`
	MessageAR string       `json:"message_ar"`
	Objects   []string     `json:"objects"` // claim ids, tool calls ("T1"), approvers
}

// PolicyRules words the outcomes of rules.
func PolicyRules(outcomes []pack.RuleOutcome) []RuleItem {
	return Map(outcomes, func(o pack.RuleOutcome) RuleItem {
		return RuleItem{Rule: o.Rule, Level: o.Level, Outcome: o.Outcome, Message: o.Text("en"), MessageAR: o.Text("ar"),
			Objects: o.Objects}
	})
}

// policyOf returns the rules of the sign-off policy that an error is about, and the alarms that were not acknowledged.
func policyOf(err error) (rules []RuleItem, missing []string) {
	var refused *pack.PolicyError
	var unread *pack.MissingError
	switch {
	case errors.As(err, &refused):
		rules = PolicyRules(refused.Rules)
	case errors.As(err, &unread):
		missing = unread.Alarms
	}
	return rules, missing
}

// itemsOf returns the faults and warnings of an error; none if its message says everything.
func itemsOf(err error) (wrong, doubtful []ProblemItem) {
	var (
		broken   *db.BrokenPackError
		decision *importers.DecisionError
	)
	switch {
	case errors.As(err, &broken):
		for _, x := range BrokenRules(broken.Faults) {
			if x.Severity == pack.SeverityWarning {
				doubtful = append(doubtful, x)
			} else {
				wrong = append(wrong, x)
			}
		}
	case errors.As(err, &decision):
		wrong = faultItems(decision.Faults)
	}
	return wrong, doubtful
}

// BrokenRules words the faults of a draft in both languages, in their order.
func BrokenRules(faults []pack.Fault) []ProblemItem {
	out := make([]ProblemItem, len(faults))
	for i, f := range faults {
		out[i] = ProblemItem{
			Rule: f.Rule.Number, Name: f.Rule.Name, Severity: f.Rule.Severity, Path: f.Path,
			Detail: f.Text("en", f.Args...), DetailAR: f.Text("ar", f.Args...),
		}
	}
	return out
}

func faultItems(faults []*domain.Error) []ProblemItem {
	out := make([]ProblemItem, len(faults))
	for i, f := range faults {
		out[i] = ProblemItem{Path: f.Path, Detail: f.Text(), DetailAR: words.In("ar").Plain(f.Message)}
	}
	return out
}
