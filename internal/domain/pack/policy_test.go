package pack_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// entryOf returns a reviewed, supported claim without anything to warn of.
func entryOf(change func(e *pack.Entry)) pack.Entry {
	e := pack.Entry{ClaimID: "c1", Number: 1, ClaimText: "Text.", ClaimType: ledger.Fact, Importance: ledger.Critical,
		MachineVerdict: ledger.Supported, Verdict: ledger.Supported, State: ledger.Confirmed,
		Reviews: []pack.Review{reviewBy("u9", ledger.Confirm, ledger.Supported, "")}}
	if change != nil {
		change(&e)
	}
	return e
}

func reviewBy(who string, action ledger.Action, verdict ledger.Verdict, reason string) pack.Review {
	return pack.Review{Actor: "Name of " + who, Role: "reviewer", At: "2026-03-01T09:30:00Z", Action: action,
		Verdict: verdict, Reason: reason, By: who, Member: true, LogIndex: ptr(int64(0))}
}

// packOf returns a content of a class whose ledger has these claims.
func packOf(class string, entries ...pack.Entry) pack.Content {
	d := hospital()
	d.ApprovalClass, d.ToolCalls = class, nil
	c := draftOf(d, nil)
	if len(entries) > 0 {
		c.Ledger = &pack.Ledger{SessionID: "s1", JudgedAt: "2026-03-01T09:00:00Z", Entries: entries}
	}
	return c
}

// breaches break one rule each: the pack, who approves it and when.
var breaches = map[string]struct {
	entries []pack.Entry
	who     string
	at      time.Time
	later   bool // only the approval can tell
}{
	pack.ClaimsChecked:    {},
	pack.CriticalReviewed: {entries: []pack.Entry{entryOf(func(e *pack.Entry) { e.Reviews = nil })}},
	pack.AllReviewed:      {entries: []pack.Entry{entryOf(func(e *pack.Entry) { e.Importance, e.Reviews = ledger.Minor, nil })}},
	pack.AdverseAnswered: {entries: []pack.Entry{entryOf(func(e *pack.Entry) {
		e.MachineVerdict, e.Verdict = ledger.Contradicted, ledger.Contradicted
	})}},
	pack.QuotesAnswered: {entries: []pack.Entry{entryOf(func(e *pack.Entry) {
		e.Quotations = []pack.Quotation{{Text: "x", Status: ledger.QuoteNotFound}}
	})}},
	pack.OverrideConfirmed: {entries: []pack.Entry{entryOf(func(e *pack.Entry) {
		e.MachineVerdict, e.State = ledger.NotFound, ledger.Overridden
		e.Reviews = []pack.Review{reviewBy("u9", ledger.Override, ledger.Supported, "It is there.")}
	})}},
	pack.ApproverApart:   {entries: []pack.Entry{entryOf(nil)}, who: "u9", later: true},
	pack.JudgementRecent: {entries: []pack.Entry{entryOf(nil)}, at: created.AddDate(2, 0, 0)},
}

// Each rule in each class under each demand: must refuses, warn and off let the pack be signed, and the record says
// what was found. All other rules are off, so that only this one speaks.
func TestEveryRuleInEveryClass(t *testing.T) {
	require.Len(t, breaches, len(pack.PolicyRules)-1, "calls_acknowledged has a test of its own")
	for rule, b := range breaches {
		for _, class := range pack.ApprovalClasses {
			for _, demand := range pack.Demands {
				t.Run(fmt.Sprintf("%s %s %s", rule, class, demand), func(t *testing.T) {
					c := packOf(class, b.entries...)
					p := only(rule, class, demand)
					c.SetPolicy(p)
					require.Equal(t, class, c.Policy.Class)
					at, who := b.at, b.who
					if at.IsZero() {
						at = created.Add(time.Hour)
					}
					if who == "" {
						who = "u2"
					}
					var refused *pack.PolicyError
					if err := c.CheckSubmission(at, access.Makers{}); demand == pack.Must && !b.later {
						require.ErrorAs(t, err, &refused)
						require.Equal(t, rule, refused.Rules[0].Rule)
					} else {
						require.NoError(t, err)
					}
					var all []string
					for _, a := range c.Alarms {
						all = append(all, a.ID)
					}
					kept, err := c.CheckApproval(who, at, &pack.Life{}, nil, all)
					if demand == pack.Must {
						require.ErrorAs(t, err, &refused)
						require.Equal(t, rule, refused.Rules[0].Rule)
						return
					}
					require.NoError(t, err)
					for _, o := range c.OutcomesAtSignOff([]pack.Approval{{Actor: who, At: at.Format(time.RFC3339),
						Acknowledged: kept}}) {
						if o.Rule == rule {
							require.Equal(t, []any{demand, pack.Unmet}, []any{o.Level, o.Outcome})
						}
					}
				})
			}
		}
	}
}

