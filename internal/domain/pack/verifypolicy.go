package pack

import (
	"encoding/json"
	"slices"
)

// policy checks that the sign-off policy was kept: that pack.json's outcomes and alarms follow from its claims and tool
// calls, that the statement says the same and no rule that must hold is broken, and that each approver acknowledged
// each alarm.
func (v *verification) policy() {
	if v.said == nil || v.content == nil {
		v.lacks(CheckPolicy, "no signed statement to compare with")
		return
	}
	v.note(CheckPolicy, v.content.keeps(&v.said.Predicate), "")
}

func (c *Content) keeps(p *Predicate) error {
	if !equal(c.Policy, c.Policy.decided(c)) {
		return malformed("refused_policy_outcomes_those", nil)
	}
	if !equal(c.Alarms, c.alarms()) {
		return malformed("refused_alarms_those_claims", nil)
	}
	approvals := make([]Approval, len(p.Approvals))
	for i, a := range p.Approvals {
		approvals[i] = Approval{Actor: a.Actor, At: a.At, For: a.OnBehalfOf.behalf(), Acknowledged: a.Acknowledged}
		if wrong := c.unsound(&a); wrong != "" {
			return malformed("refused_since_alarm", nil, "Name", wrong)
		}
		if missing := c.Unacknowledged(a.Since, a.Acknowledged); len(missing) > 0 {
			return malformed("refused_not_acknowledged", nil, "Name", missing[0])
		}
	}
	if !equal(p.Policy, c.signedUnder(approvals)) {
		return malformed("refused_statement_says_something", nil)
	}
	for _, o := range c.OutcomesAtSignOff(approvals) {
		if o.Refuses() {
			return malformed("refused_rule_broken", nil, "Name", o.Rule)
		}
	}
	return nil
}

// unsound returns the first id of an alarm that the pack does not have although an approval names it, or that does not
// follow from the changes that it stands for. It is "" where all alarms are sound.
func (c *Content) unsound(a *StatementApproval) string {
	for i := range a.Since {
		if !a.Since[i].sound() {
			return a.Since[i].ID
		}
	}
	known := append(c.alarmIDs(), sinceIDs(a.Since)...)
	for _, id := range a.Acknowledged {
		if !slices.Contains(known, id) {
			return id
		}
	}
	return ""
}

// equal reports whether two values are the same JSON.
func equal(a, b any) bool {
	x, errA := json.Marshal(a)
	y, errB := json.Marshal(b)
	return errA == nil && errB == nil && string(x) == string(y)
}

// reviewsLogged returns an error unless each review by a member has its own place in the log, before the first
// approval.
func (c *Content) reviewsLogged(approvals []StatementApproval) error {
	if len(approvals) == 0 {
		return malformed("refused_approval", nil)
	}
	first := slices.MinFunc(approvals, func(a, b StatementApproval) int { return int(a.LogIndex - b.LogIndex) }).LogIndex
	seen := map[int64]bool{}
	for _, e := range c.Ledger.all() {
		for _, r := range e.Reviews {
			if r.LogIndex == nil && !r.Member {
				continue
			}
			if r.LogIndex == nil || *r.LogIndex < 0 || *r.LogIndex >= first || seen[*r.LogIndex] {
				return malformed("refused_review_not_logged", nil, "Name", e.ClaimID)
			}
			seen[*r.LogIndex] = true
		}
	}
	return nil
}
