package pack

import (
	"cmp"
	"slices"
	"time"

	"sanad/internal/domain/ledger"
)

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

// ApprovalNames returns the names of those who approved, in their order.
func (l *Life) ApprovalNames() (out []string) {
	for i := range l.Approvals {
		if name := cmp.Or(l.Approvals[i].Name, l.Approvals[i].Actor); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