// only returns a policy that asks one thing in one class.
func only(rule, class string, what pack.Demand) *pack.Policy {
	p := pack.DefaultPolicy()
	for i := range p.Rules {
		for _, x := range pack.ApprovalClasses {
			p.Rules[i].Set(x, pack.Off)
		}
		if p.Rules[i].Rule == rule {
			p.Rules[i].Set(class, what)
		}
	}
	return p
}

// The default: what page 12 says of each class.
func TestDefaultPolicy(t *testing.T) {
	want := map[string]string{
		pack.ClaimsChecked: "warn warn must must", pack.CriticalReviewed: "warn warn must must",
		pack.AllReviewed: "off off warn must", pack.AdverseAnswered: "warn warn must must",
		pack.QuotesAnswered: "must must must must", pack.CallsAcknowledged: "must must must must",
		pack.OverrideConfirmed: "off off must must", pack.ApproverApart: "off off must must",
		pack.JudgementRecent: "off off must must",
	}
	require.Len(t, want, len(pack.PolicyRules))
	p := pack.DefaultPolicy()
	require.NoError(t, p.Check())
	require.Len(t, p.Rules, len(want))
	for _, r := range p.Rules {
		require.Equal(t, want[r.Rule], fmt.Sprint(r.A0, " ", r.A1, " ", r.A2, " ", r.A3), r.Rule)
	}
	require.Equal(t, []int{90, 30}, []int{p.Rules[8].Days.Of("A2"), p.Rules[8].Days.Of("A3")})
}

// Only a member's confirm or override of the newest judgement is a review.
func TestWhatCountsAsReviewed(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(r *pack.Review)
		want   bool
	}{
		"a confirm":         {func(*pack.Review) {}, true},
		"an override":       {func(r *pack.Review) { r.Action = ledger.Override }, true},
		"a comment":         {func(r *pack.Review) { r.Action = ledger.Comment }, false},
		"an imported one":   {func(r *pack.Review) { r.Member, r.By = false, "" }, false},
		"one taken back":    {func(r *pack.Review) { r.Undone = true }, false},
		"of an older run":   {func(r *pack.Review) { r.Stale = true }, false},
		"wants evidence":    {func(r *pack.Review) { r.Action = ledger.NeedsEvidence }, false},
		"a machine's token": {func(r *pack.Review) { r.Member = false }, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := entryOf(func(e *pack.Entry) { tt.change(&e.Reviews[0]) })
			require.Equal(t, tt.want, e.Reviewed())
		})
	}
}

// Each approver acknowledges each alarm; what was not acknowledged is named.
func TestAlarmsAreAcknowledged(t *testing.T) {
	f := freeze(t, draftOf(hospital(), session(3)))
	all := allOf(f)
	require.NotEmpty(t, all)
	at := created.Add(time.Hour)
	for i := range all {
		_, err := f.Content.CheckApproval("u2", at, &pack.Life{}, nil, append(append([]string{}, all[:i]...), all[i+1:]...))
		var missing *pack.MissingError
		require.ErrorAs(t, err, &missing)
		require.Equal(t, []string{all[i]}, missing.Alarms)
	}
	_, err := f.Content.CheckApproval("u2", at, &pack.Life{}, nil, append(all, "call_failed:T99"))
	require.ErrorContains(t, err, "no alarm with this id")
	kept, err := f.Content.CheckApproval("u2", at, &pack.Life{}, nil, all)
	require.NoError(t, err)
	require.Equal(t, all, kept)
	for _, a := range f.Content.Alarms {
		require.NotContains(t, a.Text(&f.Content, "en")+a.Text(&f.Content, "ar"), "alarm.")
	}
}

