package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// as returns a reviewer.
func as(person string) access.Actor {
	return access.Actor{ID: person, User: "Name of " + person, Role: access.Reviewer}
}

// several is a decision on several claims: those that are given, or all.
func several(action ledger.Action, batch string, claims ...int) ledger.Decision {
	return ledger.Decision{ReviewInput: ledger.ReviewInput{Action: action, Batch: batch},
		Selection: &ledger.Selection{Claims: claims}}
}

// loaded returns the ledger of a session with only some claims (all if none are given), as the store loads it for a
// decision on them.
func loaded(s *ledger.Session, claims ...int) *ledger.Ledger {
	whole := ledger.Assess(s, 24)
	part := *s
	l := &ledger.Ledger{Session: &part, Overview: whole.Overview}
	part.Claims = nil
	for i := range s.Claims {
		if len(claims) == 0 || slices.Contains(claims, i) {
			c := s.Claims[i]
			c.Reviews = slices.Clone(c.Reviews)
			part.Claims = append(part.Claims, c)
		}
	}
	for _, c := range part.Claims {
		e, _ := part.EntryAt(c.Position, whole.Entries[c.Position].Flags)
		l.Entries = append(l.Entries, e)
	}
	return l
}

// decide makes a decision on a session, which it changes.
func decide(s *ledger.Session, d ledger.Decision, who access.Actor) (*ledger.Outcome, error) {
	n := s.Revision * 100
	d.At, d.NewID = at, func() string { n++; return fmt.Sprint("id", n) }
	if err := d.Check(); err != nil {
		return nil, err
	}
	l := loaded(s)
	out, err := l.Decide(&d, who, false)
	if err == nil && !d.DryRun {
		*s = *l.Session
	}
	return out, err
}

func TestDecisionOnOneClaim(t *testing.T) {
	for name, c := range map[string]struct {
		in   ledger.ReviewInput
		want ledger.Review
		says []any // verdict, state and importance after it
	}{
		"confirm": {in: ledger.ReviewInput{Action: ledger.Confirm},
			want: ledger.Review{Action: ledger.Confirm, Verdict: ledger.Supported},
			says: []any{ledger.Supported, ledger.Confirmed, ledger.Material}},
		"override": {in: ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Weak, Reason: " why "},
			want: ledger.Review{Action: ledger.Override, Verdict: ledger.Weak, Reason: "why"},
			says: []any{ledger.Weak, ledger.Overridden, ledger.Material}},
		"edit": {in: ledger.ReviewInput{Action: ledger.Edit, Importance: ledger.Critical},
			want: ledger.Review{Action: ledger.Edit, Importance: ledger.Critical},
			says: []any{ledger.Supported, ledger.Unreviewed, ledger.Critical}},
		"comment": {in: ledger.ReviewInput{Action: ledger.Comment, Reason: "hm"},
			want: ledger.Review{Action: ledger.Comment, Reason: "hm"},
			says: []any{ledger.Supported, ledger.Unreviewed, ledger.Material}},
		"needs evidence": {in: ledger.ReviewInput{Action: ledger.NeedsEvidence},
			want: ledger.Review{Action: ledger.NeedsEvidence},
			says: []any{ledger.Supported, ledger.Wanting, ledger.Material}},
		"somebody else's name and a batch are not taken": {
			in:   ledger.ReviewInput{Action: ledger.Confirm, By: "b", Batch: "x"},
			want: ledger.Review{Action: ledger.Confirm, Verdict: ledger.Supported},
			says: []any{ledger.Supported, ledger.Confirmed, ledger.Material}},
	} {
		t.Run(name, func(t *testing.T) {
			s := two(3, ledger.OneReviewer)
			none := 0
			out, err := decide(s, ledger.Decision{ReviewInput: c.in, Claim: 1, Seen: &none}, as("a"))
			require.NoError(t, err)
			c.want.ID, c.want.Actor, c.want.Role, c.want.At, c.want.By = "id101", "Name of a", "reviewer", at, "a"
			require.Equal(t, []ledger.Review{c.want}, s.Claims[1].Reviews)
			require.Empty(t, s.Claims[0].Reviews)
			e := &out.Entries[1]
			require.Equal(t, []any{e.Verdict, e.State, e.Importance}, c.says)
			require.Equal(t, []any{[]int{1}, 2}, []any{out.Claims, s.Revision})
		})
	}
}

