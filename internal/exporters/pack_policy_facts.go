package exporters

import (
	"strconv"
	"strings"

	"sanad/internal/domain/pack"
)

// ruleFact says what happened about a rule of the policy, in figures and names rather than as the demand.
func (p *packLang) ruleFact(d *PackDocument, o *pack.RuleOutcome) string {
	c := &d.Content
	f := c.Fact(o, d.looked())
	switch o.Rule {
	case pack.ApproverApart:
		return p.t("fact_approver_apart", "Approvers", p.people(d.Life.ApprovalNames()), "Reviewers",
			p.people(c.ReviewerNames()))
	case pack.JudgementRecent:
		if f.Judged == "" {
			return p.t("fact_not_judged")
		}
		return p.t("fact_judgement_recent", "Day", p.day(f.Judged), "N", strconv.Itoa(f.Age), "Most",
			strconv.Itoa(o.Days))
	}
	if said := p.t("fact_"+o.Rule, "Of", strconv.Itoa(f.Of), "N", strconv.Itoa(f.Done)); said != "fact_"+o.Rule {
		return said
	}
	return "–" // a rule of another version of the program
}

// ruleResult says whether a rule is met and, if not, by what; and who approved all the same where the policy only warns.
func (p *packLang) ruleResult(d *PackDocument, o *pack.RuleOutcome) string {
	if o.Level == pack.Off {
		return p.t("policy.level_off")
	}
	s := p.name("policy.level_", string(o.Level)) + " · " + p.ruleOutcome(&d.Content, o)
	if o.Warns() && len(d.Life.Approvals) > 0 {
		s += p.t("list_separator") + p.t("waived_by", "Names", p.people(d.Life.ApprovalNames()))
	}
	return s
}

// people lists names, each in its own direction.
func (p *packLang) people(names []string) string {
	if len(names) == 0 {
		return p.t("nobody")
	}
	out := make([]string, len(names))
	for i := range names {
		out[i] = isolated(names[i])
	}
	return strings.Join(out, p.t("list_comma"))
}