// Each rule in each class under the whole default: what breaks it refuses where page 12 says must, and warns where it
// says warn.
func TestDefaultInEveryClass(t *testing.T) {
	for rule, b := range breaches {
		for _, class := range pack.ApprovalClasses {
			t.Run(rule+" "+class, func(t *testing.T) {
				c := packOf(class, b.entries...)
				c.SetPolicy(pack.DefaultPolicy())
				at, who := b.at, b.who
				if at.IsZero() {
					at = created.Add(time.Hour)
				}
				if who == "" {
					who = "u2"
				}
				found := false
				for _, o := range c.OutcomesAtSignOff([]pack.Approval{{Actor: who, At: at.Format(time.RFC3339)}}) {
					if o.Rule != rule {
						continue
					}
					found = true
					want := pack.DefaultPolicy().Demand(rule, class)
					require.Equal(t, []any{pack.Unmet, want, want == pack.Must, want == pack.Warn},
						[]any{o.Outcome, o.Level, o.Refuses(), o.Warns()})
				}
				require.True(t, found)
				err := c.MayApprove(pack.Chain{{State: pack.InReview}}, actor(who, access.Approver), at)
				require.Equal(t, pack.DefaultPolicy().Demand(rule, class) == pack.Must, err != nil, "%v", err)
			})
		}
	}
}

// calls_acknowledged in each class under each demand: must names the alarm that is missing, the others let the pack be
// signed, and the record says which call nobody acknowledged.
func TestCallsAcknowledgedInEveryClass(t *testing.T) {
	for _, class := range pack.ApprovalClasses {
		for _, demand := range pack.Demands {
			t.Run(fmt.Sprintf("%s %s", class, demand), func(t *testing.T) {
				c := packOf(class, entryOf(nil))
				c.ToolCalls = hospital().Calls()
				c.SetPolicy(only(pack.CallsAcknowledged, class, demand))
				require.NoError(t, c.CheckSubmission(created, access.Makers{}))
				var calls, rest []string
				for _, a := range c.Alarms {
					if a.OfCall() {
						calls = append(calls, a.ID)
					} else {
						rest = append(rest, a.ID)
					}
				}
				require.NotEmpty(t, calls)
				at := created.Add(time.Hour)
				_, err := c.CheckApproval("u2", at, &pack.Life{}, nil, rest)
				if demand == pack.Must {
					var missing *pack.MissingError
					require.ErrorAs(t, err, &missing)
					require.Equal(t, calls, missing.Alarms)
					return
				}
				require.NoError(t, err)
				for _, o := range c.OutcomesAtSignOff([]pack.Approval{{Actor: "u2", At: at.Format(time.RFC3339)}}) {
					if o.Rule == pack.CallsAcknowledged {
						require.Equal(t, []any{demand, pack.Unmet, len(calls)}, []any{o.Level, o.Outcome, len(o.Objects)})
					}
				}
			})
		}
	}
}

// Under the default, a pack with zero reviews cannot be submitted or signed from A2 on.
func TestZeroReviewsAreRefusedByDefault(t *testing.T) {
	for _, class := range []string{"A2", "A3"} {
		c := packOf(class, entryOf(func(e *pack.Entry) { e.Reviews, e.State = nil, ledger.Unreviewed }))
		c.SetPolicy(pack.DefaultPolicy())
		var refused *pack.PolicyError
		require.ErrorAs(t, c.CheckSubmission(created, access.Makers{}), &refused)
		require.Equal(t, pack.CriticalReviewed, refused.Rules[0].Rule)
		require.ErrorAs(t, c.MayApprove(pack.Chain{{State: pack.InReview}}, actor("u2", access.Approver), created), &refused)
	}
}

