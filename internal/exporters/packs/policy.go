package packs

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// alarm returns an alarm as a sentence, with the claims that it is about.
func (p *language) alarm(c *pack.Content, a *pack.Alarm) string {
	s := a.Text(c, p.Code)
	if len(a.Claims) == 0 {
		return s
	}
	return s + " " + p.T("policy.claims", "Numbers", p.claimNumbers(c, a.Claims))
}

// claimNumbers replaces the ids of claims by their numbers. Other ids stay as they are, since people and tool calls can
// break a rule too.
func (p *language) claimNumbers(c *pack.Content, ids []string) string {
	return p.List(numbered(c, ids)...)
}

// numbered returns claims by their numbers in the pack's ledger, others by their ids.
func numbered(c *pack.Content, ids []string) []string {
	out := slices.Clone(ids)
	if c.Ledger != nil {
		for i := range c.Ledger.Entries {
			e := &c.Ledger.Entries[i]
			if at := slices.Index(out, e.ClaimID); at >= 0 {
				out[at] = "C" + strconv.Itoa(e.Number)
			}
		}
	}
	return out
}

// acknowledged returns the alarms that an approver acknowledged.
func (p *language) acknowledged(c *pack.Content, a *pack.Approval) []string {
	out := make([]string, len(a.Acknowledged))
	for i, id := range a.Acknowledged {
		at := slices.IndexFunc(c.Alarms, func(x pack.Alarm) bool { return x.ID == id })
		since := slices.IndexFunc(a.Since, func(x pack.Since) bool { return x.ID == id })
		switch out[i] = id; {
		case at >= 0:
			out[i] = p.alarm(c, &c.Alarms[at])
		case since >= 0:
			out[i] = p.changed(c, &a.Since[since], true)
		}
	}
	return out
}

// changed returns what changed since submission as a sentence, with what it is about; of a signed pack, what was so at
// the signature.
func (p *language) changed(c *pack.Content, x *pack.Since, signed bool) string {
	id, text := "policy.claims", x.Text(p.Code)
	if signed {
		text = x.TextSigned(p.Code)
	}
	if x.Kind == pack.SourcesWithdrawn {
		id = "policy.documents"
	}
	if x.OfThreads() || x.Kind == pack.SourcesReserved { // which names its source
		return text
	}
	if x.OfSources() {
		id = "policy.sources"
	}
	all := numbered(c, x.IDs())
	for i, o := range x.Objects {
		if o.Was != "" && o.Now != "" && o.Was != o.Now {
			all[i] += " (" + p.T("policy.was_now", "Was", p.Verdict(o.Was), "Now", p.Verdict(o.Now)) + ")"
		}
	}
	return text + " " + p.T(id, "Numbers", p.List(all...))
}

// policy returns the sign-off policy with the outcomes of its rules: as of submission, of a signed pack those at
// sign-off.
func (d *Document) policy() *pack.PolicyRecord {
	if !d.signed() {
		return d.Content.Policy
	}
	out := *d.Content.Policy
	out.Rules = d.Content.OutcomesAtSignOff(d.Life.Approvals)
	return &out
}

// policyHint is the message that says when the outcomes were found.
func (d *Document) policyHint() string {
	if d.signed() {
		return "policy_hint_signed"
	}
	return "policy_hint"
}

// warnings says what no alarm says but an approver should know: rules of the policy that are not met, and what else is
// on the alarm line of the pack's page.
func (p *language) warnings(d *Document) (out []string) {
	policy := d.policy()
	for i := range policy.Rules {
		if o := &policy.Rules[i]; o.Warns() || o.Refuses() {
			out = append(out, p.T("policy_not_met", "Rule", p.rule(o), "Outcome", p.ruleOutcome(&d.Content, o)))
		}
	}
	for _, x := range d.concerns() {
		if x.Warns() && !d.told(x.Kind) {
			out = append(out, p.concern(&d.Content, &x))
		}
	}
	return out
}

// told reports whether an alarm, a rule of the policy or the cover says what a kind of concern counts.
func (d *Document) told(kind string) bool {
	return kind == pack.PolicyBroken || kind == pack.PackReturned ||
		slices.ContainsFunc(d.since(), func(x *pack.Since) bool { return x.Kind == kind }) ||
		slices.ContainsFunc(d.Content.Alarms, func(a pack.Alarm) bool { return a.Kind == kind })
}

// concern returns a concern with what it is about.
func (p *language) concern(c *pack.Content, x *pack.Concern) string {
	s := x.Text(p.Code, nil)
	if len(x.Objects) > 0 {
		s += p.T("concern_colon") + p.claimNumbers(c, x.Objects)
	}
	return s + "."
}

// policyHead returns the version and the class of the policy that a pack was submitted under. Version 0 is the default.
func (p *language) policyHead(r *pack.PolicyRecord) string {
	if r.Version == 0 {
		return p.T("policy.under_default", "Class", r.Class)
	}
	return p.T("policy.under", "N", strconv.Itoa(r.Version), "Class", r.Class)
}

