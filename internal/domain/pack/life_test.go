package pack_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/pack"
)

var digest = strings.Repeat("ab", 32)

func opened(t testing.TB, d *pack.Decision, who access.Actor) pack.Chain {
	t.Helper()
	c := pack.Content{PackID: id1, Header: d.Header, Requirement: pack.Requires(&d.Header)}
	l, err := pack.Open(&c, who)
	require.NoError(t, err)
	return pack.Chain{l}
}

// inState returns a pack that u1 made and u8 decided.
func inState(t testing.TB, state pack.State) pack.Chain {
	t.Helper()
	chain := opened(t, hospital(), actor("u1", access.Reviewer))
	l := chain[0]
	if state == pack.Draft {
		return chain
	}
	if state == pack.Discarded {
		require.NoError(t, chain.Discard(actor("u8", access.Reviewer), l.Revision, created, "Another system decides."))
		return chain
	}
	require.NoError(t, chain.Submit(actor("u1", access.Reviewer), l.Revision, created, nil, digest))
	switch state {
	case pack.SignedOff, pack.Superseded:
		signed, err := chain.Approve(actor("u8", access.Approver), l.Revision, created, pack.Signing{Digest: digest})
		require.NoError(t, err)
		require.True(t, signed)
	case pack.Returned:
		require.NoError(t, chain.Return(actor("u8", access.Approver), l.Revision, created, "No."))
	case pack.Draft, pack.InReview, pack.Discarded:
	}
	if state == pack.Superseded {
		next := successor(t, chain, id2, actor("u1", access.Reviewer))
		require.NoError(t, next.Submit(actor("u1", access.Reviewer), next[0].Revision, created, nil, digest))
		_, err := next.Approve(actor("u8", access.Approver), next[0].Revision, created, pack.Signing{Digest: digest})
		require.NoError(t, err)
	}
	require.Equal(t, state, l.State)
	return chain
}

// successor opens a new version that supersedes the chain.
func successor(t testing.TB, chain pack.Chain, id string, who access.Actor) pack.Chain {
	t.Helper()
	require.NoError(t, chain.NewVersion(who, false))
	old := pack.Content{
		PackID: chain[0].PackID, Header: hospital().Header, Requirement: pack.Requires(&hospital().Header),
		Version: 1,
	}
	c := old.Next(id, created)
	require.Equal(t, chain[0].PackID, c.Supersedes)
	require.Equal(t, 2, c.Version)
	l, err := pack.Open(&c, who)
	require.NoError(t, err)
	return append(pack.Chain{l}, chain...)
}

var actions = map[string]func(chain pack.Chain, who access.Actor) error{
	"edit":   func(c pack.Chain, who access.Actor) error { return c.Edit(who, c[0].Revision) },
	"submit": func(c pack.Chain, who access.Actor) error { return c.Submit(who, c[0].Revision, created, nil, digest) },
	"approve": func(c pack.Chain, who access.Actor) error {
		_, err := c.Approve(who, c[0].Revision, created, pack.Signing{Digest: digest, Comment: "fine"})
		return err
	},
	"return":      func(c pack.Chain, who access.Actor) error { return c.Return(who, c[0].Revision, created, "Not yet.") },
	"new version": func(c pack.Chain, who access.Actor) error { return c.NewVersion(who, false) },
	"discard": func(c pack.Chain, who access.Actor) error {
		return c.Discard(who, c[0].Revision, created, "Decided by hand.")
	},
	"hold": func(c pack.Chain, who access.Actor) error { return c[0].PutOnHold(who, created, "case 7") },
}