func TestDecisionOnOneClaimIsTakenBack(t *testing.T) {
	s := two(2, ledger.OneReviewer)
	says(t, s, "a", 1, ledger.Weak)
	seen := 1
	out, err := decide(s, ledger.Decision{ReviewInput: ledger.ReviewInput{Action: ledger.Undo}, Claim: 1, Seen: &seen},
		as("a"))
	require.NoError(t, err)
	require.Equal(t, 1, s.Claims[1].Reviews[1].Undoes)
	require.Equal(t, []any{ledger.Supported, ledger.Unreviewed}, []any{out.Entries[1].Verdict, out.Entries[1].State})
}

func TestDecisionOnSeveralClaims(t *testing.T) {
	s := two(7, ledger.OneReviewer)
	s.Claims[1].Unjudged, s.Claims[1].Matches = "timeout", nil
	says(t, s, "b", 2, "")
	s.Claims[3].Importance = ledger.Critical
	s.Claims[4].Matches = nil // flagged: no evidence
	revision := s.Revision
	plan := ledger.Plan{Confirm: []int{0, 5, 6}, Unjudged: []int{1}, Decided: []int{2}, Spared: []int{3, 4}}

	d := several(ledger.Confirm, "batch")
	d.DryRun = true
	out, err := decide(s, d, as("a"))
	require.NoError(t, err)
	require.Equal(t, []any{plan, plan.Confirm}, []any{out.Plan, out.Claims})
	require.Empty(t, out.Session.Claims[0].Reviews, "a dry run reviews nothing")
	require.Equal(t, revision, out.Session.Revision)

	d.DryRun, d.Seen = false, &revision
	out, err = decide(s, d, as("a"))
	require.NoError(t, err)
	require.Equal(t, []any{plan, plan.Confirm}, []any{out.Plan, out.Claims})
	require.Equal(t, revision+1, s.Revision, "one step")
	require.Equal(t, ledger.Review{ID: "id203", Actor: "Name of a", Role: "reviewer", At: at, Action: ledger.Confirm,
		Verdict: ledger.Supported, By: "a", Batch: "batch"}, s.Claims[6].Reviews[0])
	require.Empty(t, s.Claims[3].Reviews)

	says(t, s, "a", 5, ledger.Weak) // later, so that the step's review is not the newest
	says(t, s, "a", 6, "undo")
	out, err = decide(s, several(ledger.Undo, "batch"), as("a"))
	require.NoError(t, err)
	require.Equal(t, []any{[]int{0}, ledger.Skipped{Again: 1, Withdrawn: 1}}, []any{out.Claims, out.Skipped})
	require.Equal(t, []any{1, ""}, []any{s.Claims[0].Reviews[1].Undoes, s.Claims[0].Reviews[1].Batch})
	require.Equal(t, ledger.Weak, entry(t, s, 5).Verdict)
	require.Equal(t, ledger.Unreviewed, entry(t, s, 0).State)
}

// What the policy allows is confirmed too.
func TestPolicyLetsAStepConfirmAll(t *testing.T) {
	s := two(2, ledger.OneReviewer)
	s.Claims[1].Importance = ledger.Critical
	d := several(ledger.Confirm, "batch")
	d.DryRun = true
	for all, want := range map[bool][]int{false: {0}, true: {0, 1}} {
		out, err := loaded(s).Decide(&d, as("a"), all)
		require.NoError(t, err)
		require.Equal(t, want, out.Claims)
	}
}

