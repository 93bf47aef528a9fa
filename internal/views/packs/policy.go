package packs

import (
	"fmt"
	"strconv"
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
)

// PolicyPage is the form of the sign-off policy.
type PolicyPage struct {
	ui.Chrome
	Version string
	Default bool
	Classes []string
	Rules   []PolicyRow
	Bulk    bool
	Fault   string
	Done    string

	AskReason bool // a second administrator is demanded
	Reason    string
}

// PolicyRow is one rule with a choice for each class; or the numbers of days.
type PolicyRow struct {
	Name  string
	Cells []PolicyCell
}

// PolicyCell is a field of the form: a choice, or a number.
type PolicyCell struct {
	Field, Label, Number string
	Fault                string
	Options              []ui.Option
}

// NewPolicyPage lays out the form. Pure.
func NewPolicyPage(c ui.Chrome, in *pack.Policy, fault *ui.FormFault) *PolicyPage {
	p := &PolicyPage{Chrome: c, Version: strconv.Itoa(in.Version), Default: in.Version == 0,
		Classes: pack.ApprovalClasses, Bulk: in.BulkConfirmsAll, Done: c.Notice("policy.done_", "saved")}
	if fault != nil && !strings.Contains(fault.Field, ".days.") {
		p.Fault = c.FaultWords(fault)
	}
	for i := range in.Rules {
		r := &in.Rules[i]
		p.Rules = append(p.Rules, p.row(c.T("policy.rule_"+r.Rule), r.Rule, func(cell *PolicyCell, class string) {
			cell.Options = ui.Options(&c, "policy.level_", "", pack.Demands, r.In(class))
		}))
		if r.Days != nil {
			p.Rules = append(p.Rules, p.row(c.T("policy.days"), "days", func(cell *PolicyCell, class string) {
				cell.Number = strconv.Itoa(r.Days.Of(class))
				cell.Fault = c.FaultAt(fault, fmt.Sprintf("rules[%d].days.%s", i, class))
			}))
		}
	}
	return p
}

// KeepNumbers shows the numbers of days as they were typed into a form that was refused.
func (p *PolicyPage) KeepNumbers(typed func(field string) string) {
	for _, r := range p.Rules {
		for i := range r.Cells {
			if r.Cells[i].Number != "" {
				r.Cells[i].Number = typed(r.Cells[i].Field)
			}
		}
	}
}

func (p *PolicyPage) row(name, field string, fill func(cell *PolicyCell, class string)) PolicyRow {
	row := PolicyRow{Name: name}
	for _, class := range pack.ApprovalClasses {
		cell := PolicyCell{Field: field + "." + class, Label: p.T("policy.in_class", "Rule", name, "Class", class)}
		fill(&cell, class)
		row.Cells = append(row.Cells, cell)
	}
	return row
}
