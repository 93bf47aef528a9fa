package sessions_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
)

// TestSealedReviewsStayInTheStore checks that nobody else can read the first reviewer's reviews of a blind session
// before the second reviewer has decided.
func TestSealedReviewsStayInTheStore(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.SizedSession(4) // supported, weak, contradicted, not found
	h.AddSession(t, s)
	a, b := h.As("a"), h.As("b")
	h.Assign(t, s.ID, ledger.Seats{{ID: "a"}, {ID: "b"}}, ledger.SecondBlind)
	before, err := h.Home(ctx, h.Actor)
	require.NoError(t, err)
	a.Says(t, s.ID, 0, ledger.ReviewInput{
		Action: ledger.Override, Verdict: ledger.Contradicted, Reason: "secret words",
	})

	after, err := h.Home(ctx, h.Actor)
	require.NoError(t, err)
	require.Equal(t, before.ByVerdict, after.ByVerdict, "no figure reveals it")
	for who, want := range map[string]int{"": 0, "b": 0, "c": 0, "a": 1} {
		whole, err := h.SessionFor(ctx, h.As(who).Actor, s.ID)
		require.NoError(t, err)
		require.Len(t, whole.Claims[0].Reviews, want, who)
		claim, err := h.ClaimPageFor(ctx, h.As(who).Actor, s.ID, 0, nil)
		require.NoError(t, err)
		require.Len(t, claim.Session.Claims[0].Reviews, want, who)
		require.Equal(t, want, claim.Own, who)
		page, err := h.LedgerPageFor(ctx, h.As(who).Actor, s.ID,
			db.PageQuery{Filter: ledger.ClaimFilter{Verdict: ledger.Contradicted}, After: -1, Limit: 10})
		require.NoError(t, err)
		require.Len(t, page.Session.Claims, 1, "a filter finds the machine's verdict only")
		require.Zero(t, page.Overview.Summary.Overridden)
	}
	page := pageOf(t, h, s.ID, ledger.ClaimFilter{}, -1, 10)
	require.Empty(t, page.Session.Claims[0].Reviews)

	b.Says(t, s.ID, 0, dbtest.Confirm)
	whole, err := h.Session(ctx, h.Tenant.ID, s.ID)
	require.NoError(t, err)
	require.Len(t, whole.Claims[0].Reviews, 2, "now both show, to everybody")
	require.Equal(t, 1, pageOf(t, h, s.ID, ledger.ClaimFilter{Differs: true}, -1, 10).Matching)
}

// TestSealedReviewsStayInTheStoreAfterJudgingAgain checks that a review stays sealed if the session is judged again
// before the other reviewer has decided, and that the stored values equal those of assessing the whole session.
func TestSealedReviewsStayInTheStoreAfterJudgingAgain(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.SizedSession(2) // supported, weak
	h.AddSession(t, s)
	a, b := h.As("a"), h.As("b")
	h.Assign(t, s.ID, ledger.Seats{{ID: "a"}, {ID: "b"}}, ledger.SecondBlind)
	a.Says(t, s.ID, 0, dbtest.Confirm)
	b.Says(t, s.ID, 0, dbtest.Confirm)
	h.JudgeAgain(t, s.ID, "run-2") // finds nothing
	a.Says(t, s.ID, 0, ledger.ReviewInput{
		Action: ledger.Override, Verdict: ledger.Contradicted, Reason: "secret words",
	})
	same := func() {
		t.Helper()
		page := pageOf(t, h, s.ID, ledger.ClaimFilter{}, -1, 10)
		whole, err := h.Session(ctx, h.Tenant.ID, s.ID)
		require.NoError(t, err)
		require.Equal(t, dbtest.Assess(whole).Summary, page.Overview.Summary)
		require.Equal(t, ledger.Supported, dbtest.Assess(whole).Entries[0].Verdict)
	}
	for _, run := range []string{"", "run-3"} {
		if run != "" {
			_, err := h.JudgeSession(ctx, h.Actor, db.JudgeRequest{SessionID: s.ID},
				func(_ int, now *ledger.Session) (*db.Judged, error) {
					judged := takeSameRun(now, s)
					require.Zero(t, judged.Changes[0].Stale, "no number reveals that a has reviewed")
					return judged, nil
				})
			require.NoError(t, err)
		}
		for who, want := range map[string]int{"": 2, "b": 2, "c": 2, "a": 3} {
			claim, err := h.ClaimPageFor(ctx, h.As(who).Actor, s.ID, 0, nil)
			require.NoError(t, err)
			require.Len(t, claim.Session.Claims[0].Reviews, want, who)
			page, err := h.LedgerPageFor(ctx, h.As(who).Actor, s.ID,
				db.PageQuery{Filter: ledger.ClaimFilter{Verdict: ledger.Contradicted}, After: -1, Limit: 10})
			require.NoError(t, err)
			require.Empty(t, page.Session.Claims)
			stale, err := h.LedgerPageFor(ctx, h.As(who).Actor, s.ID,
				db.PageQuery{Filter: ledger.ClaimFilter{Stale: true}, After: -1, Limit: 10})
			require.NoError(t, err)
			require.Len(t, stale.Session.Claims, 1, "it waits to be looked at again")
		}
		same()
	}
	b.Says(t, s.ID, 0, dbtest.Confirm)
	require.Equal(t, 0, pageOf(t, h, s.ID, ledger.ClaimFilter{Differs: true}, -1, 10).Matching,
		"a has said nothing of this judgement")
	a.Says(t, s.ID, 0, ledger.ReviewInput{
		Action: ledger.Override, Verdict: ledger.Contradicted, Reason: "secret words",
	})
	require.Equal(t, 1, pageOf(t, h, s.ID, ledger.ClaimFilter{Differs: true}, -1, 10).Matching)
}

// takeSameRun adds a run with the same judgements as the first run of s.
func takeSameRun(now, s *ledger.Session) *db.Judged {
	judged := *now
	judged.Claims = append([]ledger.Claim(nil), now.Claims...)
	judged.Run = ledger.Run{ID: "run-3", Judge: "given", Version: "1", InputDigest: "x", At: now.UpdatedAt}
	for i := range judged.Claims {
		judged.Claims[i].Matches = s.Claims[i].Matches
	}
	out := &db.Judged{Changes: now.TakeRun(&judged, now.UpdatedAt)}
	out.Ledger = dbtest.Assess(now)
	return out
}