func TestRefusedDecisions(t *testing.T) {
	number := func(n int) *int { return &n }
	one := func(claim int, in ledger.ReviewInput) ledger.Decision {
		return ledger.Decision{ReviewInput: in, Claim: claim}
	}
	with := func(d ledger.Decision, change func(*ledger.Decision)) ledger.Decision { change(&d); return d }
	for name, c := range map[string]struct {
		d    ledger.Decision
		who  access.Actor
		kind domain.Kind
		path string
		none bool // no claim waits
	}{
		"no such claim":     {d: one(9, ledger.ReviewInput{Action: ledger.Confirm}), kind: domain.NotFound},
		"no such action":    {d: one(0, ledger.ReviewInput{Action: "x"}), kind: domain.Invalid, path: "action"},
		"confirmed already": {d: one(2, ledger.ReviewInput{Action: ledger.Confirm}), kind: domain.Invalid, path: "action"},
		"no verdict":        {d: one(1, ledger.ReviewInput{Action: ledger.Confirm}), kind: domain.Invalid, path: "action"},
		"override by nothing": {d: one(0, ledger.ReviewInput{Action: ledger.Override, Reason: "r"}),
			kind: domain.Invalid, path: "verdict"},
		"override, no reason": {d: one(0, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Weak}),
			kind: domain.Invalid, path: "reason"},
		"edit without change": {d: one(0, ledger.ReviewInput{Action: ledger.Edit}), kind: domain.Invalid, path: "claim_type"},
		"empty comment":       {d: one(0, ledger.ReviewInput{Action: ledger.Comment}), kind: domain.Invalid, path: "reason"},
		"long reason": {d: one(0, ledger.ReviewInput{Action: ledger.NeedsEvidence,
			Reason: strings.Repeat("x", ledger.MaxReason+1)}), kind: domain.TooLarge, path: "reason"},
		"nothing to take back": {d: one(0, ledger.ReviewInput{Action: ledger.Undo}), kind: domain.Invalid, path: "action"},
		"another's comment": {d: one(0, ledger.ReviewInput{Action: ledger.Undo, Undoes: "x"}),
			kind: domain.Invalid, path: "review_id"},
		"reviewed meanwhile": {d: with(one(2, ledger.ReviewInput{Action: ledger.NeedsEvidence}),
			func(d *ledger.Decision) { d.Seen = number(0) }), kind: domain.Conflict},

		"several, overridden": {d: several(ledger.Override, "x"), kind: domain.Invalid, path: "action"},
		"more than a step takes": {d: several(ledger.Confirm, "x", make([]int, ledger.MaxBulk+1)...),
			kind: domain.TooLarge, path: "claims"},
		"dry run of an undo": {d: with(several(ledger.Undo, "step"), func(d *ledger.Decision) { d.DryRun = true }),
			kind: domain.Invalid, path: "dry_run"},
		"another revision": {d: with(several(ledger.Confirm, "x"), func(d *ledger.Decision) { d.Seen = number(7) }),
			kind: domain.Conflict},
		"a claim that is not there": {d: with(several(ledger.Confirm, "x", 0, 9),
			func(d *ledger.Decision) { d.Strict = true }),
			kind: domain.Invalid, path: "claims[1]"},
		"one before the first": {d: with(several(ledger.Undo, "step", -1), func(d *ledger.Decision) { d.Strict = true }),
			kind: domain.Invalid, path: "claims[0]"},
		"nothing left to confirm":   {d: several(ledger.Confirm, "x"), kind: domain.Invalid, path: "filter", none: true},
		"another's step":            {d: several(ledger.Undo, "step"), kind: domain.Invalid, path: "batch_id", who: as("b")},
		"no such step":              {d: several(ledger.Undo, "other"), kind: domain.Invalid, path: "batch_id"},
		"a step without a name":     {d: several(ledger.Undo, ""), kind: domain.Invalid, path: "batch_id"},
		"a step of nobody in sight": {d: several(ledger.Undo, "step"), kind: domain.Invalid, path: "batch_id", who: as("")},
	} {
		t.Run(name, func(t *testing.T) {
			s := two(4, ledger.OneReviewer)
			s.Claims[1].Unjudged, s.Claims[1].Matches = "timeout", nil
			says(t, s, "a", 2, "")
			in := ledger.ReviewInput{Action: ledger.Confirm, By: "a", Batch: "step"}
			_, err := s.AddReview(3, in, "of a step", "A", "reviewer", at)
			require.NoError(t, err)
			if c.none {
				says(t, s, "a", 0, "")
			}
			if c.who.Role == "" {
				c.who = as("a")
			}
			before := ledger.Assess(s, 24)
			_, err = decide(s, c.d, c.who)
			var refused *domain.Error
			require.ErrorAs(t, err, &refused)
			require.Equal(t, []any{c.kind, c.path}, []any{refused.Kind, refused.Path}, refused.Message)
			require.Equal(t, before, ledger.Assess(s, 24))
		})
	}
}

