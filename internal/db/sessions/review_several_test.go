package sessions_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// step makes a decision on several claims. It reports whether the whole session was read.
func step(h *dbtest.Fixture, t *testing.T, id string, d ledger.Decision) (out *ledger.Outcome, whole bool) {
	t.Helper()
	d.At, d.NewID = dbtest.Now, uuid.NewString
	stop := h.Trace(func(query string, _ []any) { whole = whole || strings.Contains(query, "answer_parts") })
	out, err := h.Review(context.Background(), h.Actor, id, db.ReviewRequest{Decision: d})
	stop()
	require.NoError(t, err)
	return out, whole
}

// TestStepReadsItsClaimsOnly checks that a step over several claims reads these only, whether it plans, confirms them
// or is taken back.
func TestStepReadsItsClaimsOnly(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(300)
	dbtest.BulkConfirmsAll(t, h.Store, h.Tenant.ID)
	h.AddSession(t, s)
	chosen := &ledger.Selection{Claims: []int{4, 8, 250}}
	confirms := func(batch string) ledger.Decision {
		return ledger.Decision{ReviewInput: ledger.ReviewInput{Action: ledger.Confirm, Batch: batch}, Selection: chosen}
	}
	undoes := func(batch string) ledger.Decision {
		return ledger.Decision{ReviewInput: ledger.ReviewInput{Action: ledger.Undo, Batch: batch},
			Selection: &ledger.Selection{}}
	}
	same := func(out *ledger.Outcome) { // as stored, as returned, and as assessed
		t.Helper()
		l := assessed(t, h.Store, h.Tenant.ID, s.ID)
		require.Equal(t, l.Head(), out.Head())
		require.Equal(t, l.Session.Revision, out.Session.Revision)
		for _, e := range out.Entries {
			require.Equal(t, l.Entries[e.Claim.Position].Flags, e.Flags)
		}
		h.RequireContents(t, 1)
	}

	plan := confirms("")
	plan.DryRun = true
	out, whole := step(h, t, s.ID, plan)
	require.Equal(t, []any{chosen.Claims, false}, []any{out.Claims, whole})
	require.Zero(t, assessed(t, h.Store, h.Tenant.ID, s.ID).Summary.Reviewed, "a dry run stores nothing")

	out, whole = step(h, t, s.ID, confirms("b1"))
	require.Equal(t, []any{chosen.Claims, false, 3}, []any{out.Claims, whole, out.Summary.Settled})
	require.Len(t, out.Entries, 3)
	same(out)
	out, whole = step(h, t, s.ID, undoes("b1"))
	require.Equal(t, []any{chosen.Claims, false, 0}, []any{out.Claims, whole, out.Summary.Settled})
	same(out)

	for _, at := range []int{4, 8} {
		h.Says(t, s.ID, at, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Contradicted, Reason: "x"})
	}
	out, whole = step(h.As("other"), t, s.ID, confirms("b2"))
	require.Equal(t, []any{[]int{250}, []int{4, 8}, false}, []any{out.Claims, out.Plan.Decided, whole})
	same(out)
	_, err := h.Review(context.Background(), h.Actor, s.ID, db.ReviewRequest{Decision: undoes("b2")})
	require.Equal(t, domain.Invalid, domain.KindOf(err), "a step of somebody else")
}

// TestStepThatChangesFlagsReadsAll checks that a step is right also where it changes the verdicts of several claims: in
// a blind review, a confirmation of the machine's verdict hides that another one is in force once it is taken back.
func TestStepThatChangesFlagsReadsAll(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(30)
	dbtest.BulkConfirmsAll(t, h.Store, h.Tenant.ID)
	h.AddSession(t, s)
	h.Assign(t, s.ID, ledger.Seats{{ID: "a"}, {ID: "b"}}, ledger.SecondBlind)
	a, b := h.As("a"), h.As("b")
	for _, at := range []int{4, 8} {
		a.Says(t, s.ID, at, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Contradicted, Reason: "x"})
	}
	d := ledger.Decision{ReviewInput: ledger.ReviewInput{Action: ledger.Confirm, Batch: "b1"},
		Selection: &ledger.Selection{Claims: []int{4, 8}}}
	out, whole := step(b, t, s.ID, d)
	require.Equal(t, []any{[]int{4, 8}, false, 2}, []any{out.Claims, whole, out.Summary.Differing})
	require.Equal(t, assessed(t, h.Store, h.Tenant.ID, s.ID).Head(), out.Head())
	out, whole = step(b, t, s.ID, ledger.Decision{
		ReviewInput: ledger.ReviewInput{Action: ledger.Undo, Batch: "b1"}, Selection: &ledger.Selection{}})
	require.Equal(t, []any{[]int{4, 8}, true}, []any{out.Claims, whole})
	l := assessed(t, h.Store, h.Tenant.ID, s.ID)
	require.Equal(t, l.Head(), out.Head())
	require.Equal(t, []ledger.Verdict{ledger.Contradicted, ledger.Contradicted},
		[]ledger.Verdict{l.Entries[4].Verdict, l.Entries[8].Verdict})
	for _, f := range l.Flags {
		if f.Type == ledger.Contradiction {
			require.True(t, slices.ContainsFunc(f.Claims, func(c ledger.FlagClaim) bool { return c.Position == 4 }))
			return
		}
	}
	require.Fail(t, "the flag lists them again")
}

// TestStepOverOneClaimNamesAnother checks that a step over one claim that takes its flag away names the next claim with
// the flag, not the same one again.
func TestStepOverOneClaimNamesAnother(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(40) // contradicted are 2, 6, 10, 14, of which a page names the first three
	dbtest.BulkConfirmsAll(t, h.Store, h.Tenant.ID)
	h.AddSession(t, s)
	h.Assign(t, s.ID, ledger.Seats{{ID: "a"}, {ID: "b"}}, ledger.SecondBlind)
	a, b := h.As("a"), h.As("b")
	a.Says(t, s.ID, 10, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Supported, Reason: "x"})
	d := ledger.Decision{ReviewInput: ledger.ReviewInput{Action: ledger.Confirm, Batch: "b1"},
		Selection: &ledger.Selection{Claims: []int{10}}}
	named := func(o *ledger.Outcome) (out []int) {
		for _, f := range o.Flags {
			for _, c := range f.Claims {
				if f.Type == ledger.Contradiction {
					out = append(out, c.Position)
				}
			}
		}
		return out
	}
	out, _ := step(b, t, s.ID, d)
	require.Equal(t, assessed(t, h.Store, h.Tenant.ID, s.ID).Head(), out.Head())
	require.Equal(t, []int{2, 6, 10}, named(out))
	out, _ = step(b, t, s.ID, ledger.Decision{
		ReviewInput: ledger.ReviewInput{Action: ledger.Undo, Batch: "b1"}, Selection: &ledger.Selection{}})
	require.Equal(t, []int{2, 6, 14}, named(out))
	require.Equal(t, assessed(t, h.Store, h.Tenant.ID, s.ID).Head(), out.Head())
}
