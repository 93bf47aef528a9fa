package exporters

import (
	"strconv"
	"strings"

	"sanad/internal/domain/pack"
)

// alarms writes what each approver had to know, before anything else.
func (m *packMarkdown) alarms() {
	c, since := &m.d.Content, m.d.since()
	if len(c.Alarms)+len(since) == 0 {
		m.item("alarms", m.t("policy.no_alarms"))
	}
	for i := range c.Alarms {
		m.item("alarm", "⚠️ "+m.alarm(c, &c.Alarms[i]))
	}
	for _, x := range since {
		m.item("alarm", "⚠️ "+m.changed(c, x))
	}
	m.end()
}

// policy writes the sign-off policy that the pack was submitted under, with the outcome of each rule.
func (m *packMarkdown) policy() {
	c := &m.d.Content
	m.heading("policy.policy")
	m.soft(m.policyHead(c.Policy) + ". " + m.t("policy_hint"))
	for i := range c.Policy.Rules {
		o := &c.Policy.Rules[i]
		m.f("- %s · **%s** · %s\n", inline(m.rule(o)), inline(m.name("policy.level_", string(o.Level))),
			inline(m.ruleOutcome(c, o)))
	}
	m.end()
}

// checked writes what became of what a claim cites and quotes.
func (m *packMarkdown) checked(e *pack.Entry) {
	for _, x := range m.claimChecks(e) {
		m.item(x.id, strings.Join(present(x.what, x.result), " – "))
	}
}

func (m *packMarkdown) reviewed(r *pack.Review) {
	m.item("review_by", strings.Join(present(r.Actor, m.name("role_", r.Role), m.instant(r.At), m.review(r),
		m.packLang.standing(r)), " · "))
	m.item("reason", r.Reason)
	m.item("reviewer_id", r.By)
	if r.LogIndex != nil {
		m.item("log_index", strconv.FormatInt(*r.LogIndex, 10))
	}
}