// allowed states who may do what in which state, written independently of the code.
var allowed = map[string]struct {
	states  []pack.State
	least   access.Role
	machine bool // allowed for a machine's token
	maker   bool // allowed for whoever made the pack
}{
	"edit":    {states: []pack.State{pack.Draft}, least: access.Reviewer, machine: true, maker: true},
	"submit":  {states: []pack.State{pack.Draft}, least: access.Reviewer, machine: true, maker: true},
	"approve": {states: []pack.State{pack.InReview}, least: access.Approver},
	"return":  {states: []pack.State{pack.InReview}, least: access.Approver, maker: true},
	"new version": {
		states: []pack.State{pack.SignedOff, pack.Returned}, least: access.Reviewer, machine: true,
		maker: true,
	},
	"discard": {states: []pack.State{pack.Draft}, least: access.Reviewer, machine: true, maker: true},
	"hold":    {states: pack.States, least: access.Admin, machine: true, maker: true},
}

func TestLifeMatrix(t *testing.T) {
	for action, do := range actions {
		rule := allowed[action]
		for _, state := range pack.States {
			for _, role := range append([]access.Role{""}, access.Roles...) {
				for _, maker := range []bool{true, false} {
					for _, human := range []bool{true, false} {
						chain := inState(t, state)
						who := actor("u9", role)
						if maker {
							who.ID = "u1"
						}
						who.Human = human
						before := fmt.Sprintf("%+v", *chain[0])
						err := do(chain, who)
						name := fmt.Sprintf("%s %s as %q, maker %v, human %v", action, state, role, maker, human)
						may := contains(rule.states, state) && role.AtLeast(rule.least) && (human || rule.machine) &&
							(!maker || rule.maker)
						if may {
							require.NoError(t, err, name)
							continue
						}
						require.Error(t, err, name)
						require.Contains(t, []domain.Kind{domain.Denied, domain.Conflict}, domain.KindOf(err), name)
						require.Equal(t, before, fmt.Sprintf("%+v", *chain[0]), "%s changed something", name)
					}
				}
			}
		}
	}
}

func contains(states []pack.State, s pack.State) bool {
	for _, x := range states {
		if x == s {
			return true
		}
	}
	return false
}

// TestAuthorsOfAnyVersionMayNotApprove: nobody who made or edited any version may approve, not even administrators.
func TestAuthorsOfAnyVersionMayNotApprove(t *testing.T) {
	first := opened(t, hospital(), actor("u1", access.Reviewer))
	require.NoError(t, first.Edit(actor("u2", access.Admin), 1))
	require.NoError(t, first.Submit(actor("u3", access.Approver), 2, created, nil, digest))
	_, err := first.Approve(actor("u4", access.Approver), 3, created, pack.Signing{Digest: digest})
	require.NoError(t, err)
	second := successor(t, first, id2, actor("u5", access.Approver))
	require.NoError(t, second.Submit(actor("u5", access.Approver), 1, created, nil, digest))
	third := "pack_0000000000000003"
	require.NoError(t, second.Return(actor("u4", access.Approver), 2, created, "The tower is missing."))
	chain := successor(t, second, third, actor("u6", access.Admin))
	require.NoError(t, chain.Submit(actor("u6", access.Admin), 1, created, nil, digest))
	require.Equal(t, []string{"u1", "u2", "u3", "u5", "u6"}, chain.Authors())
	for _, id := range chain.Authors() {
		_, err := chain.Approve(actor(id, access.Admin), chain[0].Revision, created, pack.Signing{Digest: digest})
		require.Equal(t, domain.Denied, domain.KindOf(err), id)
		require.Error(t, chain.MayDecide(actor(id, access.Admin)))
	}
	signed, err := chain.Approve(actor("u4", access.Approver), chain[0].Revision, created, pack.Signing{Digest: digest})
	require.NoError(t, err, "somebody who approved or returned an earlier version may approve")
	require.True(t, signed)
	require.Equal(t, []pack.State{pack.SignedOff, pack.Superseded, pack.Superseded},
		[]pack.State{chain[0].State, chain[1].State, chain[2].State})
	require.Equal(t, third, chain[2].SupersededBy)
	require.Len(t, chain[2].Approvals, 1, "the old approval stays on record")
}

