package web

import (
	"errors"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/importers"
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
		out[i] = ProblemItem{Path: f.Path, Detail: f.Msg}
	}
	return out
}
