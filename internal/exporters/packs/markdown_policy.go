package packs

import (
	"strconv"
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/exporters/prose"
)

// alarms writes what each approver had to know, before anything else.
func (m *markdownWriter) alarms() {
	c, since := &m.d.Content, m.d.since()
	warnings := m.warnings(m.d)
	if pack.Quiet(m.d.concerns()) && len(warnings) == 0 {
		m.item("alarms", m.T("policy.no_alarms"))
	}
	for i := range c.Alarms {
		m.item("alarm", "⚠️ "+m.alarm(c, &c.Alarms[i]))
	}
	for _, x := range since {
		m.item("alarm", "⚠️ "+m.changed(c, x, m.d.signed()))
	}
	for _, said := range warnings {
		m.item("alarm", "⚠️ "+said)
	}
	m.end()
}

// policy writes the sign-off policy that the pack was submitted under, with the outcome of each rule.
func (m *markdownWriter) policy() {
	m.heading("policy.policy")
	policy := m.d.policy()
	m.soft(m.policyHead(policy) + ". " + m.T(m.d.policyHint()))
	for i := range policy.Rules {
		o := &policy.Rules[i]
		m.f("- %s · %s · **%s**\n", prose.Inline(m.name("about_", o.Rule)), prose.Inline(bare(m.ruleFact(m.d, o))),
			prose.Inline(bare(m.ruleResult(m.d, o))))
	}
	m.end()
}

// checked writes what became of what a claim cites and quotes.
func (m *markdownWriter) checked(e *pack.Entry) {
	for _, x := range m.claimChecks(e) {
		m.item(x.id, strings.Join(present(x.what, x.result), " – "))
	}
}

func (m *markdownWriter) reviewed(r *pack.Review) {
	m.item("review_by", strings.Join(present(r.Actor, m.name("role_", r.Role), m.instant(r.At), m.review(r),
		m.language.standing(r)), " · "))
	m.item("reason", r.Reason)
	m.item("reviewer_id", r.By)
	if r.LogIndex != nil {
		m.item("log_index", strconv.FormatInt(*r.LogIndex, 10))
	}
}
