package pack

import (
	"slices"
	"strings"
	"time"

	"sanad/internal/domain/ledger"
)

// PolicyRecord is the sign-off policy that a pack was submitted under, as far as its class goes, with the outcome of
// each rule over the frozen content.
type PolicyRecord struct {
	Version int           `json:"version"`
	Class   string        `json:"class"` // the approval class that counts
	Rules   []RuleOutcome `json:"rules"`
}

// RuleOutcome is what a rule asks of a pack, and whether the pack meets it.
type RuleOutcome struct {
	Rule    string   `json:"rule"`
	Level   Demand   `json:"level"`
	Days    int      `json:"days,omitempty"` // of JudgementRecent
	Outcome Outcome  `json:"outcome"`
	Objects []string `json:"objects"` // what breaks it: claim ids, tool calls ("T1"), approvers
}

// Outcome is whether a rule is met.
type Outcome string

// The three outcomes.
const (
	Met       Outcome = "met"
	Unmet     Outcome = "broken"
	AtSignOff Outcome = "at_sign_off" // it depends on who approves, and when
)

// Under returns the record of a policy for a decision of a class, with nothing decided yet.
func (p *Policy) Under(class string) *PolicyRecord {
	out := &PolicyRecord{Version: p.Version, Class: class, Rules: make([]RuleOutcome, len(p.Rules))}
	for i := range p.Rules {
		r := &p.Rules[i]
		out.Rules[i] = RuleOutcome{Rule: r.Rule, Level: r.In(class), Days: r.Days.Of(class), Outcome: AtSignOff,
			Objects: []string{}}
	}
	return out
}

// decided returns the record with the outcomes that the content alone decides.
func (r *PolicyRecord) decided(c *Content) *PolicyRecord {
	out := &PolicyRecord{Version: r.Version, Class: c.Requirement.EffectiveClass, Rules: slices.Clone(r.Rules)}
	for i := range out.Rules {
		rule := &out.Rules[i]
		rule.Outcome, rule.Objects = AtSignOff, []string{}
		if breaks := claimRules[rule.Rule]; breaks != nil {
			rule.settle(c.breaking(breaks)...)
		} else if rule.Rule == ClaimsChecked {
			rule.Outcome = met(c.claims() > 0)
		}
	}
	return out
}

func (o *RuleOutcome) settle(objects ...string) {
	o.Outcome, o.Objects = met(len(objects) == 0), append([]string{}, objects...)
}

func met(is bool) Outcome {
	if is {
		return Met
	}
	return Unmet
}

// Refuses reports whether the outcome keeps a pack from being signed.
func (o *RuleOutcome) Refuses() bool { return o.Level == Must && o.Outcome == Unmet }

// Warns reports whether the outcome is shown and recorded as a warning.
func (o *RuleOutcome) Warns() bool { return o.Level == Warn && o.Outcome == Unmet }

// claimRules tell which claims break a rule.
var claimRules = map[string]func(e *Entry) bool{
	CriticalReviewed: func(e *Entry) bool { return e.Importance == ledger.Critical && !e.Reviewed() },
	AllReviewed:      func(e *Entry) bool { return !e.Reviewed() },
	AdverseAnswered: func(e *Entry) bool {
		return (adverse(e.MachineVerdict) || adverse(e.Verdict) || e.Miscited()) && !e.answered()
	},
	QuotesAnswered:    func(e *Entry) bool { return e.Invented() && !e.answered() },
	OverrideConfirmed: func(e *Entry) bool { return e.raised() && len(e.supporters()) < 2 },
}

// breaking returns the ids of the claims that break a rule.
func (c *Content) breaking(breaks func(*Entry) bool) (out []string) {
	if c.Ledger == nil {
		return nil
	}
	for i := range c.Ledger.Entries {
		if e := &c.Ledger.Entries[i]; breaks(e) {
			out = append(out, e.ClaimID)
		}
	}
	return out
}

func (c *Content) claims() int {
	if c.Ledger == nil {
		return 0
	}
	return len(c.Ledger.Entries)
}

func adverse(v ledger.Verdict) bool { return v == ledger.Contradicted || v == ledger.NotFound }

// Miscited reports whether another passage than the cited one supports the claim.
func (e *Entry) Miscited() bool {
	return slices.ContainsFunc(e.Citations, func(c Citation) bool { return c.Status == ledger.Elsewhere })
}

// Invented reports whether the claim has quoted words, or a given snippet, that are in no source.
func (e *Entry) Invented() bool {
	return e.Absent > 0 ||
		slices.ContainsFunc(e.Quotations, func(q Quotation) bool { return q.Status == ledger.QuoteNotFound })
}

// counts reports whether a review is a member's, of the newest judgement, and was not taken back.
func (r *Review) counts() bool { return r.Member && !r.Stale && !r.Undone }