// policyTally counts the rules by outcome: "Met: 6 · Broken: 1". Rules that are not asked do not count.
func (p *language) policyTally(c *pack.Content, r *pack.PolicyRecord) string {
	var parts []string
	vacuous := 0
	for _, outcome := range []pack.Outcome{pack.Met, pack.Unmet, pack.AtSignOff} {
		n := 0
		for i := range r.Rules {
			switch o := &r.Rules[i]; {
			case o.Outcome != outcome || o.Level == pack.Off:
			case noneArose(c, o):
				vacuous++
			default:
				n++
			}
		}
		if n > 0 {
			parts = append(parts, p.name("policy.outcome_", string(outcome))+": "+strconv.Itoa(n))
		}
	}
	if vacuous > 0 {
		parts = append(parts, p.T("nothing_to_judge")+": "+strconv.Itoa(vacuous))
	}
	return strings.Join(parts, " · ")
}

// noneArose reports whether a rule is met because there was nothing that it could be broken by.
func noneArose(c *pack.Content, o *pack.RuleOutcome) bool {
	if o.Outcome != pack.Met {
		return false
	}
	switch o.Rule {
	case pack.CriticalReviewed, pack.AllReviewed, pack.AdverseAnswered, pack.QuotesAnswered, pack.CallsAcknowledged,
		pack.OverrideConfirmed:
		return c.Fact(o, time.Time{}).Of == 0
	}
	return false
}

// rule names a rule of the policy, with its number of days if it has one.
func (p *language) rule(o *pack.RuleOutcome) string {
	s := p.name("policy.rule_", o.Rule)
	if o.Days > 0 {
		s += " (" + p.T("policy_days", "N", strconv.Itoa(o.Days)) + ")"
	}
	return s
}

// ruleOutcome says whether a rule is met and, if not, by which objects.
func (p *language) ruleOutcome(c *pack.Content, o *pack.RuleOutcome) string {
	s := p.name("policy.outcome_", string(o.Outcome))
	if len(o.Objects) > 0 && o.Rule != pack.ApproverApart { // whose objects are ids of people, whom the fact names
		s += ": " + p.claimNumbers(c, o.Objects)
	}
	return s
}

// checkResult is what became of one thing that a claim cites or quotes. bad marks what nobody should rely on.
type checkResult struct {
	id, what, result string
	bad              bool
}

// claimChecks returns what became of what a claim cites and quotes.
func (p *language) claimChecks(e *pack.Entry) (out []checkResult) {
	for _, x := range e.Citations {
		out = append(out, checkResult{id: "citation_check", what: x.Anchor,
			result: p.name("citation_status_", string(x.Status)), bad: x.Status != ledger.Holds && x.Status != ledger.InPart})
	}
	for _, x := range e.Quotations {
		out = append(out, checkResult{id: "quotation_check", what: x.Text,
			result: p.name("quotation_", string(x.Status)), bad: x.Status == ledger.QuoteNotFound})
	}
	if e.Absent > 0 {
		out = append(out, checkResult{id: "absent_snippets", what: strconv.Itoa(e.Absent), bad: true})
	}
	return out
}

// standing says what limits a review: made in bulk, of an earlier judgement, taken back.
func (p *language) standing(r *pack.Review) string {
	var out []string
	if r.Bulk != "" {
		out = append(out, p.T("in_bulk"))
	}
	if r.Stale {
		out = append(out, p.T("said_before"))
	}
	if r.Undone {
		out = append(out, p.T("review_undone_mark"))
	}
	if r.Thread > 0 {
		out = append(out, p.T("thread_of_review", "N", strconv.Itoa(r.Thread)))
	}
	if r.Open {
		out = append(out, p.T("thread_open"))
	}
	return strings.Join(out, " · ")
}

// ruleFact says what happened about a rule of the policy, in figures and names rather than as the demand.
func (p *language) ruleFact(d *Document, o *pack.RuleOutcome) string {
	c := &d.Content
	f := c.Fact(o, d.looked())
	switch o.Rule {
	case pack.ApproverApart:
		return p.T("fact_approver_apart", "Approvers", p.people(d.Life.ApprovalNames()), "Reviewers",
			p.people(c.ReviewerNames()))
	case pack.JudgementRecent:
		if f.Judged == "" {
			return p.T("fact_not_judged")
		}
		return p.T("fact_judgement_recent", "Day", p.Day(f.Judged), "N", strconv.Itoa(f.Age), "Most",
			strconv.Itoa(o.Days))
	}
	if said := p.T("fact_"+o.Rule, "Of", strconv.Itoa(f.Of), "N", strconv.Itoa(f.Done)); said != "fact_"+o.Rule {
		return said
	}
	return "–" // a rule of another version of the program
}

// ruleResult says whether a rule is met and, if not, by what; and who approved all the same where the policy only
// warns.
func (p *language) ruleResult(d *Document, o *pack.RuleOutcome) string {
	if o.Level == pack.Off {
		return p.T("policy.level_off")
	}
	level := p.name("policy.level_", string(o.Level))
	if o.Level == pack.Warn && o.Outcome == pack.Met { // "Warning · Met" reads as a warning
		level = p.T("level_advisory")
	}
	if noneArose(&d.Content, o) {
		return level + " · " + p.T("none_arose")
	}
	s := level + " · " + p.ruleOutcome(&d.Content, o)
	if o.Warns() && len(d.Life.Approvals) > 0 {
		s += p.T("list_separator") + p.T("waived_by", "Names", p.people(d.Life.ApprovalNames()))
	}
	return s
}

// people lists names, each in its own direction.
func (p *language) people(names []string) string {
	if len(names) == 0 {
		return p.T("nobody")
	}
	out := make([]string, len(names))
	for i := range names {
		out[i] = isolated(names[i])
	}
	return strings.Join(out, p.T("list_comma"))
}