// A step may confirm MaxBulk claims and no more.
func TestStepIsBounded(t *testing.T) {
	_, err := decide(two(ledger.MaxBulk, ledger.OneReviewer), several(ledger.Confirm, "batch"), as("a"))
	require.NoError(t, err)
	_, err = decide(two(ledger.MaxBulk+1, ledger.OneReviewer), several(ledger.Confirm, "batch"), as("a"))
	require.Equal(t, domain.TooLarge, domain.KindOf(err))
}

// A decision on several claims that is made with only these loaded leaves the ledger that Assess computes of the whole
// session, or says that this must be assessed.
func TestDecisionOnPartOfASession(t *testing.T) {
	for _, mode := range ledger.SecondReviews {
		random := rand.New(rand.NewPCG(36, uint64(len(mode))))
		amended, alone, refused := map[ledger.Action]int{}, 0, 0
		for range 120 {
			s := mixed(random, mode)
			for step := range 40 {
				who := as(person(random.IntN(4)))
				if random.IntN(3) == 0 {
					in := ledger.ReviewInput{Action: ledger.Actions[random.IntN(len(ledger.Actions))], Reason: "r", By: who.ID,
						Verdict: ledger.Verdicts[random.IntN(4)], Importance: ledger.Importances[random.IntN(3)]}
					_, _ = s.AddReview(random.IntN(len(s.Claims)), in, fmt.Sprint(step), who.User, "reviewer", at)
					continue
				}
				if random.IntN(10) == 0 {
					rejudge(s, random.IntN(len(s.Claims)), random.IntN(2) == 0)
				}
				d := several(ledger.Confirm, fmt.Sprint("batch", step%3))
				about := random.Perm(len(s.Claims))[:1+random.IntN(9)]
				if random.IntN(2) == 0 {
					d.Action = ledger.Undo
					about = about[:0]
					for i, c := range s.Claims {
						if slices.ContainsFunc(c.Reviews, func(r ledger.Review) bool {
							return r.Batch == d.Batch && r.By == who.ID
						}) {
							about = append(about, i)
						}
					}
				}
				if len(about) == 0 {
					continue
				}
				slices.Sort(about)
				n := 0
				d.At, d.NewID = at, func() string { n++; return fmt.Sprint(step, "-", n) }
				before, part := ledger.Assess(s, 24), loaded(s, about...)
				out, err := part.Decide(&d, who, random.IntN(3) > 0)
				if err != nil {
					require.Equal(t, domain.Invalid, domain.KindOf(err))
					continue
				}
				for _, c := range out.Session.Claims {
					s.Claims[c.Position].Reviews = c.Reviews
				}
				s.Revision, s.SealedBy, s.UpdatedAt = out.Session.Revision, out.Session.SealedBy, out.Session.UpdatedAt
				want := ledger.Assess(s, 24)
				require.Equal(t, want.Sealed, s.SealedBy)
				if !out.Amend(known(t, &before, out.Claims[0], out.Asks())) {
					refused++
					continue
				}
				if amended[d.Action]++; len(out.Claims) == 1 {
					alone++
				}
				require.Equal(t, want.Overview, out.Overview)
				for _, e := range out.Entries {
					require.Equal(t, want.Entries[e.Claim.Position].Flags, e.Flags)
					require.Equal(t, want.Entries[e.Claim.Position].Verdict, e.Verdict)
				}
			}
		}
		t.Logf("%q: %v amended, %d of them with one claim, %d refused", mode, amended, alone, refused)
		require.Greater(t, amended[ledger.Confirm]+amended[ledger.Undo]-alone, 100)
		require.Greater(t, amended[ledger.Undo], 50)
	}
}