// TestCreatorsOfTokensMayNotApprove: nobody may approve who created the token of a machine that made any version.
func TestCreatorsOfTokensMayNotApprove(t *testing.T) {
	first := opened(t, hospital(), actor("robot", access.Reviewer))
	first[0].TokenIssuers = []string{"u7"}
	require.NoError(t, first.Submit(actor("u1", access.Reviewer), 1, created, nil, digest))
	require.NoError(t, first.Return(actor("u7", access.Approver), 2, created, "Who returns does not stand for it."))
	chain := successor(t, first, id2, actor("u1", access.Reviewer))
	require.NoError(t, chain.Submit(actor("u1", access.Reviewer), 1, created, nil, digest))
	_, err := chain.Approve(actor("u7", access.Admin), 2, created, pack.Signing{Digest: digest})
	require.Equal(t, domain.Denied, domain.KindOf(err))
	signed, err := chain.Approve(actor("u8", access.Approver), 2, created, pack.Signing{Digest: digest})
	require.NoError(t, err)
	require.True(t, signed)
	require.Empty(t, chain.LastSigned(), "the previous version was returned")
}

func TestA3NeedsTwoApprovers(t *testing.T) {
	d := hospital()
	d.ApprovalClass = "A3"
	chain := opened(t, d, actor("u1", access.Reviewer))
	l := chain[0]
	require.NoError(t, chain.Submit(actor("u1", access.Reviewer), 1, created, nil, digest))
	signed, err := chain.Approve(actor("u2", access.Approver), 2, created, pack.Signing{Digest: digest})
	require.NoError(t, err)
	require.False(t, signed)
	require.True(t, l.Unresolved())
	id, _ := l.Reviewer()
	require.Empty(t, id)
	_, err = chain.Approve(actor("u2", access.Admin), 3, created, pack.Signing{Digest: digest})
	require.Equal(t, domain.Conflict, domain.KindOf(err), "the same person twice")
	_, err = chain.Approve(actor("u3", access.Approver), 2, created, pack.Signing{Digest: digest})
	require.Equal(t, domain.Conflict, domain.KindOf(err), "a stale revision")
	_, err = chain.Approve(actor("u3", access.Approver), 3, created, pack.Signing{Digest: strings.Repeat("cd", 32)})
	require.Equal(t, domain.Conflict, domain.KindOf(err), "not the bytes that they read")
	signed, err = chain.Approve(actor("u3", access.Approver), 3, created, pack.Signing{Digest: digest, Comment: " fine "})
	require.NoError(t, err)
	require.True(t, signed)
	require.False(t, l.Unresolved())
	id, _ = l.Reviewer()
	require.Equal(t, "u3", id)
	require.Equal(t, "fine", l.Approvals[1].Comment)
	require.Equal(t, digest, l.Approvals[1].Digest)
}

func TestSubmitRefusesFaultyDrafts(t *testing.T) {
	chain := opened(t, hospital(), actor("u1", access.Reviewer))
	c := draftOf(hospital(), nil)
	c.Memo.BodyAR = ""
	err := chain.Submit(actor("u1", access.Reviewer), 1, created, c.Validate(nil), digest)
	require.Equal(t, domain.Invalid, domain.KindOf(err))
	require.ErrorContains(t, err, "rule 11 (memo.body_ar)")
	require.NotContains(t, err.Error(), "rule 23", "warnings do not prevent submission")
	require.Error(t, chain.Submit(actor("u1", access.Reviewer), 1, created, nil, "no digest"))
	require.Equal(t, pack.Draft, chain[0].State)
}

func TestReasonsAreRequired(t *testing.T) {
	chain := inState(t, pack.InReview)
	for _, reason := range []string{"", " \n", strings.Repeat("x", pack.MaxReason+1)} {
		require.Error(t, chain.Return(actor("u9", access.Approver), chain[0].Revision, created, reason))
	}
	require.Equal(t, pack.InReview, chain[0].State)
	l := chain[0]
	admin := actor("u9", access.Admin)
	require.Error(t, l.PutOnHold(admin, created, ""))
	require.Error(t, l.LiftHold(admin, "not held"))
	require.NoError(t, l.PutOnHold(admin, created, "case 7"))
	require.Error(t, l.PutOnHold(admin, created, "case 8"))
	require.Error(t, l.LiftHold(admin, " "))
	require.NoError(t, l.LiftHold(admin, "case closed"))
	require.Nil(t, l.Hold)
}

