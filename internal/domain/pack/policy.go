package pack

import (
	"encoding/json"
	"slices"
	"strconv"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// Demand is what a policy asks where a rule is broken.
type Demand string

// The three demands.
const (
	Off  Demand = "off"  // nothing
	Warn Demand = "warn" // it is shown and recorded
	Must Demand = "must" // the pack is not signed
)

// Demands lists them, the weakest first.
var Demands = []Demand{Off, Warn, Must}

// The rules of the sign-off policy (rule P-21). Their names are stored and signed.
const (
	ClaimsChecked     = "claims_checked"     // the pack has a ledger with at least one claim
	CriticalReviewed  = "critical_reviewed"  // a person has reviewed each critical claim
	AllReviewed       = "all_reviewed"       // a person has reviewed each claim
	AdverseAnswered   = "adverse_answered"   // each contradicted, not found or miscited claim has a review with a reason
	QuotesAnswered    = "quotes_answered"    // so has each claim with words that are in no source
	CallsAcknowledged = "calls_acknowledged" // each approver acknowledged each tool call that departed or failed
	OverrideConfirmed = "override_confirmed" // a second person confirmed each override to supported
	ApproverApart     = "approver_apart"     // no approver took part in the ledger's review
	JudgementRecent   = "judgement_recent"   // the newest judgement is not older than a number of days
)

// PolicyRules lists the rules: append only (pinned by stored_test.go).
var PolicyRules = []string{ClaimsChecked, CriticalReviewed, AllReviewed, AdverseAnswered, QuotesAnswered,
	CallsAcknowledged, OverrideConfirmed, ApproverApart, JudgementRecent}

// Policy is what a tenant asks before a pack is signed, by approval class.
type Policy struct {
	Version int `json:"version"` // 0 is the default, which nobody has changed
	// each of PolicyRules, in that order
	Rules []PolicyRule `json:"rules"`
	// bulk confirm takes critical and flagged claims too
	BulkConfirmsAll bool `json:"bulk_confirms_all"`
}

// PolicyRule is what one rule asks in each class. Days is for JudgementRecent: how old the judgement may be.
type PolicyRule struct {
	Rule string     `json:"rule"`
	A0   Demand     `json:"A0"`
	A1   Demand     `json:"A1"`
	A2   Demand     `json:"A2"`
	A3   Demand     `json:"A3"`
	Days *ClassDays `json:"days,omitempty"`
}

// ClassDays is a number of days for each approval class. It is not used where the rule is off.
type ClassDays struct {
	A0 int `json:"A0"`
	A1 int `json:"A1"`
	A2 int `json:"A2"`
	A3 int `json:"A3"`
}

// MaxPolicyDays is the longest time that JudgementRecent can allow.
const MaxPolicyDays = 3650

// DefaultPolicy returns the strict policy of a tenant that has set none.
func DefaultPolicy() *Policy {
	row := func(rule string, a0, a1, a2, a3 Demand) PolicyRule {
		return PolicyRule{Rule: rule, A0: a0, A1: a1, A2: a2, A3: a3}
	}
	recent := row(JudgementRecent, Off, Off, Must, Must)
	recent.Days = &ClassDays{A0: 365, A1: 365, A2: 90, A3: 30}
	return &Policy{Rules: []PolicyRule{
		row(ClaimsChecked, Warn, Warn, Must, Must),
		row(CriticalReviewed, Warn, Warn, Must, Must),
		row(AllReviewed, Off, Off, Warn, Must),
		row(AdverseAnswered, Warn, Warn, Must, Must),
		row(QuotesAnswered, Must, Must, Must, Must),
		row(CallsAcknowledged, Must, Must, Must, Must),
		row(OverrideConfirmed, Off, Off, Must, Must),
		row(ApproverApart, Off, Off, Must, Must),
		recent,
	}}
}

// Demand returns what a rule asks in a class; Off for an unknown one.
func (p *Policy) Demand(rule, class string) Demand {
	i := slices.IndexFunc(p.Rules, func(r PolicyRule) bool { return r.Rule == rule })
	if i < 0 {
		return Off
	}
	return p.Rules[i].In(class)
}

// Reasons returns in which classes a claim needs a review with a reason before the pack is signed.
func (p *Policy) Reasons() ledger.Reasons {
	return ledger.Reasons{Adverse: p.Classes(AdverseAnswered), Invented: p.Classes(QuotesAnswered)}
}

// Apart returns the classes whose packs are not approved by whoever took part in the review of their claims.
func (p *Policy) Apart() []string { return p.Classes(ApproverApart) }

// Classes returns the classes in which a pack that breaks a rule is not signed.
func (p *Policy) Classes(rule string) (out []string) {
	for _, class := range ApprovalClasses {
		if p.Demand(rule, class) == Must {
			out = append(out, class)
		}
	}
	return out
}

// In returns what the rule asks in a class, Off for an unknown one.
func (r *PolicyRule) In(class string) Demand {
	if d := r.of(class); d != nil {
		return *d
	}
	return Off
}

// Set changes what the rule asks in a class.
func (r *PolicyRule) Set(class string, d Demand) {
	if at := r.of(class); at != nil {
		*at = d
	}
}

func (r *PolicyRule) of(class string) *Demand {
	i := slices.Index(ApprovalClasses, class)
	if i < 0 {
		return nil
	}
	return []*Demand{&r.A0, &r.A1, &r.A2, &r.A3}[i]
}

// Of returns the number of days in a class, 0 for an unknown one.
func (d *ClassDays) Of(class string) int {
	i := slices.Index(ApprovalClasses, class)
	if d == nil || i < 0 {
		return 0
	}
	return []int{d.A0, d.A1, d.A2, d.A3}[i]
}

// Check returns an error unless the policy has each rule once, in order, with valid demands. It names the first place.
func (p *Policy) Check() error {
	if len(p.Rules) != len(PolicyRules) {
		return domain.Refuse(domain.Invalid, "rules", "refused_policy_each_rules", "N", len(PolicyRules))
	}
	for i := range p.Rules {
		if err := p.Rules[i].check(i); err != nil {
			return err
		}
	}
	return nil
}

func (r *PolicyRule) check(i int) error {
	path := "rules[" + strconv.Itoa(i) + "]."
	if r.Rule != PolicyRules[i] {
		return domain.Refuse(domain.Invalid, path+"rule", "refused_must_rules_stand", "Name", PolicyRules[i])
	}
	for _, class := range ApprovalClasses {
		if !slices.Contains(Demands, r.In(class)) {
			return domain.Refuse(domain.Invalid, path+class, "fault_demand")
		}
	}
	if (r.Days != nil) != (r.Rule == JudgementRecent) {
		return domain.Refuse(domain.Invalid, path+"days", "refused_days_rule_other", "Name", JudgementRecent)
	}
	for _, class := range ApprovalClasses {
		if n := r.Days.Of(class); r.Days != nil && (n < 1 || n > MaxPolicyDays) {
			return domain.Refuse(domain.Invalid, path+"days."+class, "fault_policy_days", "Most", MaxPolicyDays)
		}
	}
	return nil
}

// Same reports whether two policies ask the same, whatever their versions.
func (p *Policy) Same(q *Policy) bool {
	a, b := *p, *q
	a.Version, b.Version = 0, 0
	x, errA := json.Marshal(a)
	y, errB := json.Marshal(b)
	return errA == nil && errB == nil && string(x) == string(y)
}
