package pack

import (
	"fmt"
	"slices"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/words"
)

// PolicyError means that a pack breaks rules of its sign-off policy that must hold.
type PolicyError struct {
	Rules []RuleOutcome
	Err   error // a domain.Error, Invalid
}

func (e *PolicyError) Error() string { return e.Err.Error() }

// Unwrap returns the domain.Error.
func (e *PolicyError) Unwrap() error { return e.Err }

// MissingError means that an approver has not acknowledged all alarms.
type MissingError struct {
	Alarms []string // their ids
	Err    error    // a domain.Error, Invalid
}

func (e *MissingError) Error() string { return e.Err.Error() }

// Unwrap returns the domain.Error.
func (e *MissingError) Unwrap() error { return e.Err }

// Text returns what to do about a broken rule, in a language.
func (o *RuleOutcome) Text(lang string) string { return words.In(lang).Text("policy.broken_" + o.Rule) }

// SetPolicy notes the policy that the content is submitted under, and its outcomes. Freeze does the same again.
func (c *Content) SetPolicy(p *Policy) {
	c.Requirement = Requires(&c.Header)
	c.Policy = p.Under(c.Requirement.EffectiveClass).decided(c)
	c.Alarms = c.alarms()
}

// CheckSubmission returns a PolicyError if the content breaks a rule that must hold, as far as that can be told at
// submission. The content has its policy.
func (c *Content) CheckSubmission(at time.Time, makers access.Makers) error {
	return refuse("pack.Submit", c.outcomesAt(at, nil, makers))
}

// CheckApproval returns an error unless a person may approve the frozen content under its policy: a PolicyError, or a
// MissingError. l is the pack's life, with the approvals that it has already; since is what changed after its
// submission. It returns the ids of the acknowledged alarms, in the order of the alarms, those of since last.
func (c *Content) CheckApproval(who string, at time.Time, l *Life, since []Since,
	acknowledged []string) ([]string, error) {
	known, kept := append(c.alarmIDs(), sinceIDs(since)...), []string{}
	for _, id := range known {
		if slices.Contains(acknowledged, id) {
			kept = append(kept, id)
		}
	}
	all := append(slices.Clone(l.Approvals), Approval{Actor: who, At: stampOf(at), Acknowledged: kept})
	outcomes := slices.DeleteFunc(c.outcomesAt(at, all, l.Makers), func(o RuleOutcome) bool {
		return o.Rule == CallsAcknowledged // what is missing is told by its alarms
	})
	if err := refuse("pack.Approve", outcomes); err != nil {
		return nil, err
	}
	if missing := c.Unacknowledged(since, kept); len(missing) > 0 {
		return nil, &MissingError{missing, &domain.Error{Kind: domain.Invalid, Op: "pack.Approve", Path: "acknowledged",
			Message: words.Msg("refused_acknowledge_each", "List", words.ListOf(missing))}}
	}
	for i, id := range acknowledged {
		if !slices.Contains(known, id) {
			return nil, domain.Refuse(domain.Invalid, fmt.Sprintf("acknowledged[%d]", i), "refused_no_alarm")
		}
	}
	return kept, nil
}

func (c *Content) alarmIDs() []string {
	out := make([]string, len(c.Alarms))
	for i := range c.Alarms {
		out[i] = c.Alarms[i].ID
	}
	return out
}

// MayApprove returns an error if somebody may not approve the pack whatever they acknowledge: a chain's (rules P-12,
// P-22), or one of the policy's rules about who approves, and when. The first pack of the chain has the content.
func (c *Content) MayApprove(chain Chain, who access.Actor, at time.Time) error {
	if err := chain.MayDecide(who); err != nil {
		return err
	}
	_, err := c.CheckApproval(who.ID, at, chain[0], nil, c.alarmIDs())
	return err
}

// OutcomesAtSignOff returns the outcomes of all rules with the approvals of a signed pack: what its Statement says. Who
// counts as one person (rule P-22) is in no pack: it was asked at the approval.
func (c *Content) OutcomesAtSignOff(approvals []Approval) []RuleOutcome {
	latest := time.Time{}
	for _, a := range approvals {
		at, err := time.Parse(time.RFC3339, a.At)
		if err != nil { // then nobody can tell how old the judgement was
			return c.outcomesAt(time.Time{}, approvals, access.Makers{})
		}
		if at.After(latest) {
			latest = at
		}
	}
	return c.outcomesAt(latest, approvals, access.Makers{})
}

// PolicyNow returns the policy of a pack that is not signed with the outcomes of its rules at a time; l is the pack's
// life, with the approvals that it has by then. The content has its policy.
func (c *Content) PolicyNow(at time.Time, l *Life) *PolicyRecord {
	out := *c.Policy
	approvals := l.Approvals
	if len(approvals) == 0 {
		approvals = nil
	}
	out.Rules = c.outcomesAt(at, approvals, l.Makers)
	return &out
}

// outcomesAt returns the outcomes at a time, where makers tell who counts as one person. Without approvals, the rules
// about these stay open.
func (c *Content) outcomesAt(at time.Time, approvals []Approval, makers access.Makers) []RuleOutcome {
	out := slices.Clone(c.Policy.Rules)
	for i := range out {
		o := &out[i]
		switch {
		case o.Rule == JudgementRecent:
			o.Outcome = met(!c.outdatedBy(o.Days, at))
		case o.Rule == ApproverApart && approvals != nil:
			o.settle(c.involved(approvals, makers)...)
		case o.Rule == OverrideConfirmed:
			o.settle(c.breaking(func(e *Entry) bool { return e.raised() && !makers.Two(e.supporters()) })...)
		case o.Rule == CallsAcknowledged && approvals != nil:
			o.settle(c.silent(approvals)...)
		}
	}
	return out
}

// involved returns the approvers who took part in the ledger's review, themselves or as one person with somebody else,
// and those for whom a deputy approved.
func (c *Content) involved(approvals []Approval, makers access.Makers) (out []string) {
	for i := range approvals {
		for _, seat := range approvals[i].seats() {
			if c.tookPart(func(by string) bool { return makers.OnePerson(by, seat) }) {
				out = append(out, seat)
			}
		}
	}
	return out
}

// silent returns the tool calls whose alarm an approver has not acknowledged.
func (c *Content) silent(approvals []Approval) (out []string) {
	for i := range c.Alarms {
		a := &c.Alarms[i]
		if a.OfCall() && slices.ContainsFunc(approvals, func(x Approval) bool {
			return !slices.Contains(x.Acknowledged, a.ID)
		}) {
			out = append(out, a.Object)
		}
	}
	return out
}

// refuse returns a PolicyError with the outcomes that keep a pack from being signed, nil if none do.
func refuse(op string, outcomes []RuleOutcome) error {
	var broken []RuleOutcome
	var names []string
	for _, o := range outcomes {
		if o.Refuses() {
			broken, names = append(broken, o), append(names, o.Rule)
		}
	}
	if len(broken) == 0 {
		return nil
	}
	return &PolicyError{broken, &domain.Error{Kind: domain.Invalid, Op: op,
		Message: words.Msg("refused_policy_refuses", "List", words.ListOf(names))}}
}