// Where the policy asks for two people, two who count as one person are one: who confirms an override, and who approves
// beside whoever reviewed.
func TestPolicyCountsPeopleNotAccounts(t *testing.T) {
	at := created.Add(time.Hour)
	makers := access.MakersOf([]access.Made{{Person: "u9", By: "m"}, {Person: "u2", By: "m"}})
	refuses := func(err error, rule string) {
		t.Helper()
		var refused *pack.PolicyError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, rule, refused.Rules[0].Rule)
	}

	c := packOf("A2", entryOf(func(e *pack.Entry) {
		e.MachineVerdict, e.State = ledger.NotFound, ledger.Overridden
		e.Reviews = []pack.Review{reviewBy("u9", ledger.Override, ledger.Supported, "It is there."),
			reviewBy("u2", ledger.Confirm, ledger.Supported, "So it is.")}
	}))
	c.SetPolicy(only(pack.OverrideConfirmed, "A2", pack.Must))
	require.NoError(t, c.CheckSubmission(at, access.Makers{}))
	refuses(c.CheckSubmission(at, makers), pack.OverrideConfirmed)
	inReview := func(m access.Makers) pack.Chain { return pack.Chain{{State: pack.InReview, Makers: m}} }
	require.NoError(t, c.MayApprove(inReview(access.Makers{}), actor("u3", access.Approver), at))
	refuses(c.MayApprove(inReview(makers), actor("u3", access.Approver), at), pack.OverrideConfirmed)

	c = packOf("A2", entryOf(nil)) // reviewed by u9
	c.SetPolicy(only(pack.ApproverApart, "A2", pack.Must))
	require.NoError(t, c.MayApprove(inReview(access.Makers{}), actor("u2", access.Approver), at))
	refuses(c.MayApprove(inReview(makers), actor("u2", access.Approver), at), pack.ApproverApart)
	require.NoError(t, c.MayApprove(inReview(makers), actor("u3", access.Approver), at))
}

// TestSettingAsideIsTakingPart: whoever set a claim aside or put others in its place does not approve either, and is
// named among those who reviewed.
func TestSettingAsideIsTakingPart(t *testing.T) {
	c := draftOf(hospital(), setAside())
	c.SetPolicy(only(pack.ApproverApart, "A2", pack.Must))
	at := created.Add(time.Hour)
	chain := pack.Chain{{State: pack.InReview}}
	require.NoError(t, c.MayApprove(chain, actor("u2", access.Approver), at))
	for _, who := range []string{"u8", "u9"} {
		require.Error(t, c.MayApprove(chain, actor(who, access.Approver), at), who)
	}
	require.Equal(t, []string{"Name of u9", "Name of u8"}, c.ReviewerNames())
}

// TestReasonsAreThoseOfThePolicy: the review form and the list mark exactly the claims that a pack would not be signed
// with: those that the policy's two rules about reasons name.
func TestReasonsAreThoseOfThePolicy(t *testing.T) {
	asked := pack.DefaultPolicy().Reasons()
	require.Equal(t, ledger.Reasons{Adverse: []string{"A2", "A3"}, Invented: []string{"A0", "A1", "A2", "A3"}}, asked)
	require.Zero(t, (&pack.Policy{}).Reasons())

	s := reviewed(7).Session
	for i, change := range []func(c *ledger.Claim, r *ledger.Review){
		func(_ *ledger.Claim, r *ledger.Review) {
			r.Action, r.Verdict, r.Reason = ledger.Override, ledger.NotFound, ""
		},
		func(_ *ledger.Claim, r *ledger.Review) { r.Action, r.Verdict = ledger.Override, ledger.Contradicted },
		func(c *ledger.Claim, r *ledger.Review) { c.Matches, r.Verdict, r.Reason = nil, ledger.NotFound, " " },
		func(c *ledger.Claim, r *ledger.Review) { c.Matches, r.Verdict = nil, ledger.NotFound },
		func(c *ledger.Claim, r *ledger.Review) { c.Checks.Absent, r.Reason = []int{0}, "" },
		func(c *ledger.Claim, r *ledger.Review) {
			c.Checks.Citations, r.Reason = []ledger.CitationCheck{{Status: ledger.Elsewhere}}, ""
		},
		func(_ *ledger.Claim, r *ledger.Review) { r.Reason = "" },
	} {
		change(&s.Claims[i], &s.Claims[i].Reviews[0])
	}
	l := ledger.Assess(s, 24)
	var marked []string
	for i := range l.Entries {
		if e := &l.Entries[i]; len(asked.Classes(e)) > 0 && !e.Reasoned() {
			marked = append(marked, e.Claim.Key)
		}
	}
	require.Equal(t, []string{"clm_001", "clm_003", "clm_005", "clm_006"}, marked)
	c := draftOf(hospital(), &l)
	broken := map[string]bool{}
	for _, rule := range []string{pack.AdverseAnswered, pack.QuotesAnswered} {
		c.SetPolicy(only(rule, "A2", pack.Must))
		for _, o := range c.OutcomesAtSignOff(nil) {
			for _, id := range o.Objects {
				broken[id] = o.Rule == rule
			}
		}
	}
	require.Equal(t, marked, slices.Sorted(maps.Keys(broken)))
}