// verdictGiven reports whether a review confirms or overrides a verdict. A comment does not.
func (r *Review) verdictGiven() bool {
	return r.Action == ledger.Confirm || r.Action == ledger.Override
}

// Reviewed reports whether a member of the tenant has confirmed or overridden the newest judgement, and nobody has
// asked for more evidence since (rule P-21).
func (e *Entry) Reviewed() bool {
	for _, r := range slices.Backward(e.Reviews) {
		if r.counts() && (r.verdictGiven() || r.Action == ledger.NeedsEvidence) {
			return r.verdictGiven()
		}
	}
	return false
}

// answered reports whether the claim is reviewed and one of the reviews that count gives a reason.
func (e *Entry) answered() bool {
	return e.Reviewed() && slices.ContainsFunc(e.Reviews, func(r Review) bool {
		return r.counts() && r.verdictGiven() && strings.TrimSpace(r.Reason) != ""
	})
}

// raised reports whether people took a claim from not found or contradicted to supported.
func (e *Entry) raised() bool { return adverse(e.MachineVerdict) && e.Verdict == ledger.Supported }

// supporters returns the different people whose newest verdict of the claim is that it is supported.
func (e *Entry) supporters() []string {
	last := map[string]ledger.Verdict{}
	for _, r := range e.Reviews {
		if r.counts() && r.verdictGiven() {
			last[r.By] = r.Verdict
		}
	}
	var out []string
	for by, v := range last {
		if v == ledger.Supported {
			out = append(out, by)
		}
	}
	return out
}

// tookPart reports whether anybody for whom is returns true reviewed a claim of the ledger, changed its type or
// importance, set it aside or put others in its place, even if they took it back later. A comment does not count.
func (c *Content) tookPart(is func(who string) bool) bool {
	return slices.ContainsFunc(c.Ledger.all(), func(e Entry) bool {
		return slices.ContainsFunc(e.Reviews, func(r Review) bool {
			return r.By != "" && is(r.By) && !r.Action.Talks()
		})
	})
}

// ReviewerNames returns the names of the members whose reviews of the claims count, or who set claims aside, in the
// order of the claims.
func (c *Content) ReviewerNames() (out []string) {
	for _, e := range c.Ledger.all() {
		for _, r := range e.Reviews {
			if r.counts() && (r.verdictGiven() || r.setsAside()) && !slices.Contains(out, r.Actor) {
				out = append(out, r.Actor)
			}
		}
	}
	return out
}

// outdatedBy reports whether the newest judgement is older than a number of days at a time, or one of the two times is
// not known.
func (c *Content) outdatedBy(days int, at time.Time) bool {
	if c.claims() == 0 {
		return false
	}
	judged, err := time.Parse(time.RFC3339, c.Ledger.JudgedAt)
	return err != nil || at.IsZero() || at.Sub(judged) > time.Duration(days)*24*time.Hour
}

// RuleFact is what happened to what a rule of the policy is about.
type RuleFact struct {
	Of   int // claims or tool calls that the rule is about
	Done int // of these, how many meet it

	Judged string // of JudgementRecent: when the newest judgement was made
	Age    int    // of JudgementRecent: whole days from then to the time that the outcome is of
}

// Fact returns what happened to what a rule is about, at the time that its outcome is of.
func (c *Content) Fact(o *RuleOutcome, at time.Time) RuleFact {
	f := RuleFact{Of: c.concerned(o.Rule)}
	if o.Outcome != AtSignOff {
		f.Done = max(0, f.Of-len(o.Objects))
	}
	if o.Rule != JudgementRecent || c.Ledger == nil {
		return f
	}
	if judged, err := time.Parse(time.RFC3339, c.Ledger.JudgedAt); err == nil && !at.IsZero() {
		f.Judged, f.Age = c.Ledger.JudgedAt, max(0, int(at.Sub(judged)/(24*time.Hour)))
	}
	return f
}

// concerned counts what a rule is about.
func (c *Content) concerned(rule string) (n int) {
	if rule == CallsAcknowledged {
		for i := range c.Alarms {
			if c.Alarms[i].OfCall() {
				n++
			}
		}
		return n
	}
	if is := ruleAbout[rule]; is != nil {
		return len(c.breaking(is))
	}
	return 0
}

// ruleAbout tells which claims a rule is about.
var ruleAbout = map[string]func(e *Entry) bool{
	ClaimsChecked:     func(*Entry) bool { return true },
	CriticalReviewed:  func(e *Entry) bool { return e.Importance == ledger.Critical },
	AllReviewed:       func(*Entry) bool { return true },
	AdverseAnswered:   func(e *Entry) bool { return adverse(e.MachineVerdict) || adverse(e.Verdict) || e.Miscited() },
	QuotesAnswered:    (*Entry).Invented,
	OverrideConfirmed: (*Entry).raised,
}