func TestOneOpenSuccessor(t *testing.T) {
	chain := inState(t, pack.SignedOff)
	require.Equal(t, domain.Conflict, domain.KindOf(chain.NewVersion(actor("u1", access.Reviewer), true)))
	// two branches of one pack: the second one to be signed would supersede what is already superseded
	one := successor(t, chain, id2, actor("u1", access.Reviewer))
	two := successor(t, chain, "pack_0000000000000003", actor("u1", access.Reviewer))
	for _, c := range []pack.Chain{one, two} {
		require.NoError(t, c.Submit(actor("u1", access.Reviewer), 1, created, nil, digest))
	}
	_, err := one.Approve(actor("u8", access.Approver), 2, created, pack.Signing{Digest: digest})
	require.NoError(t, err)
	_, err = two.Approve(actor("u8", access.Approver), 2, created, pack.Signing{Digest: digest})
	require.Equal(t, domain.Conflict, domain.KindOf(err))
	require.Equal(t, id2, chain[0].SupersededBy)
}

func TestPackIDs(t *testing.T) {
	for id, want := range map[string]bool{
		id1: true, "pack_0123456789abcdef": true, "": false, "pack_0123456789ABCDEF": false, "pack_0": false,
		id1 + "\n": false, "x" + id1: false,
	} {
		require.Equal(t, want, pack.CheckID(id), "%q", id)
		c := draftOf(hospital(), nil)
		c.PackID = id
		_, err := pack.Open(&c, actor("u1", access.Reviewer))
		require.Equal(t, want, err == nil, "%q", id)
	}
}

func TestRequirement(t *testing.T) {
	for _, tt := range []struct {
		a, r, s    string
		confidence float64
		high       bool
		want       string
	}{
		{a: "A0", r: "R0", s: "S0", confidence: 0.1, want: "skip A0 1"},
		{a: "A0", r: "R2", s: "S2", confidence: 0.7, high: true, want: "skip A0 1"},
		{
			a: "A0", r: "R0", s: "S0", confidence: 0.69, high: true,
			want: "mandatory A2 1 confidence < 0.7 on a high-stakes decision",
		},
		{a: "A1", r: "R0", s: "S0", confidence: 1, high: true, want: "recommended A1 1 approval_class A1"},
		{a: "A1", r: "R3", s: "S0", confidence: 1, want: "mandatory A2 1 reversibility_class R3"},
		{a: "A0", r: "R0", s: "S3", confidence: 1, want: "mandatory A2 1 sensitivity_class S3"},
		{a: "A2", r: "R0", s: "S0", confidence: 1, want: "mandatory A2 1 approval_class A2 or A3"},
		{a: "A3", r: "R0", s: "S0", confidence: 1, want: "mandatory A3 2 approval_class A2 or A3"},
		{
			a: "A3", r: "R3", s: "S3", high: true,
			want: "mandatory A3 2 approval_class A2 or A3|reversibility_class R3|sensitivity_class S3|confidence < 0.7 on a high-stakes decision",
		},
	} {
		h := pack.Header{
			ApprovalClass: tt.a, ReversibilityClass: tt.r, SensitivityClass: tt.s, Confidence: &tt.confidence,
			HighStakes: tt.high,
		}
		r := pack.Requires(&h)
		var names []string
		for _, x := range r.Rules {
			names = append(names, x.Name)
		}
		require.Equal(t, tt.want, strings.TrimSpace(fmt.Sprintf("%s %s %d %s", r.Level, r.EffectiveClass, r.Approvers,
			strings.Join(names, "|"))))
		require.Equal(t, r.Level == pack.Mandatory, r.Missing(false))
		require.False(t, r.Missing(true))
		data, err := canonical.JSON(r)
		require.NoError(t, err)
		require.Contains(t, string(data), `"rules":[`)
	}
}
